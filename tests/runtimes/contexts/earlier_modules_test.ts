/** Modules in the store, without isolates: what is read back, and what is refused. */
import { assertEquals, assertRejects } from "@std/assert";
import { baselineName, engineDigest } from "../../../runtimes/builder/engine_names.ts";
import { SnapshotUnreadable } from "../../../runtimes/contexts/memory_record.ts";
import {
  type CurrentEngine,
  EngineArchive,
  EngineUnavailable,
} from "../../../runtimes/contexts/engine_archive.ts";
import type { PartRecord } from "../../../runtimes/contexts/part_archive.ts";
import { enginePartKey } from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { decodeMessage, encodeMessage } from "../../../shared/message.ts";
import { bytesOf, keysUnder, withMemory } from "../../store/fixture.ts";
import { damaged } from "../../store/damage.ts";
import { printedSeed, seeded } from "../../support/random.ts";

const IMAGE = bytesOf(90_000);
const VERSIONS = { abi: 3, lowestAbi: 2, metering: 1, lowestMetering: 1 };
const never = new AbortController().signal;

/** A build whose module is made of one number. */
function buildOf(mark: number, versions = VERSIONS): CurrentEngine {
  const module = new Uint8Array(150_000).fill(mark);
  module.set(bytesOf(20_000), 1_000);
  return {
    language: "perl",
    versions,
    engineDigest: engineDigest(module, versions),
    baseline: baselineName(IMAGE),
    readModule: () => Promise.resolve(module),
    readBaseline: () => Promise.resolve(IMAGE),
    engineWith: ({ baseline, module: earlier = module }) =>
      Promise.resolve(encodeMessage({}, [earlier, baseline])),
  };
}

function enginesOf(kv: KvStore, built: CurrentEngine, refused: string[] = []): EngineArchive {
  return new EngineArchive({
    kv,
    built,
    clock: Date.now,
    newId: () => crypto.randomUUID(),
    engineName: `Engine ${built.engineDigest.slice(0, 4)}`,
    onRefused: (engine) => refused.push(engine),
  });
}

const earlier = buildOf(1);
const parts = { engine: earlier.engineDigest, baseline: earlier.baseline };

/** A store in which an earlier service has kept its engine. */
async function withKept(test: (kv: KvStore) => Promise<void>): Promise<void> {
  await withMemory(async (kv) => {
    const engines = enginesOf(kv, earlier);
    await engines.ensureStored(engines.current);
    await test(kv);
  });
}

Deno.test("module archive: module and baseline come back as they were, with the engine's own name", () =>
  withKept(async (kv) => {
    const engines = enginesOf(kv, buildOf(2));
    await engines.check(parts);
    const { body, engineName } = await engines.load(parts, never);
    assertEquals(decodeMessage(body).parts, [await earlier.readModule(), IMAGE]);
    assertEquals(engineName, `Engine ${earlier.engineDigest.slice(0, 4)}`);
  }));

Deno.test("module archive: services that start together store one; an engine of another build stores nothing", () =>
  withMemory(async (kv) => {
    const services = Array.from({ length: 3 }, () => enginesOf(kv, earlier));
    await Promise.all(services.map((engines) => engines.ensureStored(parts)));
    const keys = await keysUnder(kv);
    assertEquals(keys.filter((key) => key.endsWith("index")).length, 2);
    assertEquals(keys.filter((key) => key.startsWith("intent")), []);
    await enginesOf(kv, buildOf(2)).ensureStored(parts);
    assertEquals(await keysUnder(kv), keys);
  }));

Deno.test("module archive: an unsafe module is refused by its record, and its bytes are not read", () =>
  withKept(async (kv) => {
    const { abi } = VERSIONS;
    const refusing = [
      { ...VERSIONS, abi: abi + 1, lowestAbi: abi + 1 }, // it is too old
      { ...VERSIONS, abi: abi - 1 }, // it is too new
      { ...VERSIONS, lowestMetering: 2 },
    ];
    for (const versions of refusing) {
      const refused: string[] = [];
      const engines = enginesOf(kv, buildOf(2, versions), refused);
      await assertRejects(() => engines.check(parts), EngineUnavailable);
      await assertRejects(() => engines.load(parts, never), EngineUnavailable);
      assertEquals(refused, []);
    }
    const engines = enginesOf(kv, buildOf(2));
    for (const engine of ["0".repeat(32), "", "short", `${parts.engine}0`, "../x"]) {
      await assertRejects(() => engines.check({ ...parts, engine }), EngineUnavailable);
    }
  }));

Deno.test("module archive: a safe metering stays safe when the version rises", () =>
  withMemory(async (kv) => {
    const second = buildOf(1, { ...VERSIONS, metering: 2, lowestMetering: 2 });
    const kept = { engine: second.engineDigest, baseline: second.baseline };
    await enginesOf(kv, second).ensureStored(kept);
    const third = buildOf(2, { ...VERSIONS, metering: 3, lowestMetering: 2 });
    await enginesOf(kv, third).load(kept, never);
    assertEquals(second.engineDigest === earlier.engineDigest, false);
  }));

Deno.test("module archive: one of an earlier program runs as long as the current program can drive it", () =>
  withKept(async (kv) => {
    const later = buildOf(2, { ...VERSIONS, abi: VERSIONS.abi + 1, lowestAbi: VERSIONS.abi });
    await enginesOf(kv, later).load(parts, never);
  }));

Deno.test("module archive: a record that claims other versions for the same bytes is refused", () =>
  withKept(async (kv) => {
    const key = enginePartKey("module", "perl", parts.engine);
    const { value } = await kv.get<PartRecord>(key);
    await kv.set(key, { ...value, facts: { ...value?.facts, metering: 7 } });
    const refused: string[] = [];
    const engines = enginesOf(kv, buildOf(2), refused);
    await engines.check(parts);
    await assertRejects(() => engines.load(parts, never), EngineUnavailable);
    await assertRejects(() => engines.check(parts), EngineUnavailable);
    await assertRejects(() => engines.load(parts, never), EngineUnavailable);
    assertEquals(refused, [parts.engine]);
  }));

Deno.test("module archive: a module without its baseline is a damaged context", () =>
  withKept(async (kv) => {
    await kv.delete(enginePartKey("baseline", "perl", parts.baseline));
    await assertRejects(
      () => enginesOf(kv, buildOf(2)).load(parts, never),
      SnapshotUnreadable,
    );
  }));

Deno.test("module archive: after any damage, no other bytes are loaded", () =>
  withKept(async (kv) => {
    const random = seeded(printedSeed("module damage"));
    const below = (limit: number) => Math.floor(random() * limit);
    const module = await earlier.readModule();
    const stored = await Array.fromAsync(kv.list({ prefix: ["module"] }));
    let refusals = 0;
    for (let turn = 0; turn < 300; turn++) {
      const entry = stored[below(stored.length)];
      if (entry === undefined) continue;
      await kv.set(entry.key, damaged(entry.value, below));
      const engines = enginesOf(kv, buildOf(2));
      try {
        // damage to what is not needed, such as the time of storing, does no harm
        const { body } = await engines.load(parts, never);
        assertEquals(decodeMessage(body).parts[0], module);
      } catch (thrown) {
        if (!(thrown instanceof EngineUnavailable)) throw thrown;
        refusals++;
      }
      await kv.set(entry.key, entry.value);
    }
    assertEquals(refusals > 100, true);
    await enginesOf(kv, buildOf(2)).load(parts, never);
  }));
