/**
 * The programs of the corpus and their recordings.
 *
 * `.js` is CommonJS, `.mjs` a module, `.ts` TypeScript written as a module.
 *
 * @module
 */
import { decodeOutcome, encodeOutcome, type Outcome } from "./outcome.ts";

/** A program of the corpus. */
export interface Program {
  /** File name, such as `lru_cache.js`. */
  readonly name: string;
  readonly code: string;
  readonly typescript: boolean;
}

const PROGRAMS = new URL("./programs/", import.meta.url);
const EXPECTED = new URL("./expected/", import.meta.url);

/** Environment of every program. */
export const ENVIRONMENT: ReadonlyMap<string, string> = new Map([
  ["GREETING", "hello world"],
  ["DEBUG_LEVEL", "3"],
]);

function expectedUrl(name: string): URL {
  return new URL(`${name}.txt`, EXPECTED);
}

function namesIn(folder: URL): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** Every program, by name. */
export function readPrograms(): readonly Program[] {
  return namesIn(PROGRAMS).map((name) => ({
    name,
    code: Deno.readTextFileSync(new URL(name, PROGRAMS)),
    typescript: name.endsWith(".ts"),
  }));
}

/** Names of programs that have a recording. */
export function recordedNames(): readonly string[] {
  return namesIn(EXPECTED).map((name) => name.replace(/\.txt$/, ""));
}

/** The recording of a program. */
export async function readExpected(name: string): Promise<Outcome> {
  return decodeOutcome(await Deno.readTextFile(expectedUrl(name)));
}

/** Writes the recording of a program. */
export async function writeExpected(name: string, outcome: Outcome): Promise<void> {
  await Deno.writeTextFile(expectedUrl(name), encodeOutcome(outcome));
}

/** Removes the recording of a program that is no more. */
export async function removeExpected(name: string): Promise<void> {
  await Deno.remove(expectedUrl(name));
}
