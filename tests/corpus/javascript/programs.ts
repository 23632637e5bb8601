/**
 * The programs of the corpus and their recordings.
 *
 * `.js` is CommonJS, `.mjs` a module, `.ts` TypeScript written as a module.
 *
 * @module
 */
import { readArchive, writeArchive } from "../archive.ts";
import { decodeOutcome, encodeOutcome, type Outcome } from "./outcome.ts";

/** A program of the corpus. */
export interface Program {
  /** File name, such as `lru_cache.js`. */
  readonly name: string;
  readonly code: string;
  readonly typescript: boolean;
}

/** Environment of every program. */
export const ENVIRONMENT: ReadonlyMap<string, string> = new Map([
  ["GREETING", "hello world"],
  ["DEBUG_LEVEL", "3"],
]);

const FILES = readArchive("javascript");
/** The ending of a recording's name, after the name of its program. */
const RECORDING = ".txt";

/** Every program, by name. */
export function readPrograms(): readonly Program[] {
  return [...FILES].filter(([name]) => !name.endsWith(RECORDING))
    .map(([name, code]) => ({ name, code, typescript: name.endsWith(".ts") }));
}

/** Names of programs that have a recording. */
export function recordedNames(): readonly string[] {
  return [...FILES.keys()].filter((name) => name.endsWith(RECORDING))
    .map((name) => name.slice(0, -RECORDING.length));
}

/** The recording of a program. */
export function readExpected(name: string): Outcome {
  const text = FILES.get(name + RECORDING);
  if (text === undefined) throw new Error(`${name} has no recording`);
  return decodeOutcome(text);
}

/** Replaces the recordings of all programs. */
export function writeExpected(outcomes: ReadonlyMap<string, Outcome>): void {
  const files = new Map(readPrograms().map(({ name, code }) => [name, code]));
  for (const [name, outcome] of outcomes) files.set(name + RECORDING, encodeOutcome(outcome));
  writeArchive("javascript", files);
}
