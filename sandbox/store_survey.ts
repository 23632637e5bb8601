/**
 * A survey of all sandboxes in a store, for its operator: their use of it, and whether everything
 * that their records name is there, with the checksums of its writing.
 *
 * @module
 */
import { BlobCorrupt, blobName, type BlobRef } from "../store/blobs.ts";
import { tenantCounterKey } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import { ALL_ROOT_RECORDS } from "../store/store_keys.ts";
import { countIn } from "../store/transaction.ts";
import type { ContextAddress } from "../shared/run_in_context.ts";
import { checkpointsOf } from "./checkpoints.ts";
import {
  type ContextRecord,
  homeOf,
  readRecord,
  runtimeKey,
  type SandboxAddress,
  type SandboxRecord,
} from "./root_record.ts";
import { StoredSandboxes } from "./stored_sandbox.ts";
import { countedBytes } from "./stored_bytes.ts";

/** The use of the store by one sandbox. */
export interface SandboxUsage {
  readonly tenant: string;
  readonly sandbox: string;
  /** As they count for `MAX_TENANT_BYTES`. */
  readonly bytes: number;
  readonly files: number;
  readonly contexts: number;
  readonly checkpoints: number;
}

/** The counters of a tenant, which its quotas compare. */
export interface TenantCounts {
  readonly sandboxes: number;
  readonly bytes: number;
}

/** Reads the state of a context at its runtime; throws when it cannot be restored. */
export type ReadSnapshot = (
  language: string,
  address: ContextAddress,
  reference: string,
) => Promise<void>;

/** The sandboxes of a store, in order of tenant and name. */
export async function* listUsage(kv: KvStore): AsyncGenerator<SandboxUsage, void> {
  for await (const { key, value } of kv.list(ALL_ROOT_RECORDS)) {
    const [, tenant, sandbox] = key;
    const record = readRecord(value);
    if (record === undefined) continue;
    yield {
      tenant: String(tenant),
      sandbox: String(sandbox),
      bytes: countedBytes(record),
      files: record.workspace.files,
      contexts: record.contexts.length,
      checkpoints: record.checkpoints?.count ?? 0,
    };
  }
}

/** The counters of a tenant. */
export async function tenantCounts(kv: KvStore, tenant: string): Promise<TenantCounts> {
  const keys = (["sandboxes", "bytes"] as const).map((name) => tenantCounterKey(tenant, name));
  const [sandboxes, bytes] = (await kv.getMany<unknown[]>(keys)).map(countIn);
  return { sandboxes: sandboxes ?? 0, bytes: bytes ?? 0 };
}

/** Checks sandboxes one by one. */
export class StoreCheck {
  readonly #kv: KvStore;
  readonly #readSnapshot: ReadSnapshot;

  constructor(kv: KvStore, readSnapshot: ReadSnapshot) {
    this.#kv = kv;
    this.#readSnapshot = readSnapshot;
  }

  /**
   * The problems of one sandbox, without contents. A sandbox that changes meanwhile is read again.
   */
  async problemsOf(address: SandboxAddress): Promise<readonly string[]> {
    for (;;) {
      const stored = new StoredSandboxes(this.#kv, Date.now);
      const state = await stored.read(address).catch(() => undefined);
      if (state === undefined) return ["the record cannot be read"];
      if (state.record === undefined) return [];
      const problems = await this.#problems(stored, address, state.record);
      const now = await stored.read(address);
      if (problems.length === 0 || now.versionstamp === state.versionstamp) return problems;
    }
  }

  async #problems(
    stored: StoredSandboxes,
    address: SandboxAddress,
    record: SandboxRecord,
  ): Promise<readonly string[]> {
    const problems = await this.#problemsIn(stored, address, record);
    const checkpoints = await checkpointsOf(this.#kv, record).catch(() => undefined);
    if (checkpoints === undefined) return [...problems, "a checkpoint cannot be read"];
    if (checkpoints.length !== (record.checkpoints?.count ?? 0)) {
      problems.push(`there are ${checkpoints.length} of ${record.checkpoints?.count} checkpoints`);
    }
    for (const { id, state } of checkpoints) {
      const found = await this.#problemsIn(stored, address, state);
      problems.push(...found.map((problem) => `checkpoint ${id}: ${problem}`));
    }
    return problems;
  }

  async #problemsIn(
    stored: StoredSandboxes,
    address: SandboxAddress,
    record: SandboxRecord,
  ): Promise<string[]> {
    const home = homeOf(record);
    const problems: string[] = [];
    const attempt = async (name: string, read: () => Promise<unknown>) => {
      try {
        await read();
      } catch (thrown) {
        const reason = thrown instanceof Error ? thrown.message : "unknown reason";
        problems.push(`${name}: ${reason}`);
      }
    };
    await attempt("variables", () => stored.layer(record, record.env));
    await attempt("files", async () => {
      const { nodes, files, bytes } = await stored.tree(record);
      const { workspace } = record;
      if (files !== workspace.files || bytes !== workspace.bytes) {
        throw new BlobCorrupt("their number or length differs from the record");
      }
      const refs = [...nodes.values()].flatMap((node) => node.type === "file" ? [node.ref] : []);
      await this.#readAll(stored, home, refs);
    });
    for (const context of record.contexts) {
      await attempt(`context ${context.id}`, async () => {
        await stored.layer(record, context.env);
        if (context.notebook !== undefined) await stored.contents(home, context.notebook);
        await this.#readContext(address, record, context);
      });
    }
    return problems;
  }

  async #readAll(stored: StoredSandboxes, home: string, refs: readonly BlobRef[]): Promise<void> {
    const different = new Map(refs.map((ref) => [blobName(ref), ref]));
    for (const ref of different.values()) await stored.contents(home, ref);
  }

  async #readContext(
    address: SandboxAddress,
    { lifetime }: SandboxRecord,
    { id, runtimeId = id, language, snapshotRef }: ContextRecord,
  ): Promise<void> {
    if (snapshotRef === null) return;
    const sandboxKey = runtimeKey(address, lifetime);
    await this.#readSnapshot(language, { sandboxKey, contextId: runtimeId }, snapshotRef);
  }
}
