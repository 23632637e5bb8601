/**
 * Collects the output frames of one run. Frames of other runs, unknown streams and bytes over
 * the limit come from an isolate that lies; they are refused.
 *
 * @module
 */
import { ProtocolError } from "../isolate/protocol.ts";
import type { Frame } from "./frame_reader.ts";
import type { RunOutput } from "./isolate.ts";

function joined(chunks: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Output of one run while it arrives. */
export class OutputCollector {
  readonly #run: number;
  readonly #limit: number;
  readonly #stdout: Uint8Array[] = [];
  readonly #stderr: Uint8Array[] = [];
  #size = 0;
  #awaited: { readonly size: number; readonly done: () => void } | undefined;

  constructor(run: number, limit: number) {
    this.#run = run;
    this.#limit = limit;
  }

  /** Takes a frame. Throws a ProtocolError when it cannot belong to this run. */
  push(frame: Frame): void {
    if (frame.run !== this.#run) throw new ProtocolError("output of another run");
    if (frame.kind !== 1 && frame.kind !== 2) throw new ProtocolError("an unknown stream");
    this.#size += frame.payload.length;
    if (this.#size > this.#limit) throw new ProtocolError("output over the limit");
    (frame.kind === 1 ? this.#stdout : this.#stderr).push(frame.payload);
    if (this.#awaited !== undefined && this.#size >= this.#awaited.size) this.#awaited.done();
  }

  /** Waits until so many bytes have come, or until none can come any more. */
  async reached(size: number, ended: Promise<void>): Promise<void> {
    if (this.#size >= size) return;
    const arrived = Promise.withResolvers<void>();
    this.#awaited = { size, done: arrived.resolve };
    await Promise.race([arrived.promise, ended]);
  }

  /** All that came. */
  take(): RunOutput {
    return { stdout: joined(this.#stdout), stderr: joined(this.#stderr) };
  }
}
