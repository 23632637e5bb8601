/**
 * Sends lines of output as progress: one notification for each line while there are few, then several
 * lines in each. So ten thousand lines need only some hundred notifications.
 *
 * @module
 */
import { firstBytes } from "./results.ts";

/** Sends one notification. Rejects if the caller has disconnected. */
export type SendProgress = (progress: number, message: string) => Promise<void>;

/** Number of notifications that are sent without delay. */
const BURST = 100;
/** Milliseconds between later notifications. */
const INTERVAL_MS = 100;
/** Maximum length of a message, in bytes of UTF-8. */
const MESSAGE_BYTES = 4 * 1024;

/** Sends the lines of one run. */
export class LineProgress {
  readonly #send: SendProgress;
  /** Number of lines so far. */
  #count = 0;
  /** Number of notifications that may be sent without delay now. */
  #credit = BURST;
  #since = performance.now();
  #waiting = "";
  #isWaiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: SendProgress) {
    this.#send = send;
  }

  /** Reports a line, at once or together with later ones. */
  line(text: string): void {
    this.#count++;
    // a message never shows more than its maximum length
    const joined = this.#isWaiting ? `${this.#waiting}\n${text}` : text;
    this.#waiting = joined.slice(0, MESSAGE_BYTES + 1);
    this.#isWaiting = true;
    if (this.#timer !== undefined) return;
    if (this.#takeCredit()) this.#flush();
    else this.#timer = setTimeout(() => this.#flush(), INTERVAL_MS);
  }

  /** Sends the waiting lines. Must be called when the run has ended. */
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
    // a caller that gets no progress does not get the result either
    this.#send(this.#count, message).catch(() => undefined);
  }
}

function bounded(text: string): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= MESSAGE_BYTES ? text : `${firstBytes(bytes, MESSAGE_BYTES - 4)}…`;
}
