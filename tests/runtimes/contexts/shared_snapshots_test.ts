/**
 * Random sequences of runs, forks, deletions and sweeps, each cut off before a random operation of
 * the store, against a plain model in memory. `FORK_SEQUENCES` sets their number.
 */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../../store/kv.ts";
import { commitWrites } from "./test_host.ts";
import { newMemory } from "../../../runtimes/contexts/memory_record.ts";
import type { ContextAddress } from "../../../shared/run_in_context.ts";
import { ContextStore } from "../../../runtimes/contexts/context_store.ts";
import { sweepIntents } from "../../../store/intents.ts";
import { FaultyStore } from "../../sandbox/faulty_store.ts";
import { keysUnder, withMemory } from "../../store/fixture.ts";

const SEQUENCES = Number(Deno.env.get("FORK_SEQUENCES") ?? 60);
const STEPS = 14;
const SEED = Number(Deno.env.get("FORK_SEED") ?? Math.floor(Math.random() * 2 ** 31));
/** Bytes of a snapshot that is written ahead of its commit, in four parts. */
const LARGE = 200_000;
/** Two snapshots may wait for a sweep, so that runs sweep, too. */
const UNSWEPT_BYTES = 2 * LARGE;
const NEVER = new AbortController().signal;
const KINDS = ["create", "run", "run", "run", "fork", "fork", "remove", "wipe", "sweep"] as const;

/** The bytes of the segments of a context, oldest first; null before the first run. */
interface Modelled {
  readonly address: ContextAddress;
  readonly reference: string | null;
  readonly pages: readonly number[];
}

function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

function storeOver(kv: KvStore): ContextStore {
  return new ContextStore({ kv, language: "perl", clock: Date.now, unsweptBytes: UNSWEPT_BYTES });
}

async function run(kv: KvStore, store: ContextStore, from: Modelled, byte: number) {
  const { writes, ...ran } = await prepared(store, from, byte);
  assert(await commitWrites({ store: kv }, writes));
  return ran;
}

/** A run whose writes are not committed yet. */
async function prepared(
  store: ContextStore,
  { address, reference, pages }: Modelled,
  byte: number,
) {
  const read = await store.read(address);
  assert(read !== undefined);
  const before = reference === null ? undefined : await store.index(address, reference);
  const kept = before?.segments.slice(byte % 2) ?? [];
  const saved = await store.save(address, read, {
    before,
    index: {
      id: `${read.record.fence + 1}-${crypto.randomUUID()}`,
      engine: "engine",
      baseline: "baseline",
      build: "build",
      memoryBytes: 65_536,
      globals: {},
      pages: 1,
      segments: kept,
      cwd: "/workspace",
      clock: undefined,
      executions: 1,
      takenAt: 0,
      replaced: before === undefined
        ? null
        : { id: before.id, segments: before.segments.slice(0, byte % 2) },
    },
    segment: new Uint8Array(byte % 3 === 0 ? LARGE : 10).fill(byte),
    fence: read.record.fence + 1,
  });
  assert(saved !== undefined);
  return {
    address,
    reference: saved.reference,
    writes: saved.writes,
    pages: [...pages.slice(byte % 2), byte],
  };
}

/** Every context has exactly the pages that the model says. */
async function assertAll(store: ContextStore, model: Iterable<Modelled>, what: string) {
  for (const { address, reference, pages } of model) {
    if (reference === null) continue;
    const index = await store.index(address, reference);
    const segments = await store.segments(address, index);
    assertEquals(segments.map(([byte]) => byte), [...pages], what);
  }
}

/** Forks a context in a commit of its own. */
async function forked(
  store: ContextStore,
  source: ContextAddress,
  target: ContextAddress,
  reference: string,
): Promise<boolean> {
  const fork = await store.fork(source, target, reference);
  return fork !== undefined && await store.commitFork(fork);
}

Deno.test(`shared snapshots: ${SEQUENCES} sequences with an end before an operation, seed ${SEED}`, async () => {
  for (let sequence = 0; sequence < SEQUENCES; sequence++) {
    const random = randomOf(SEED + sequence);
    const what = `seed ${SEED}, sequence ${sequence}`;
    await withMemory(async (kv) => {
      const model = new Map<string, Modelled>();
      let minted = 0;
      for (let step = 0; step < STEPS; step++) {
        const faulty = new FaultyStore(kv);
        if (random() < 0.5) faulty.killAfter(Math.floor(random() * 8));
        const store = storeOver(faulty);
        const all = [...model.values()];
        const chosen = all[Math.floor(random() * all.length)];
        const kind = KINDS[Math.floor(random() * KINDS.length)];
        const address = { sandboxKey: `k${minted % 7}`, contextId: `c${minted++}` };
        const name = (of: ContextAddress) => `${of.sandboxKey}/${of.contextId}`;
        try {
          if (kind === "sweep") await store.sweepShared(NEVER);
          else if (chosen === undefined || kind === "create") {
            const record = { createdAt: "", cwd: "/", fence: 0, snapshots: [], baseline: null };
            if (await store.create(address, record)) {
              model.set(name(address), { address, reference: null, pages: [] });
            }
          } else if (kind === "run") {
            model.set(name(chosen.address), await run(kv, store, chosen, 1 + (minted % 250)));
          } else if (kind === "fork" && chosen.reference !== null) {
            const { reference } = chosen;
            if (await forked(store, chosen.address, address, reference)) {
              model.set(name(address), { ...chosen, address });
            }
          } else if (kind === "remove") {
            await store.remove(chosen.address);
            model.delete(name(chosen.address));
          } else if (kind === "wipe") {
            await store.wipe(chosen.address.sandboxKey);
            for (const each of all) {
              if (each.address.sandboxKey === chosen.address.sandboxKey) {
                model.delete(name(each.address));
              }
            }
          }
        } catch (thrown) {
          if (!faulty.died) throw new Error(what, { cause: thrown });
          // whoever deletes repeats it; whatever was made and is not named is removed
          const again = storeOver(kv);
          if (chosen !== undefined && (kind === "remove" || kind === "run")) {
            await again.remove(chosen.address);
            model.delete(name(chosen.address));
          } else if (chosen !== undefined && kind === "wipe") {
            await again.wipe(chosen.address.sandboxKey);
            for (const each of all) {
              if (each.address.sandboxKey === chosen.address.sandboxKey) {
                model.delete(name(each.address));
              }
            }
          } else await again.remove(address);
        }
        await assertAll(storeOver(kv), model.values(), `${what}, step ${step}: ${kind}`);
      }
      const last = storeOver(kv);
      for (const { address } of model.values()) await last.remove(address);
      await sweepIntents(kv, { clock: () => Date.now() + 1_000, olderThanMs: 0 });
      await last.sweepShared(NEVER);
      assertEquals(await keysUnder(kv), [], what);
    });
  }
});

Deno.test("shared snapshots: a run in progress removes no snapshot that is forked meanwhile", () =>
  withMemory(async (kv) => {
    const store = storeOver(kv);
    const address = { sandboxKey: "k", contextId: "source" };
    const target = { sandboxKey: "k", contextId: "target" };
    await store.create(address, newMemory("", "/"));
    const first = await run(kv, store, { address, reference: null, pages: [] }, 2);
    const second = await run(kv, store, first, 4);
    const third = await prepared(store, second, 10);
    const { reference } = first;
    assert(await forked(store, address, target, reference));
    assertEquals(await commitWrites({ store: kv }, third.writes), false);
    await assertAll(store, [second, { ...first, address: target }], "after the refused commit");
  }));

Deno.test("shared snapshots: unused snapshots stay bounded without a sweep of the janitor", () =>
  withMemory(async (kv) => {
    const store = storeOver(kv);
    const homes: Modelled[] = [];
    for (const contextId of ["one", "two", "three"]) {
      const address = { sandboxKey: "k", contextId };
      await store.create(address, newMemory("", "/"));
      const { reference, pages } = await run(kv, store, { address, reference: null, pages: [] }, 3);
      const fork = { sandboxKey: "k", contextId: `fork of ${contextId}` };
      assert(await forked(store, address, fork, reference));
      homes.push({ address, reference, pages });
    }
    let most = 0;
    for (let n = 0; n < 60; n++) {
      const at = n % homes.length;
      const each = homes[at];
      assert(each !== undefined);
      homes[at] = await run(kv, store, each, n % 2 === 0 ? 3 : 9);
      most = Math.max(most, (await keysUnder(kv)).filter((key) => key.includes('"blob"')).length);
    }
    await assertAll(store, homes, "after all runs");
    // of each home one of the fork and two of the source, each in four parts
    assert(most / 4 <= 3 * homes.length + UNSWEPT_BYTES / LARGE + 3, String(most));
  }));
