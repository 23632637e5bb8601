import { commitWrites } from "./test_host.ts";
import { assert, assertEquals } from "@std/assert";
import type { MemoryRecord, NewSnapshot } from "../../../runtimes/contexts/memory_record.ts";
import { ContextStore } from "../../../runtimes/contexts/context_store.ts";
import type { KvAtomic } from "../../../store/kv.ts";
import { keysUnder, withMemory } from "../../store/fixture.ts";

const address = { sandboxKey: "k", contextId: "c" };
const record: MemoryRecord = {
  createdAt: "2026-01-01T00:00:00.000Z",
  cwd: "/workspace",
  fence: 0,
  snapshots: [],
  baseline: null,
};
const snapshot: NewSnapshot = {
  before: undefined,
  index: {
    id: `1-${crypto.randomUUID()}`,
    engine: "engine",
    baseline: "baseline",
    build: "build",
    memoryBytes: 65_536,
    globals: {},
    pages: 1,
    segments: [],
    cwd: "/workspace",
    clock: { epochMs: 0, monotonicMs: 0 },
    executions: 1,
    takenAt: 0,
    replaced: null,
  },
  segment: new Uint8Array(1_000),
  fence: 1,
};
const clock = Date.now;

for (const ending of ["remove", "wipe"] as const) {
  const end = (store: ContextStore) =>
    ending === "remove" ? store.remove(address) : store.wipe(address.sandboxKey);

  Deno.test(`context store: a run that saves during ${ending} leaves nothing`, () =>
    withMemory(async (kv) => {
      const store = new ContextStore({ kv, language: "perl", clock });
      assert(await store.create(address, record));
      const read = await store.read(address);
      assert(read !== undefined);
      // the run saves just before the record is removed
      let saved = false;
      const atomic = (): KvAtomic => {
        const real = kv.atomic();
        const commit = real.commit.bind(real);
        return Object.assign(real, {
          commit: async () => {
            if (!saved) {
              saved = true;
              const made = await store.save(address, read, snapshot);
              assert(made?.writes !== undefined && await commitWrites({ store: kv }, made.writes));
            }
            return await commit();
          },
        });
      };
      const overtaken = Object.create(kv, { atomic: { value: atomic } });
      for (const name of ["get", "getMany", "set", "delete", "list"] as const) {
        overtaken[name] = kv[name].bind(kv);
      }
      await end(new ContextStore({ kv: overtaken, language: "perl", clock }));
      assert(saved);
      assertEquals(await keysUnder(kv, ["interpreter"]), []);
      assertEquals(await keysUnder(kv, ["baseline_use"]), []);
    }));
}
