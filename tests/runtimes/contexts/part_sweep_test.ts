import { commitWrites } from "./test_host.ts";
import { assert, assertEquals } from "@std/assert";
import { ContextStore } from "../../../runtimes/contexts/context_store.ts";
import { type PartArchive, sweepParts } from "../../../runtimes/contexts/part_archive.ts";
import type { SnapshotIndex } from "../../../runtimes/contexts/snapshot_index.ts";
import type { KvStore } from "../../../store/kv.ts";
import { sweepIntents } from "../../../store/intents.ts";
import { type EnginePart, interpreterContextKey } from "../../../store/keys.ts";
import { type StoreOperation, WrappedStore } from "../../../store/wrapped_store.ts";
import { keysUnder, LANGUAGE, load, newId, partOf, PARTS, withStore } from "./engine_parts.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
function indexOn(parts: { engine: string; baseline: string }, id: string): SnapshotIndex {
  return {
    id,
    ...parts,
    build: "build",
    memoryBytes: 65_536,
    globals: {},
    pages: 1,
    segments: [],
    cwd: "/workspace",
    clock: { epochMs: 1, monotonicMs: 1 },
    executions: 1,
    takenAt: 1,
    replaced: null,
  };
}

/** A context that has run once on an engine. */
async function addContext(
  kv: KvStore,
  key: string,
  parts: Partial<Record<"engine" | "baseline", string>>,
): Promise<ContextStore> {
  const contexts = new ContextStore({ kv, language: LANGUAGE, clock: Date.now });
  const address = { sandboxKey: key, contextId: "c" };
  const record = { createdAt: "", cwd: "/workspace", fence: 0, snapshots: [], baseline: null };
  await contexts.create(address, record);
  const read = await contexts.read(address);
  if (read === undefined) throw new Error("the context is missing");
  const index = indexOn({ engine: "e", baseline: "b", ...parts }, `1-${crypto.randomUUID()}`);
  const saved = await contexts.save(address, read, {
    before: undefined,
    index,
    segment: new Uint8Array(10),
    fence: 1,
  });
  assert(saved?.writes !== undefined && await commitWrites({ store: kv }, saved.writes));
  return contexts;
}

/** A store that stops before the second commit, which decides over a part. */
class StoppingStore extends WrappedStore {
  readonly #stopped = Promise.withResolvers<void>();
  readonly #going = Promise.withResolvers<void>();
  readonly stopped: Promise<void> = this.#stopped.promise;
  #commits = 0;

  goOn(): void {
    this.#going.resolve();
  }

  protected override async around<T>(
    operation: StoreOperation,
    work: () => Promise<T>,
  ): Promise<T> {
    if (operation === "commit" && ++this.#commits === 2) {
      this.#stopped.resolve();
      await this.#going.promise;
    }
    return await work();
  }
}

/** Takes the place of `current`. */
function sweep(kv: KvStore, kept: PartArchive, clock: () => number): Promise<number> {
  return sweepParts({ kv, archive: kept, clock }, new AbortController().signal);
}

function usesOf(part: EnginePart, name: string) {
  return part === "module" ? { engine: name } : { baseline: name };
}

for (const part of PARTS) {
  Deno.test(`part sweep: an old ${part} is removed once no context needs it, the current one never`, () =>
    withStore(async (kv) => {
      let now = 1_000 * DAY_MS;
      const clock = () => now;
      const [used, unused, current] = [1, 2, 3].map((fill) => partOf(kv, fill, { part, clock }));
      if (used === undefined || unused === undefined || current === undefined) throw new Error();
      for (const { kept } of [used, unused, current]) await kept.ensureCurrent();
      const contexts = await addContext(kv, "a".repeat(64), usesOf(part, used.name));
      assertEquals(await sweep(kv, current.kept, clock), 0, "all are young");
      now += 8 * DAY_MS;
      assertEquals(await sweep(kv, current.kept, clock), 1);
      assertEquals(await load(current.kept, unused.name), undefined);
      assertEquals(await keysUnder(kv, [part, LANGUAGE, unused.name]), 0);
      assertEquals(await load(current.kept, used.name), used.bytes);
      assertEquals(await load(current.kept, current.name), current.bytes);
      await contexts.wipe("a".repeat(64));
      assertEquals(await keysUnder(kv, [`${part}_use`]), 0);
      assertEquals(await sweep(kv, current.kept, clock), 1);
      assertEquals(await load(current.kept, used.name), undefined);
      assertEquals(await load(current.kept, current.name), current.bytes);
    }));

  Deno.test(`part sweep: removing a context releases its ${part}`, () =>
    withStore(async (kv) => {
      const contexts = await addContext(kv, "b".repeat(64), usesOf(part, "name"));
      assertEquals(await keysUnder(kv, [`${part}_use`, LANGUAGE, "name"]), 1);
      assertEquals(await contexts.remove({ sandboxKey: "b".repeat(64), contextId: "c" }), true);
      assertEquals(await keysUnder(kv, [`${part}_use`]), 0);
      assertEquals(await keysUnder(kv, ["interpreter"]), 0);
    }));

  Deno.test(`part sweep: a ${part} that is being written is left alone`, () =>
    withStore(async (kv) => {
      const clock = Date.now;
      const current = partOf(kv, 1, { part, clock });
      const silent = new StoppingStore(kv);
      const written = partOf(silent, 2, { part, clock });
      const writing = written.kept.ensureCurrent();
      await silent.stopped;
      assert(await keysUnder(kv, [part, LANGUAGE, written.name]) > 0);
      assertEquals(await sweep(kv, current.kept, clock), 0);
      silent.goOn();
      await writing;
      assertEquals(await load(current.kept, written.name), written.bytes);
    }));

  Deno.test(`part sweep: the rest of a ${part} of a killed writer is removed with its intent`, () =>
    withStore(async (kv) => {
      const clock = Date.now;
      const current = partOf(kv, 1, { part, clock });
      const silent = new StoppingStore(kv);
      const dead = partOf(silent, 2, { part, clock });
      dead.kept.ensureCurrent().catch(() => undefined);
      await silent.stopped;
      await sweepIntents(kv, { clock, olderThanMs: 0 });
      await sweep(kv, current.kept, clock);
      assertEquals(await keysUnder(kv, []), 0);
      // a sweep that was killed after it had removed the record
      await current.kept.ensureCurrent();
      await kv.delete([part, LANGUAGE, current.name, "index"]);
      await sweep(kv, partOf(kv, 3, { part, clock }).kept, clock);
      assertEquals(await keysUnder(kv, []), 0);
      await partOf(kv, 2, { part, clock }).kept.ensureCurrent();
      assertEquals(await load(current.kept, dead.name), dead.bytes);
      // bytes beside those that the record names
      const keys = await keysUnder(kv, []);
      for (const id of ["0", newId(), "z"]) {
        for (let n = 0; n < 3; n++) {
          await kv.set([part, LANGUAGE, dead.name, "blob", id, 0, n], new Uint8Array(9));
        }
      }
      await sweep(kv, current.kept, clock);
      assertEquals(await keysUnder(kv, []), keys);
      assertEquals(await load(current.kept, dead.name), dead.bytes);
      // a record of a later version, whose bytes it names in another way
      await kv.set([part, LANGUAGE, dead.name, "index"], { bytes: 1, storedAt: Date.now() });
      await sweep(kv, current.kept, clock);
      assertEquals(await keysUnder(kv, []), keys);
    }));

  Deno.test(`part sweep: a ${part} that a service starts with is fresh before it counts as stored`, () =>
    withStore(async (kv) => {
      let now = 1_000 * DAY_MS;
      const clock = () => now;
      await partOf(kv, 1, { part, clock }).kept.ensureCurrent();
      now += 30 * DAY_MS;
      const again = partOf(kv, 1, { part, clock });
      await again.kept.ensureCurrent();
      assertEquals(await sweep(kv, partOf(kv, 2, { part, clock }).kept, clock), 0);
      assertEquals(await load(again.kept, again.name), again.bytes);
    }));
}

Deno.test("part sweep: a use by a context that an earlier version removed does not count", () =>
  withStore(async (kv) => {
    let now = 1_000 * DAY_MS;
    const clock = () => now;
    const [old, current] = [1, 2].map((fill) => partOf(kv, fill, { part: "module", clock }));
    if (old === undefined || current === undefined) throw new Error();
    await old.kept.ensureCurrent();
    const address = { sandboxKey: "a".repeat(64), contextId: "c" };
    await addContext(kv, address.sandboxKey, { engine: old.name });
    await kv.delete(interpreterContextKey(LANGUAGE, address.sandboxKey, address.contextId));
    now += 8 * DAY_MS;
    assertEquals(await sweep(kv, current.kept, clock), 1);
    assertEquals(await keysUnder(kv, ["module"]), 0);
    assertEquals(await keysUnder(kv, ["module_use"]), 0);
  }));
