// test: slow
/**
 * Streams of runs cut into pieces and spoiled at random: the client gives the result of the stream,
 * or a SandboxError, and never another result. A failure names its seed.
 */
import { assert, assertEquals } from "@std/assert";
import { runCode, SandboxError } from "../../client/mod.ts";
import type { OutputEvent } from "../../client/protocol/run_events.ts";
import type { JsonValue } from "../../client/protocol/types.ts";
import { seeded } from "../support/random.ts";
import { pieces } from "./live_stream.ts";
import { recorder, RESULT } from "./recording.ts";

const SEED = 20_261_123;
const CASES = 1_000;
const TEXTS = ["", "a", "grüße", "🌍🌍", "\u2028", "\\n", '"}', '{"type":"end"}', "x".repeat(300)];
const ASIDE: readonly JsonValue[] = [
  { type: "keepalive" },
  { type: "progress", text: 1 },
  { type: "start" },
];

type Random = () => number;

function below(random: Random, bound: number): number {
  return Math.floor(random() * bound);
}

function pick<T>(items: readonly T[], random: Random): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
}

/** A run as it should be heard. */
interface Scene {
  readonly lines: readonly OutputEvent[];
  readonly logs: { readonly stdout: readonly string[]; readonly stderr: readonly string[] };
  /** The events as they are sent. */
  readonly events: readonly string[];
}

function sceneOf(random: Random): Scene {
  const lines = Array.from({ length: below(random, 12) }, (): OutputEvent => {
    return { type: random() < 0.7 ? "stdout" : "stderr", text: pick(TEXTS, random) };
  });
  const of = (type: OutputEvent["type"]) =>
    lines.filter((line) => line.type === type).map(({ text }) => text);
  const logs = { stdout: of("stdout"), stderr: of("stderr") };
  const between = lines.flatMap((line): object[] => {
    const aside = pick(ASIDE, random);
    return random() < 0.2 && typeof aside === "object" && aside !== null ? [aside, line] : [line];
  });
  const end = { type: "end", execution: { ...RESULT, logs } };
  const events = [{ type: "start" }, ...between, end].map((event) => JSON.stringify(event));
  return { lines, logs, events };
}

/** How a stream is spoiled. `isWhole`: the result must come through. */
interface Spoiling {
  readonly bytes: Uint8Array;
  readonly ending: "close" | "break";
  readonly isWhole: boolean;
}

function insertAt(bytes: Uint8Array, at: number, ...more: readonly number[]): Uint8Array {
  return Uint8Array.of(...bytes.subarray(0, at), ...more, ...bytes.subarray(at));
}

/** Each kind can only be noticed, or leaves the result as it is. */
function spoil(bytes: Uint8Array, random: Random): Spoiling {
  const at = below(random, bytes.length);
  const closed = { ending: "close", isWhole: false } as const;
  switch (below(random, 7)) {
    case 0:
      return { ...closed, bytes: bytes.subarray(0, at) };
    case 1:
      return { ...closed, bytes: bytes.subarray(0, at), ending: "break" };
    case 2: // never part of UTF-8
      return { ...closed, bytes: bytes.with(at, 0xff) };
    case 3: // never part of a JSON string
      return { ...closed, bytes: insertAt(bytes, at, 0x0a) };
    case 4:
      return { ...closed, bytes: insertAt(bytes, at, 0x00) };
    default:
      return { ...closed, bytes, isWhole: true };
  }
}

function chunks(bytes: Uint8Array, random: Random): Uint8Array[] {
  const most = pick([1, 3, 40, 4_000], random);
  const parts: Uint8Array[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = 1 + below(random, most);
    parts.push(bytes.slice(at, at + length));
    at += length;
  }
  return parts;
}

Deno.test(`client: damaged streams give the result or a SandboxError (seed ${SEED})`, async () => {
  const counts = { results: 0, errors: 0 };
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const random = seeded(seed);
    const { events, lines, logs } = sceneOf(random);
    const newline = pick(["\n", "\r\n"], random);
    const text = events.map((event) => event + newline).join("");
    const { bytes, ending, isWhole } = spoil(new TextEncoder().encode(text), random);
    const told: OutputEvent[] = [];
    const tell = (type: OutputEvent["type"]) => (line: { readonly text: string }) =>
      void told.push({ type, text: line.text });
    const run = runCode(recorder(() => pieces(chunks(bytes, random), ending)), "1", {
      onStdout: tell("stdout"),
      onStderr: tell("stderr"),
      timeout: 10_000,
    });
    try {
      assertEquals(await run, { ...RESULT, logs }, `seed ${seed}`);
      assertEquals(told, lines, `seed ${seed}`);
      counts.results++;
    } catch (error) {
      assert(error instanceof SandboxError, `seed ${seed}: ${error}`);
      assert(!isWhole, `seed ${seed}: ${error}`);
      assertEquals(told, lines.slice(0, told.length), `seed ${seed}`);
      counts.errors++;
    }
  }
  assert(counts.results > CASES / 5 && counts.errors > CASES / 5, JSON.stringify(counts));
});
