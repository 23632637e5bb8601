/**
 * The keys of a store, and those of them that are reachable. After the janitor's round both are the
 * same.
 *
 * @module
 */
import { z } from "zod";
import { ContextStore } from "../../runtimes/contexts/context_store.ts";
import { checkpointsOf } from "../../sandbox/checkpoints.ts";
import { runtimeId } from "../../sandbox/contexts.ts";
import { decodeShard } from "../../sandbox/manifest_shards.ts";
import { homeOf, readRecord, runtimeKey, type SandboxRecord } from "../../sandbox/root_record.ts";
import { createSandboxes } from "../../sandbox/sandboxes.ts";
import { checkpointBytes, countedBytes, storedBytes } from "../../sandbox/stored_bytes.ts";
import { type BlobRef, blobRefSchema, partCount, readBlob } from "../../store/blobs.ts";
import { Janitor } from "../../store/janitor.ts";
import { homeForksKey, homeMemberKey } from "../../store/home_keys.ts";
import {
  answerTimeKey,
  type BlobKey,
  checkpointKey,
  checkpointsPrefix,
  type EnginePart,
  enginePartBlobKey,
  enginePartKey,
  expiryKey,
  interpreterBlobKey,
  interpreterContextKey,
  interpreterSnapshotKey,
  partUseKey,
  rootRecordKey,
  sandboxBlobKey,
  sandboxLeaseKeys,
  serviceLeaseKeys,
  sharedForksKey,
  sharedMarkKey,
  sharedMemberKey,
  storedAnswerKey,
  storedAnswersPrefix,
  type TenantCounter,
  tenantCounterKey,
} from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { LeaseTable } from "../../store/lease.ts";
import {
  presencesPrefix,
  USAGE_SINCE_KEY,
  usagePrefix,
  usageWritersPrefix,
} from "../../store/store_keys.ts";
import type { RuntimeBinding } from "../../shared/binding.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../shared/languages.ts";
import { STORED_ANSWER_EXTRA_BYTES } from "../../shared/limits.ts";
import { followRunKey, type RunFollower } from "./kill_run_keys.ts";

const MINUTE_MS = 60_000;
const COUNTERS: readonly TenantCounter[] = ["sandboxes", "bytes", "waiting_runs"];
/** The first parts of keys that belong to no sandbox: counts of use, and the processes that count. */
const OF_STORE: ReadonlySet<Deno.KvKeyPart | undefined> = new Set(
  [presencesPrefix(), USAGE_SINCE_KEY, usagePrefix(), usageWritersPrefix()].map(([kind]) => kind),
);

const storedAnswerSchema = z.object({ expiresAt: z.number(), body: blobRefSchema });

/**
 * One round of the janitor that takes every commit under way for dead. Nothing may run meanwhile.
 * Gives how many things it removed. `aheadMs`: how long after now it happens.
 */
export async function sweep(kv: KvStore, leaseMs: number, aheadMs = 0): Promise<number> {
  const clock = () => Date.now() + aheadMs;
  const leases = new LeaseTable({ kv, owner: "sweep", ttlMs: leaseMs, clock });
  const failures: unknown[] = [];
  const sandboxes = createSandboxes({
    store: kv,
    leases,
    bindings: new Map(
      LANGUAGES.map((id) => [id.toUpperCase(), wiping(kv, id)]),
    ),
    admission: { wait: () => () => undefined, enter: () => Promise.resolve(() => undefined) },
    clock,
    log: (_, event, fields) => failures.push(event, fields),
  });
  const janitor = new Janitor({
    kv,
    clock,
    leases,
    intentAgeMs: 0,
    onError: (_, thrown) => failures.push(thrown),
  });
  for (const task of sandboxes.janitorTasks) janitor.register(task);
  for (const language of LANGUAGES) {
    const contexts = new ContextStore({ kv, language, clock: Date.now });
    const run = (signal: AbortSignal) => contexts.sweepShared(signal);
    janitor.register({ name: `shared snapshots of ${language}`, run });
  }
  const counts = await janitor.runNow();
  await janitor.close();
  if (failures.length > 0) throw new AggregateError(failures, JSON.stringify(failures));
  return [...counts.values()].reduce((sum, count) => sum + count, 0);
}

/** A runtime that can only remove. */
function wiping(kv: KvStore, language: Language): RuntimeBinding {
  const contexts = new ContextStore({ kv, language, clock: Date.now });
  return {
    language,
    engine: "none",
    contexts,
    fetch: () => Promise.reject(new Error("this runtime has no routes")),
    execute: () => Promise.reject(new Error("this runtime runs nothing")),
    executeInContext: () => Promise.reject(new Error("this runtime runs nothing")),
  };
}

/** The faults of a store that nobody uses at the moment; empty when there are none. */
export async function wrongKeys(kv: KvStore): Promise<readonly string[]> {
  const entries = new Map<string, unknown>();
  for await (const { key, value } of kv.list({ prefix: [] })) {
    if (!OF_STORE.has(key[0])) entries.set(nameOf(key), value);
  }
  const reachable = new Reachable(kv, entries);
  await reachable.follow();
  const orphans = [...entries.keys()].filter((name) => !reachable.names.has(name));
  return [...reachable.problems, ...orphans.map((name) => `orphan: ${name}`)];
}

function nameOf(key: Deno.KvKey): string {
  return JSON.stringify(key);
}

/** Follows every reference, from the root records on. */
class Reachable {
  readonly names = new Set<string>();
  readonly problems: string[] = [];
  readonly #kv: KvStore;
  readonly #entries: ReadonlyMap<string, unknown>;
  readonly #counts = new Map<string, number>();
  readonly #runFollower: RunFollower = {
    need: (key) => {
      this.#need(key);
      return this.#entries.get(nameOf(key));
    },
    reach: (key) => this.#reach(key),
    problem: (text, key) => this.#problem(text, key),
    count: (tenant, counter, n) => this.#count(tenant, counter, n),
    blob: (key, ref) => this.#blob(key, ref),
    contents: (address, record) => this.#contents(address, record),
  };

  constructor(kv: KvStore, entries: ReadonlyMap<string, unknown>) {
    this.#kv = kv;
    this.#entries = entries;
  }

  async follow(): Promise<void> {
    for (const name of this.#entries.keys()) {
      const key: Deno.KvKey = JSON.parse(name);
      const [kind, first, second] = key;
      if (kind === "sandbox") await this.#sandbox(String(first), String(second));
      await followRunKey(this.#runFollower, key, this.#entries.get(name));
      if ((kind === "baseline" || kind === "module") && key[3] === "index") {
        await this.#part(kind, String(first), String(second));
      }
    }
    for (const key of Object.values(serviceLeaseKeys("janitor"))) this.#reach(key);
    for (const name of this.#entries.keys()) {
      const key: Deno.KvKey = JSON.parse(name);
      this.#counter(key);
    }
  }

  async #sandbox(tenant: string, id: string): Promise<void> {
    const key = rootRecordKey(tenant, id);
    const record = readRecord(this.#entries.get(nameOf(key)));
    this.#reach(key);
    if (record === undefined) return this.#problem("no record", key);
    const { lifetime, expiresAt } = record;
    this.#count(tenant, "sandboxes", 1);
    this.#count(tenant, "bytes", countedBytes(record));
    if (countedBytes(record) !== storedBytes(record)) this.#problem("another count", key);
    if (expiresAt !== null) {
      this.#need(expiryKey(Math.floor(expiresAt / MINUTE_MS), { tenant, id, lifetime }));
    }
    await this.#contents({ tenant, id }, record);
    await this.#answers({ tenant, id, lifetime }, record.answers);
    await this.#checkpoints({ tenant, id }, record);
  }

  /** The checkpoints of a sandbox, which are copies of it. */
  async #checkpoints(
    address: { readonly tenant: string; readonly id: string },
    record: SandboxRecord,
  ): Promise<void> {
    const found = await checkpointsOf(this.#kv, { ...record, checkpoints: { count: 0, bytes: 0 } });
    let bytes = 0;
    for (const { id, name, state } of found) {
      this.#reach(checkpointKey(record.lifetime, id));
      bytes += checkpointBytes(state, name);
      await this.#contents(address, state);
    }
    const { checkpoints = { count: 0, bytes: 0 } } = record;
    if (checkpoints.count !== found.length || checkpoints.bytes !== bytes) {
      const text = `${found.length} checkpoints of ${bytes} bytes`;
      this.#problem(text, checkpointsPrefix(record.lifetime));
    }
  }

  /** The parts of a sandbox or a checkpoint. */
  async #contents(
    address: { readonly tenant: string; readonly id: string },
    record: SandboxRecord,
  ): Promise<void> {
    const { lifetime, workspace, env, contexts } = record;
    const key = checkpointsPrefix(lifetime);
    const blobs = sandboxBlobKey(homeOf(record));
    if (record.home !== undefined) {
      this.#need(homeMemberKey(record.home, lifetime));
      this.#need(homeForksKey(record.home));
    }
    for (const ref of [env, ...contexts.map((context) => context.env)]) {
      if (ref !== null) await this.#blob(blobs, ref);
    }
    let files = 0;
    for (const { ref } of workspace.shards) {
      const bytes = await this.#blob(blobs, ref);
      for (const [, node] of bytes === undefined ? [] : decodeShard(bytes)) {
        if (node.type === "directory") continue;
        files++;
        await this.#blob(blobs, node.ref);
      }
    }
    if (files !== workspace.files) this.#problem(`${files} files, not ${workspace.files}`, key);
    for (const context of contexts) {
      await this.#context(runtimeKey(address, lifetime), record, context);
    }
  }

  /** The kept answers of a sandbox: by key, by time, and their bodies. */
  async #answers(
    sandbox: { readonly tenant: string; readonly id: string; readonly lifetime: string },
    record: SandboxRecord["answers"],
  ): Promise<void> {
    const { lifetime } = sandbox;
    let bytes = 0;
    for (const [name, value] of this.#entries) {
      const [kind, owner, order, key]: Deno.KvKey = JSON.parse(name);
      if (kind !== "sandbox_answer" || owner !== lifetime || order !== "key") continue;
      const { expiresAt, body } = storedAnswerSchema.parse(value);
      this.#reach(storedAnswerKey(lifetime, String(key)));
      this.#need(answerTimeKey(lifetime, expiresAt, String(key)));
      await this.#blob(sandboxBlobKey(lifetime), body);
      bytes += body.bytes + STORED_ANSWER_EXTRA_BYTES;
    }
    const prefix = storedAnswersPrefix(lifetime);
    if (bytes !== (record?.bytes ?? 0)) this.#problem(`${bytes} bytes of answers`, prefix);
    if (record === undefined) return;
    this.#need(expiryKey(Math.floor(record.until / MINUTE_MS), sandbox, "answer_expiry"));
  }

  async #context(
    sandboxKey: string,
    { lifetime }: SandboxRecord,
    context: SandboxRecord["contexts"][number],
  ): Promise<void> {
    const { id, language, snapshotRef, executions } = context;
    for (const leaseKey of Object.values(sandboxLeaseKeys(lifetime, id))) this.#reach(leaseKey);
    const address = { sandboxKey, contextId: runtimeId(context) };
    const recordKey = interpreterContextKey(language, sandboxKey, address.contextId);
    this.#reach(recordKey);
    const contexts = new ContextStore({ kv: this.#kv, language, clock: Date.now });
    const read = await contexts.read(address);
    if (read === undefined) {
      if (executions > 0) this.#problem("a context that ran is not at its runtime", recordKey);
      return;
    }
    const { record: { snapshots, baseline, engine }, home, isShared } = read;
    if (snapshots.length > 2) this.#problem("more than two snapshots", recordKey);
    if (snapshotRef !== null && !snapshots.includes(snapshotRef)) {
      this.#problem("the committed snapshot is not there", recordKey);
    }
    if (isShared) {
      this.#need(sharedMarkKey(language, home));
      this.#need(sharedForksKey(language, home));
      this.#need(sharedMemberKey(language, home, address));
    }
    this.#needPart("baseline", language, baseline, address);
    this.#needPart("module", language, engine ?? null, address);
    for (const reference of snapshots) {
      const index = await contexts.index(address, reference);
      this.#need(interpreterSnapshotKey(language, home.sandboxKey, home.contextId, index.id));
      for (const ref of index.segments) {
        await this.#blob(
          interpreterBlobKey(language, home.sandboxKey, home.contextId, ref.run),
          ref,
        );
      }
    }
  }

  /** The engine of a context, and the record of its use. */
  #needPart(
    part: EnginePart,
    language: string,
    name: string | null,
    context: { readonly sandboxKey: string; readonly contextId: string },
  ): void {
    if (name === null) return;
    this.#need(partUseKey(part, language, name, context));
    this.#need(enginePartKey(part, language, name));
  }

  async #part(part: EnginePart, language: string, name: string): Promise<void> {
    const key = enginePartKey(part, language, name);
    this.#reach(key);
    const value = this.#entries.get(nameOf(key));
    const ref = typeof value === "object" && value !== null && "blob" in value ? value.blob : null;
    const { success, data } = blobRefSchema.safeParse(ref);
    if (success) await this.#blob(enginePartBlobKey(part, language, name), data);
    else this.#problem("a part of an engine names no blob", key);
  }

  async #blob(key: BlobKey, ref: BlobRef): Promise<Uint8Array | undefined> {
    for (let part = 0; part < partCount(ref); part++) this.#reach(key(ref.run, ref.n, part));
    try {
      return await readBlob(this.#kv, key, ref);
    } catch (thrown) {
      this.#problem(
        thrown instanceof Error ? thrown.message : "unreadable",
        key(ref.run, ref.n, 0),
      );
      return undefined;
    }
  }

  #counter(key: Deno.KvKey): void {
    const [kind, tenant] = key;
    const counter = COUNTERS.find((counter) => counter === key[2]);
    if (kind !== "sandbox_size" || counter === undefined) return;
    const name = nameOf(tenantCounterKey(String(tenant), counter));
    this.names.add(name);
    const value = this.#entries.get(name);
    const count = value instanceof Deno.KvU64 ? Number(value.value) : NaN;
    const wanted = this.#counts.get(name) ?? 0;
    if (count !== wanted) this.#problem(`the counter is ${count}, not ${wanted}`, key);
  }

  #count(tenant: string, counter: TenantCounter, n: number): void {
    const name = nameOf(tenantCounterKey(tenant, counter));
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + n);
  }

  #reach(key: Deno.KvKey): void {
    this.names.add(nameOf(key));
  }

  #need(key: Deno.KvKey): void {
    this.#reach(key);
    if (!this.#entries.has(nameOf(key))) this.#problem("missing", key);
  }

  #problem(text: string, key: Deno.KvKey): void {
    this.problems.push(`${text}: ${nameOf(key)}`);
  }
}
