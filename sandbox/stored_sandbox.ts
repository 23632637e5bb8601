/**
 * Reads a stored sandbox: its root record with the tenant's counters in one read, and the blobs
 * that the record names through caches, because a blob never changes.
 *
 * @module
 */
import { BlobCorrupt, blobName, type BlobRef, readBlob } from "../store/blobs.ts";
import { BoundedCache } from "../store/bounded_cache.ts";
import { rootRecordKey, sandboxBlobKey, tenantCounterKey } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import { countIn } from "../store/transaction.ts";
import { decodeLayer, type EnvVars, NO_VARIABLES } from "./env_layers.ts";
import { decodeShard, type NewShard, type Shard } from "./manifest_shards.ts";
import { readRecord, type SandboxAddress, type SandboxRecord } from "./root_record.ts";
import { EMPTY_TREE, nodeBytes, Tree } from "./tree.ts";

/** A counter of a tenant as it was read. */
export interface Counter {
  readonly key: Deno.KvKey;
  readonly versionstamp: string | null;
  readonly count: number;
}

/** A sandbox as it was read. */
export interface SandboxState {
  readonly address: SandboxAddress;
  /** Undefined: there is no such sandbox. */
  readonly record: SandboxRecord | undefined;
  /** Version of the record. */
  readonly versionstamp: string | null;
  /** Sandboxes of the tenant. */
  readonly sandboxes: Counter;
  /** Bytes kept for the tenant. */
  readonly bytes: Counter;
}

/** Memory for recently read or written blobs, in bytes. */
const TREE_CACHE_BYTES = 32 * 1024 * 1024;
const ENV_CACHE_BYTES = 8 * 1024 * 1024;
const SHARDS_IN_FLIGHT = 8;

/** Reads sandboxes. */
export class StoredSandboxes {
  readonly #kv: KvStore;
  readonly #trees = new BoundedCache<Tree>(TREE_CACHE_BYTES);
  readonly #shards = new BoundedCache<NewShard["nodes"]>(TREE_CACHE_BYTES);
  readonly #layers = new BoundedCache<EnvVars>(ENV_CACHE_BYTES);

  constructor(kv: KvStore) {
    this.#kv = kv;
  }

  /** The current root record, whether it has expired or not. One read. */
  async read(address: SandboxAddress): Promise<SandboxState> {
    return stateOf(address, await this.#kv.getMany<unknown[]>([...stateKeys(address)]));
  }

  /**
   * Returns the result of `use` for the sandbox. If blobs are gone because the record changed
   * between two reads, `use` is called again with the new record.
   */
  async steady<T>(
    state: SandboxState,
    use: (state: SandboxState) => Promise<T>,
  ): Promise<T> {
    for (let at = state;;) {
      try {
        return await use(at);
      } catch (thrown) {
        if (!(thrown instanceof BlobCorrupt)) throw thrown;
        const now = await this.read(state.address);
        if (now.versionstamp === at.versionstamp) throw thrown;
        at = now;
      }
    }
  }

  /** The files of a sandbox. Throws BlobCorrupt, see {@link steady}. */
  async tree(record: SandboxRecord | undefined): Promise<Tree> {
    if (record === undefined || record.workspace.shards.length === 0) return EMPTY_TREE;
    const name = treeName(record);
    const known = this.#trees.get(name);
    if (known !== undefined) return known;
    const tree = await this.#loadTree(record);
    this.#trees.set(name, tree, tree.memoryBytes);
    return tree;
  }

  /** Caches what was written in place of an earlier record, so that it need not be read. */
  remember(record: SandboxRecord, tree: Tree, before: SandboxRecord | undefined): void {
    if (before !== undefined) this.#trees.delete(treeName(before));
    this.#trees.set(treeName(record), tree, tree.memoryBytes);
  }

  /** One scope of variables. Throws BlobCorrupt, see {@link steady}. */
  async layer({ lifetime }: SandboxRecord, ref: BlobRef | null): Promise<EnvVars> {
    if (ref === null) return NO_VARIABLES;
    const name = placeOf(lifetime, ref);
    const known = this.#layers.get(name);
    if (known !== undefined) return known;
    const layer = decodeLayer(await this.contents(lifetime, ref));
    this.#layers.set(name, layer, 2 * ref.bytes);
    return layer;
  }

  /** A blob of a sandbox. Throws BlobCorrupt, see {@link steady}. */
  async contents(lifetime: string, ref: BlobRef): Promise<Uint8Array<ArrayBuffer>> {
    return await readBlob(this.#kv, sandboxBlobKey(lifetime), ref);
  }

  async #loadTree({ lifetime, workspace }: SandboxRecord): Promise<Tree> {
    const nodes: NewShard["nodes"][] = [];
    const queue = workspace.shards.values();
    const reader = async () => {
      for (const shard of queue) nodes.push(await this.#shard(lifetime, shard));
    };
    await Promise.all(Array.from({ length: SHARDS_IN_FLIGHT }, reader));
    return new Tree(new Map(nodes.flat()));
  }

  async #shard(lifetime: string, { ref }: Shard): Promise<NewShard["nodes"]> {
    const name = placeOf(lifetime, ref);
    const known = this.#shards.get(name);
    if (known !== undefined) return known;
    const nodes = decodeShard(await this.contents(lifetime, ref));
    this.#shards.set(name, nodes, bytesOf(nodes));
    return nodes;
  }
}

/** The keys from which a state is read. */
export function stateKeys({ tenant, id }: SandboxAddress): readonly Deno.KvKey[] {
  return [
    rootRecordKey(tenant, id),
    tenantCounterKey(tenant, "sandboxes"),
    tenantCounterKey(tenant, "bytes"),
  ];
}

/** Builds a state from the entries of {@link stateKeys}, which one read returned. */
export function stateOf(
  address: SandboxAddress,
  [root, sandboxes, bytes]: readonly Deno.KvEntryMaybe<unknown>[],
): SandboxState {
  if (root === undefined || sandboxes === undefined || bytes === undefined) {
    throw new TypeError("the store returned fewer entries than requested");
  }
  return {
    address,
    record: readRecord(root.value),
    versionstamp: root.versionstamp,
    sandboxes: counterOf(sandboxes),
    bytes: counterOf(bytes),
  };
}

function counterOf(entry: Deno.KvEntryMaybe<unknown>): Counter {
  const { key, versionstamp } = entry;
  return { key, versionstamp, count: countIn(entry) };
}

function treeName({ lifetime, workspace }: SandboxRecord): string {
  return `${lifetime}/${workspace.state}`;
}

function bytesOf(nodes: Iterable<readonly [path: string, node: unknown]>): number {
  let bytes = 0;
  for (const [path] of nodes) bytes += nodeBytes(path);
  return bytes;
}

function placeOf(lifetime: string, ref: BlobRef): string {
  return `${lifetime}/${blobName(ref)}`;
}
