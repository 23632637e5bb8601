// test: long
/**
 * A guest that can write anywhere in its memory can give it any content between two host calls.
 * Whatever it contains, the engine answers, can be captured, and can be reset completely.
 */
import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import type { RunRequest } from "../../../../runtimes/engine/engine.ts";
import { Snapshotter } from "../../../../runtimes/engine/snapshot/snapshotter.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../../../../shared/limits.ts";
import { printedSeed, seededBelow } from "../../../support/random.ts";
import { EngineBench, SNAPSHOT_LANGUAGES } from "./engine_bench.ts";

type Below = ReturnType<typeof seededBelow>;
type Scribble = (memory: Uint8Array<ArrayBuffer>, below: Below) => void;

const WORD = 4;
/** Invalid values for pointers, lengths and sizes. */
const HOSTILE_WORDS = [0, 1, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x0fffffff] as const;
const FUEL = 50_000_000;
const STATELESS: RunRequest = {
  code: "1",
  env: new Map(),
  typescript: false,
  limits: { ...SHARED_LIMITS, fuel: FUEL },
};

function fillRandom(memory: Uint8Array<ArrayBuffer>, below: Below): void {
  const words = new Uint32Array(memory.buffer);
  let state = below(0xffffffff) | 1;
  for (let i = 0; i < words.length; i++) {
    state ^= state << 13;
    state ^= state >>> 17;
    words[i] = state ^= state << 5;
  }
}

const SCRIBBLES: Readonly<Record<string, Scribble>> = {
  "random bytes everywhere": fillRandom,
  "zero everywhere": (memory) => void memory.fill(0),
  "ones everywhere": (memory) => void memory.fill(0xff),
  "hostile words all over": (memory, below) => {
    const words = new Uint32Array(memory.buffer);
    for (let i = 0; i < words.length; i += 1 + below(64)) {
      words[i] = HOSTILE_WORDS[below(HOSTILE_WORDS.length)] ?? 0;
    }
  },
  "every word points at another": (memory, below) => {
    const words = new Uint32Array(memory.buffer);
    for (let i = 0; i < words.length; i += 1 + below(16)) words[i] = below(words.length) * WORD;
  },
  "some words are others' values": (memory, below) => {
    const words = new Uint32Array(memory.buffer);
    for (let n = 0; n < 200_000; n++) words[below(words.length)] = words[below(words.length)] ?? 0;
  },
  "a stretch that the stack never reaches": (memory) => void memory.fill(0x5a, 1 << 20, 2 << 20),
  "the last page is in use": (memory) => void memory.fill(0x5a, memory.length - 65_536),
};

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && Buffer.compare(a, b) === 0;
}

for (const language of SNAPSHOT_LANGUAGES) {
  Deno.test(`${language}: with any memory the engine survives, and a reset restores all of it`, async (t) => {
    const below = seededBelow(printedSeed(`${language} memory`));
    const bench = await EngineBench.create(language);
    const { engine, state } = bench;
    engine.reset();
    const baseline = state.memory().slice();
    const limits = { fuel: FUEL };
    const snapshotter = new Snapshotter(state, {
      memoryBytes: MEMORY_BYTES[language],
      random: (target) => void crypto.getRandomValues(target),
    });
    for (const [name, scribble] of Object.entries(SCRIBBLES)) {
      await t.step(name, () => {
        assertEquals(bench.run("1", { limits }).shown, "1");
        scribble(state.memory(), below);
        for (const [from, to] of state.liveSpans()) assert(from >= 0 && to >= 0);
        snapshotter.capture(1 << 20);
        scribble(state.memory(), below);
        bench.run("1", { from: "resume", limits }); // ends in any way
        engine.reset();
        assert(isSame(state.memory(), baseline), "a byte is not as it was after a context");
        engine.run(STATELESS, () => true);
        scribble(state.memory(), below);
        engine.reset();
        assert(isSame(state.memory(), baseline), "a byte is not as it was after a stateless run");
      });
    }
    await t.step("and programs run as before", () => {
      assertEquals(bench.run("1 + 1", { limits }).shown, "2");
    });
  });
}
