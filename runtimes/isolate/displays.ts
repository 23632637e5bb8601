/**
 * The displays of one run: lines of JSON, each from one or several writes. Invalid lines are
 * dropped. So is everything over the limits, and everything after it; the run continues, and its
 * ending tells.
 *
 * @module
 */
import { containersOf, hasTooManyValues, readDisplay } from "../../shared/display.ts";
import { DISPLAY_CONTAINERS, MAX_DISPLAYS } from "../../shared/limits.ts";
import type { RunOutcome } from "../engine/engine.ts";

const NEWLINE = 10;
const SMALLEST_CAPACITY = 1024;

/** Receives the writes of a run to `/dev/display`. A last line without a newline is dropped. */
export class DisplayLines {
  readonly #mostBytes: number;
  readonly #write: (json: Uint8Array) => void;
  /** The line that has begun; it is longer than the limit when {@link #length} is. */
  #line = new Uint8Array(0);
  #length = 0;
  #entries = 0;
  #bytes = 0;
  /** Keys, arrays and objects. */
  #containers = 0;
  /** Bytes of lines that are no displays. */
  #dropped = 0;
  #isExceeded = false;

  /**
   * `mostBytes` is the limit of all displays together. `write` gets the JSON of each display; the
   * bytes are valid only during the call.
   */
  constructor(mostBytes: number, write: (json: Uint8Array) => void) {
    this.#mostBytes = mostBytes;
    this.#write = write;
  }

  /** Bytes of the displays passed on so far. */
  get bytes(): number {
    return this.#bytes;
  }

  push(bytes: Uint8Array): void {
    if (this.#isExceeded) return;
    for (let at = 0; at < bytes.length && !this.#isExceeded;) {
      const newline = bytes.indexOf(NEWLINE, at);
      this.#append(bytes.subarray(at, newline < 0 ? bytes.length : newline));
      if (newline < 0) return;
      this.#end();
      at = newline + 1;
    }
  }

  /**
   * Takes the JSON of a display that is not the program's own. These have half of the room at most, so
   * that the program keeps the rest; the others are dropped, and the run does not end for it.
   */
  offer(json: Uint8Array): void {
    const bytes = this.#bytes + json.length;
    if (this.#isExceeded || this.#entries >= MAX_DISPLAYS / 2 || bytes > this.#mostBytes / 2) {
      return;
    }
    if (readDisplay(json) === undefined) return;
    this.#containers += containersOf(json);
    this.#bytes = bytes;
    this.#entries++;
    this.#write(json);
  }

  /** The outcome of the run: a run that succeeded, but showed too much, ended with that limit. */
  outcome(outcome: RunOutcome): RunOutcome {
    const { kind } = outcome.ending;
    if (!this.#isExceeded || kind === "error" || kind === "limit" || kind === "crash") {
      return outcome;
    }
    return { ...outcome, ending: { kind: "limit", limit: "display", traceback: [] } };
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#mostBytes) return this.#exceed();
    if (length > this.#line.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#line.length, SMALLEST_CAPACITY));
      larger.set(this.#line.subarray(0, this.#length));
      this.#line = larger;
    }
    this.#line.set(bytes, this.#length);
    this.#length = length;
  }

  #end(): void {
    const json = this.#line.subarray(0, this.#length);
    this.#length = 0;
    if (json.length === 0) return;
    if (readDisplay(json) === undefined) return this.#drop(json);
    this.#containers += containersOf(json);
    this.#bytes += json.length;
    const isTooMuch = this.#bytes > this.#mostBytes || this.#containers > DISPLAY_CONTAINERS;
    if (isTooMuch || this.#entries === MAX_DISPLAYS) {
      this.#bytes -= json.length;
      return this.#exceed();
    }
    this.#entries++;
    this.#write(json);
  }

  /** Drops an invalid line. The bytes of these lines are bounded too, because each was parsed. */
  #drop(line: Uint8Array): void {
    this.#dropped += line.length;
    if (this.#dropped > this.#mostBytes || hasTooManyValues(line)) this.#exceed();
  }

  #exceed(): void {
    this.#isExceeded = true;
    this.#line = new Uint8Array(0);
  }
}
