import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { sweepBaselines } from "../../../runtimes/contexts/baseline_sweep.ts";
import { Baselines } from "../../../runtimes/contexts/baselines.ts";
import { ContextStore } from "../../../runtimes/contexts/context_store.ts";
import type { SnapshotIndex } from "../../../runtimes/contexts/snapshot_index.ts";
import type { KvStore } from "../../../store/kv.ts";
import { openStore } from "../../../store/open.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const LANGUAGE = "perl";
const newId = () => crypto.randomUUID();

/** A baseline image of the given bytes, as a service's current one. */
function baselineOf(kv: KvStore, fill: number, now: () => number) {
  const image = new Uint8Array(200_000).fill(fill);
  const baseline = createHash("sha256").update(image).digest("hex").slice(0, 32);
  const present = { baseline, readBaseline: () => Promise.resolve(image) };
  return {
    baseline,
    image,
    store: new Baselines({ kv, language: LANGUAGE, clock: now, present, newId }),
  };
}

function indexOn(baseline: string, id: string): SnapshotIndex {
  return {
    id,
    engine: "engine",
    baseline,
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

/** A context that has run once on a baseline. */
async function addContext(kv: KvStore, key: string, baseline: string): Promise<ContextStore> {
  const contexts = new ContextStore({ kv, language: LANGUAGE, clock: Date.now });
  const address = { sandboxKey: key, contextId: "c" };
  const record = { createdAt: "", cwd: "/workspace", fence: 0, snapshots: [], baseline: null };
  await contexts.create(address, record);
  const read = await contexts.read(address);
  if (read === undefined) throw new Error("the context is missing");
  const index = indexOn(baseline, `1-${crypto.randomUUID()}`);
  await contexts.save(address, read, {
    before: undefined,
    index,
    segment: new Uint8Array(10),
    fence: 1,
    canBeJoined: false,
  });
  return contexts;
}

async function keysUnder(kv: KvStore, prefix: Deno.KvKey): Promise<number> {
  let count = 0;
  for await (const _entry of kv.list({ prefix })) count++;
  return count;
}

Deno.test("baseline sweep: an old image is removed once no context needs it, the current one never", async () => {
  const kv = await openStore(":memory:");
  try {
    let now = 1_000 * DAY_MS;
    const clock = () => now;
    const [used, unused, present] = [1, 2, 3].map((fill) => baselineOf(kv, fill, clock));
    if (used === undefined || unused === undefined || present === undefined) throw new Error();
    for (const { store } of [used, unused, present]) await store.ensurePresent();
    const contexts = await addContext(kv, "a".repeat(64), used.baseline);
    const sweep = () => {
      const options = { kv, language: LANGUAGE, baselines: present.store, clock };
      return sweepBaselines(options, new AbortController().signal);
    };
    assertEquals(await sweep(), 0, "all are young");
    now += 8 * DAY_MS;
    assertEquals(await sweep(), 1);
    assertEquals(await present.store.load(unused.baseline), undefined);
    assertEquals(await keysUnder(kv, ["baseline", LANGUAGE, unused.baseline]), 0);
    assertEquals(await present.store.load(used.baseline), used.image);
    assertEquals(await present.store.load(present.baseline), present.image);
    await contexts.wipe("a".repeat(64));
    assertEquals(await keysUnder(kv, ["baseline_use"]), 0);
    assertEquals(await sweep(), 1);
    assertEquals(await present.store.load(used.baseline), undefined);
    assertEquals(await present.store.load(present.baseline), present.image);
  } finally {
    kv.close();
  }
});

Deno.test("baseline sweep: removing a context releases its image", async () => {
  const kv = await openStore(":memory:");
  try {
    const contexts = await addContext(kv, "b".repeat(64), "image");
    assertEquals(await keysUnder(kv, ["baseline_use", LANGUAGE, "image"]), 1);
    assertEquals(await contexts.remove({ sandboxKey: "b".repeat(64), contextId: "c" }), true);
    assertEquals(await keysUnder(kv, ["baseline_use"]), 0);
    assertEquals(await keysUnder(kv, ["interpreter"]), 0);
  } finally {
    kv.close();
  }
});
