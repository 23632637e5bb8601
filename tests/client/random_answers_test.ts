// test: slow
/**
 * Answers spoiled at random: the client gives a value of the promised shape or a SandboxError,
 * and never trips over the answer itself. A failure names its seed.
 */
import { assert } from "@std/assert";
import { getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import type { JsonValue } from "../../client/protocol/types.ts";
import { seeded } from "../support/random.ts";
import { recorder, RESULT } from "./recording.ts";

const SEED = 20_261_121;
const CASES = 3_000;
const SPOILT: readonly JsonValue[] = [null, true, -1, 1.5, "", "x", "NaN", [], [[]], {}, [null]];

const DATE = "2026-01-02T03:04:05.006Z";
const CONTEXT = {
  id: "c",
  binding: "PYTHON",
  language: "python",
  cwd: "/workspace",
  createdAt: DATE,
  lastUsed: DATE,
};

/** Answers that are right, together with all fields that calls look for. */
const RIGHT: JsonValue = JSON.parse(JSON.stringify({
  ...RESULT,
  ...CONTEXT,
  logs: { stdout: ["a"], stderr: ["b"] },
  results: [{ text: "1", json: { a: [1] } }],
  error: { name: "E", message: "m", traceback: ["t"], lineNumber: 3 },
  usage: { fuelConsumed: 1, fuelLimit: 2, memoryBytes: 3 },
  context: { id: "c", cwd: "/workspace", executions: 4, snapshotMs: 1, expiresAt: 2 },
  contexts: [{ ...CONTEXT, engine: "e", executions: 1, snapshot: null }],
  envVars: ["A"],
  workspace: { files: 1, bytes: 2 },
  expiresAt: null,
  content: "AAAA",
  files: [{
    name: "a",
    absolutePath: "/workspace/a",
    relativePath: "a",
    type: "file",
    size: 1,
    modifiedAt: DATE,
    mode: "-rw-r--r--",
    permissions: { readable: true, writable: true, executable: false },
  }],
  message: "m",
  httpStatus: 400,
  timestamp: DATE,
}));

type Random = () => number;

function pick<T>(items: readonly T[], random: Random): T | undefined {
  return items[Math.floor(random() * items.length)];
}

/** Replaces, with some luck, one value somewhere inside. */
function spoilValue(value: JsonValue, random: Random): JsonValue {
  if (typeof value !== "object" || value === null || random() < 0.2) {
    return pick(SPOILT, random) ?? null;
  }
  const chosen = pick(Object.keys(value), random);
  const entries = Object.entries(value).flatMap(([key, inner]): [string, JsonValue][] => {
    if (key !== chosen) return [[key, inner]];
    return random() < 0.2 ? [] : [[key, spoilValue(inner, random)]];
  });
  return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries);
}

/** Cuts the text off, or changes one of its characters. */
function spoilText(text: string, random: Random): string {
  const at = Math.floor(random() * text.length);
  const character = String.fromCharCode(Math.floor(random() * 128));
  return random() < 0.5 ? text.slice(0, at) : text.slice(0, at) + character + text.slice(at + 1);
}

function answerOf(random: Random): Response {
  const text = JSON.stringify(random() < 0.7 ? spoilValue(RIGHT, random) : RIGHT);
  const status = pick([200, 200, 200, 201, 400, 429, 503], random) ?? 200;
  return new Response(random() < 0.3 ? spoilText(text, random) : text, { status });
}

Deno.test(`client: damaged answers give a value or a SandboxError (seed ${SEED})`, async () => {
  const counts = { values: 0, errors: 0 };
  for (let seed = SEED; seed < SEED + CASES; seed++) {
    const random = seeded(seed);
    const binding = recorder(() => answerOf(random));
    const sandbox = getSandbox(binding.namespace, "a", { retry: false });
    const { interpreter, files } = sandbox;
    const calls: (() => Promise<unknown>)[] = [
      () => runCode(binding, "1", { retry: false }),
      () => interpreter.createCodeContext({ binding: "PYTHON" }),
      () => interpreter.listCodeContexts(),
      () => sandbox.info(),
      () => files.list(),
      () => files.readBytes("a"),
    ];
    try {
      await pick(calls, random)?.();
      counts.values++;
    } catch (error) {
      assert(error instanceof SandboxError, `seed ${seed}: ${error}`);
      assert(error.message !== "The binding could not be called", `seed ${seed}: ${error.cause}`);
      counts.errors++;
    }
  }
  assert(counts.values > CASES / 20 && counts.errors > CASES / 20, JSON.stringify(counts));
});
