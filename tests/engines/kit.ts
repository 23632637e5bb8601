/**
 * The needs of the conformance suite from a language: a way to make its engine, and programs for what
 * every engine must do.
 */
import type { Language } from "../../client/protocol/types.ts";
import type { Engine } from "../../runtimes/engine/engine.ts";

/** Programs in one language. */
export interface Programs {
  /** Writes `out` and a newline to standard output, `err` and a newline to standard error. */
  readonly bothStreams: string;
  /** Writes `no newline` without one. */
  readonly noNewline: string;
  /** Writes `first`, then lines without an end. */
  readonly endlessOutput: string;
  /** The value is the number 42. */
  readonly number: string;
  /** The value is a container: keys a and b, a is 1, b is a list of 1 and "x". */
  readonly container: string;
  /** There is no value. */
  readonly nothing: string;
  /** The value is a text longer than 4,000 bytes. */
  readonly longText: string;
  /** Fails on line 3 with an exception whose message holds `bad thing`. */
  readonly exception: { readonly code: string; readonly name: string };
  /** Cannot be parsed; the fault is on line 2. */
  readonly syntaxError: { readonly code: string; readonly name: string };
  /** Never ends. */
  readonly endlessLoop: string;
  /** Never ends, and tries to catch what would end it. */
  readonly endlessCatch: string;
  /** Allocates memory until none is left. */
  readonly memoryHog: string;
  /** Calls itself without end. */
  readonly deepRecursion: string;
  /** Sleeps for five seconds, then the value is 1. */
  readonly sleep: string;
  /** Sleeps for an hour. */
  readonly longSleep: string;
  /** The value is a random number. */
  readonly random: string;
  /** Writes the variable `BELLJAR_TEST`, or `none` if it is not set, and a newline. */
  readonly environment: string;
  /** Defines the global `kept`. */
  readonly define: string;
  /** The value is 1 when the global `kept` is not defined. */
  readonly isUndefined: string;
  /** Exits with status 0 before writing `after`. */
  readonly exitZero: string;
  /** Exits with status 3. */
  readonly exitThree: string;
  /** Does some work without clock or randomness. */
  readonly work: string;
}

/** A language under test. */
export interface EngineKit {
  readonly language: Language;
  makeEngine(): Promise<Engine>;
  readonly programs: Programs;
}
