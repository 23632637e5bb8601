/**
 * Shows progress to the operator: lines, and on a terminal also one line that is overwritten.
 *
 * @module
 */

/** Where progress is written. */
export interface ProgressOutput {
  readonly isTerminal: boolean;
  write(text: string): void;
}

const CLEAR_LINE = "\r\x1b[2K";
const KIB = 1024;
/** Bytes between two updates of the line. */
const STEP_BYTES = 256 * KIB;

/** A number of bytes as text, such as `1 KiB`. */
export function sizeWords(bytes: number): string {
  if (bytes < KIB * KIB) return `${Math.ceil(bytes / KIB)} KiB`;
  return `${(bytes / KIB / KIB).toFixed(1)} MiB`;
}

/** The progress of one command. */
export class Progress {
  readonly #output: ProgressOutput;
  #hasLine = false;

  constructor(output: ProgressOutput) {
    this.#output = output;
  }

  /** Shows a step. On a terminal the next output overwrites it. */
  step(text: string): void {
    if (!this.#output.isTerminal) return;
    this.#output.write(`${CLEAR_LINE}${text}`);
    this.#hasLine = true;
  }

  /** Writes a line that stays. */
  line(text: string): void {
    this.end();
    this.#output.write(`${text}\n`);
  }

  /** Shows the progress of a download. */
  async file<T>(
    file: string,
    download: (onBytes: (done: number, total: number | undefined) => void) => Promise<T>,
  ): Promise<T> {
    if (!this.#output.isTerminal) this.line(`Fetching ${file}`);
    let size = 0;
    let shown = -STEP_BYTES;
    const result = await download((done, total) => {
      size = done;
      if (done - shown < STEP_BYTES && done >= shown) return;
      shown = done;
      const all = total === undefined ? "" : ` of ${sizeWords(total)}`;
      this.step(`Fetching ${file}: ${sizeWords(done)}${all}`);
    });
    if (this.#output.isTerminal && result !== undefined) {
      this.line(`Fetched ${file}, ${sizeWords(size)}`);
    }
    return result;
  }

  /** Clears the line that is overwritten. */
  end(): void {
    if (this.#hasLine) this.#output.write(CLEAR_LINE);
    this.#hasLine = false;
  }
}
