/**
 * Reads a stored sandbox: its root record with the tenant's counters in one read, and the blobs
 * that the record names through caches, because a blob never changes.
 *
 * @module
 */
import { BlobCorrupt, blobName, type BlobRef, blobSteps, readBlob } from "../store/blobs.ts";
import { BoundedCache } from "../store/bounded_cache.ts";
import { sandboxBlobKey } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import { decodeLayer, type EnvVars, NO_VARIABLES } from "./env_layers.ts";
import { decodeShard, type NewShard } from "./manifest_shards.ts";
import {
  homeOf,
  type SandboxAddress,
  type SandboxRecord,
  type SandboxState,
  stateKeys,
  stateOf,
} from "./root_record.ts";
import { EMPTY_TREE, nodeBytes, Tree } from "./tree.ts";
import type { Clock } from "../shared/clock.ts";

/** Memory for recently read or written blobs, in bytes. */
const TREE_CACHE_BYTES = 32 * 1024 * 1024;
const ENV_CACHE_BYTES = 8 * 1024 * 1024;
const SHARDS_IN_FLIGHT = 8;

/** Reads sandboxes. */
export class StoredSandboxes {
  /** The sandboxes as this process read or wrote them last. */
  readonly cache: StateCache;
  readonly #kv: KvStore;
  readonly #trees = new BoundedCache<Tree>(TREE_CACHE_BYTES);
  readonly #shards = new BoundedCache<NewShard["nodes"]>(TREE_CACHE_BYTES);
  readonly #layers = new BoundedCache<EnvVars>(ENV_CACHE_BYTES);

  constructor(kv: KvStore, clock: Clock) {
    this.#kv = kv;
    this.cache = new StateCache(clock);
  }

  /** The current root record, whether it has expired or not. One read. */
  async read(address: SandboxAddress): Promise<SandboxState> {
    const entries = await this.#kv.getMany<unknown[]>([...stateKeys(address)]);
    return this.readIn(address, entries);
  }

  /** The state in the entries of {@link stateKeys} that another read returned. */
  readIn(address: SandboxAddress, entries: readonly Deno.KvEntryMaybe<unknown>[]): SandboxState {
    const state = stateOf(address, entries);
    this.cache.read(state);
    return state;
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
  async layer(record: SandboxRecord, ref: BlobRef | null): Promise<EnvVars> {
    if (ref === null) return NO_VARIABLES;
    const home = homeOf(record);
    const name = placeOf(home, ref);
    const known = this.#layers.get(name);
    if (known !== undefined) return known;
    const layer = decodeLayer(await this.contents(home, ref));
    this.#layers.set(name, layer, 2 * ref.bytes);
    return layer;
  }

  /** A blob below a home. Throws BlobCorrupt, see {@link steady}. */
  async contents(home: string, ref: BlobRef): Promise<Uint8Array<ArrayBuffer>> {
    return await readBlob(this.#kv, sandboxBlobKey(home), ref);
  }

  /** The same from `start` up to `end`, a step at a time. */
  steps(
    home: string,
    ref: BlobRef,
    range: { readonly start: number; readonly end: number },
  ): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    return blobSteps(this.#kv, sandboxBlobKey(home), ref, range);
  }

  /** The contents of the files that a part of a manifest names. Throws BlobCorrupt. */
  async filesIn(home: string, ref: BlobRef): Promise<readonly BlobRef[]> {
    const nodes = await this.#shard(home, ref);
    return nodes.flatMap(([, node]) => node.type === "file" ? [node.ref] : []);
  }

  async #loadTree(record: SandboxRecord): Promise<Tree> {
    const home = homeOf(record);
    const nodes: NewShard["nodes"][] = [];
    const queue = record.workspace.shards.values();
    const reader = async () => {
      for (const { ref } of queue) nodes.push(await this.#shard(home, ref));
    };
    await Promise.all(Array.from({ length: SHARDS_IN_FLIGHT }, reader));
    return new Tree(new Map(nodes.flat()));
  }

  async #shard(home: string, ref: BlobRef): Promise<NewShard["nodes"]> {
    const name = placeOf(home, ref);
    const known = this.#shards.get(name);
    if (known !== undefined) return known;
    const nodes = decodeShard(await this.contents(home, ref));
    this.#shards.set(name, nodes, bytesOf(nodes));
    return nodes;
  }
}

function treeName(record: SandboxRecord): string {
  return `${homeOf(record)}/${record.workspace.state}`;
}

function bytesOf(nodes: Iterable<readonly [path: string, node: unknown]>): number {
  let bytes = 0;
  for (const [path] of nodes) bytes += nodeBytes(path);
  return bytes;
}

function placeOf(home: string, ref: BlobRef): string {
  return `${home}/${blobName(ref)}`;
}

const STATE_CACHE_BYTES = 8 * 1024 * 1024;
/** About the memory of a state, in bytes. */
const BYTES_PER_STATE = 4 * 1024;
/** About the memory of each shard that its record names, in bytes. */
const BYTES_PER_SHARD = 512;
/** How long a process relies on the counters of a tenant that it has read, in milliseconds. */
const STEADY_MS = 60_000;

interface StateFlags {
  /** Whether this process wrote it. */
  readonly isOwn: boolean;
  /** A read has found what this process wrote before, so that it seems to be alone. */
  readonly isSteady: boolean;
}

interface CachedState extends StateFlags {
  readonly state: SandboxState;
  /** When it, and with it the counters of the tenant, was read. Epoch milliseconds. */
  readonly at: number;
}

/**
 * The states of sandboxes that one process knows: as it read or wrote them last. Others may have changed
 * them since, so whatever is decided from here is checked by a read or a commit.
 */
export class StateCache {
  readonly #states = new BoundedCache<CachedState>(STATE_CACHE_BYTES);
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The state as last known. */
  last(address: SandboxAddress): SandboxState | undefined {
    return this.#states.get(nameOf(address))?.state;
  }

  /** The state as last known, if most likely it is still that. */
  steady(address: SandboxAddress): SandboxState | undefined {
    const known = this.#states.get(nameOf(address));
    if (known?.isSteady !== true || this.#clock() - known.at > STEADY_MS) return undefined;
    return known.state;
  }

  /** Notes a state that was read. */
  read(state: SandboxState): void {
    if (state.record === undefined) return this.forget(state.address);
    const known = this.#states.get(nameOf(state.address));
    if (known?.state.versionstamp === state.versionstamp) {
      this.#set(state, { isOwn: known.isOwn, isSteady: known.isOwn || known.isSteady });
    } else if (isLater(state, known?.state)) {
      this.#set(state, { isOwn: false, isSteady: false });
    }
  }

  /** Notes a state that this process has committed. */
  wrote(state: SandboxState): void {
    if (state.record === undefined) return this.forget(state.address);
    const known = this.#states.get(nameOf(state.address));
    if (!isLater(state, known?.state)) return;
    const at = known?.at ?? this.#clock(); // a commit does not tell what others have counted
    this.#set(state, { isOwn: true, isSteady: known?.isSteady === true }, at);
  }

  /** Notes that others change the sandbox too. */
  doubt(address: SandboxAddress): void {
    const known = this.#states.get(nameOf(address));
    if (known !== undefined) this.#set(known.state, { isOwn: false, isSteady: false });
  }

  /** Removes a state. */
  forget(address: SandboxAddress): void {
    this.#states.delete(nameOf(address));
  }

  #set(
    state: SandboxState,
    flags: StateFlags,
    at = this.#clock(),
  ): void {
    const shards = state.record?.workspace.shards.length ?? 0;
    const bytes = BYTES_PER_STATE + shards * BYTES_PER_SHARD;
    this.#states.set(nameOf(state.address), { state, at, ...flags }, bytes);
  }
}

/** Versions of the store grow. A read may be answered after a later commit. */
function isLater({ versionstamp }: SandboxState, known: SandboxState | undefined): boolean {
  return versionstamp !== null && versionstamp > (known?.versionstamp ?? "");
}

function nameOf({ tenant, id }: SandboxAddress): string {
  return JSON.stringify([tenant, id]);
}
