/**
 * Lines of output as progress: one notification a line as long as there are few, then several lines
 * in one, so that ten thousand lines are no more work for a client than some hundred.
 *
 * @module
 */
import { firstBytes } from "./results.ts";

/** Sends one notification. Rejects when the caller has gone. */
export type SendProgress = (progress: number, message: string) => Promise<void>;

/** Notifications that are sent at once. */
const BURST = 100;
/** After those, the milliseconds between two. */
const INTERVAL_MS = 100;
/** Longest message, in bytes of UTF-8. */
const MESSAGE_BYTES = 4 * 1024;

/** Sends the lines of one run. */
export class LineProgress {
  readonly #send: SendProgress;
  /** Lines so far. */
  #count = 0;
  /** Notifications that may be sent at once. */
  #credit = BURST;
  #since = performance.now();
  #waiting = "";
  #isWaiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: SendProgress) {
    this.#send = send;
  }

  /** Tells a line, now or with the ones that follow. */
  line(text: string): void {
    this.#count++;
    // what is longer than a message is not shown anyway
    const joined = this.#isWaiting ? `${this.#waiting}\n${text}` : text;
    this.#waiting = joined.slice(0, MESSAGE_BYTES + 1);
    this.#isWaiting = true;
    if (this.#timer !== undefined) return;
    if (this.#takeCredit()) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Tells what waits. Must be called when the run has ended. */
  end(): void {
    if (this.#isWaiting) this.#flush();
  }

  #takeCredit(): boolean {
    const now = performance.now();
    this.#credit = Math.min(BURST, this.#credit + (now - this.#since) / INTERVAL_MS);
    this.#since = now;
    if (this.#credit < 1) return false;
    this.#credit--;
    return true;
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const message = bounded(this.#waiting);
    this.#waiting = "";
    this.#isWaiting = false;
    // who does not get progress does not get the result either
    this.#send(this.#count, message).catch(() => undefined);
  }
}

function bounded(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MESSAGE_BYTES ? text : `${firstBytes(bytes, MESSAGE_BYTES - 4)}…`;
}
