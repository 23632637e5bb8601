/**
 * A run on another machine with a listener. Its runtime's reports are untrusted: the output is
 * bounded like the output of an isolate, and must be the output of the result.
 *
 * @module
 */
import type { OutputEvent } from "../../client/protocol/run_events.ts";
import type { Display, ExecutionResult } from "../../client/protocol/types.ts";
import { readDisplay, REWRITTEN_BYTES } from "../../wire/display.ts";
import { MAX_DISPLAYS, SHARED_CEILINGS } from "../../wire/limits.ts";
import { lineListener, type RunListener } from "../../wire/run_listener.ts";
import { parseExactJson } from "../exact_json.ts";
import type { Frame } from "../pool/frame_reader.ts";
import { FrameReader } from "../pool/frame_reader.ts";
import { FRAME_BEGUN, FRAME_DISPLAY } from "../isolate/protocol.ts";
import { RemoteFailure } from "./remote_failure.ts";
import { FRAME_ANSWER } from "./run_frames.ts";

/** The answer at the end of a stream. */
interface FramedAnswer {
  readonly status: number;
  readonly pieces: readonly Uint8Array[];
}

/** The output and displays of a result. */
type ShownOutput = Pick<ExecutionResult, "logs" | "displays">;

/** Checks a runtime's reports of one run, and passes them on. */
export class HeardRun {
  readonly #listener: RunListener;
  readonly #heard: { readonly [S in OutputEvent["type"]]: string[] } = { stdout: [], stderr: [] };
  readonly #lines = lineListener((event) => {
    if ("text" in event) this.#heard[event.type].push(event.text);
  });
  /** The JSON of the displays. */
  readonly #displays: string[] = [];
  #hasBegun = false;
  #bytes = 0;
  #displayBytes = 0;

  constructor(listener: RunListener) {
    this.#listener = listener;
  }

  /** Reads a stream to its end. Throws a RemoteFailure or a ProtocolError. */
  async read(
    stream: AsyncIterable<Uint8Array>,
    maxAnswerBytes: number,
  ): Promise<FramedAnswer> {
    const reader = new FrameReader();
    const pieces: Uint8Array[] = [];
    let status: number | undefined;
    let length = 0;
    for await (const chunk of stream) {
      for (const frame of reader.push(chunk)) {
        if (frame.kind !== FRAME_ANSWER) {
          if (status !== undefined) throw new RemoteFailure("output after the answer");
          this.#take(frame);
          continue;
        }
        const isEmpty = status !== undefined && frame.payload.length === 0;
        if (isEmpty) throw new RemoteFailure("a piece of the answer without a byte");
        status ??= frame.run;
        length += frame.payload.length;
        if (length > maxAnswerBytes) throw new RemoteFailure("the answer is too large");
        pieces.push(frame.payload);
      }
    }
    if (status === undefined) throw new RemoteFailure("the stream has no answer");
    return { status, pieces };
  }

  /**
   * The run has this output, and showed this. An earlier version of a runtime reports it only now. Throws a
   * RemoteFailure when something else was reported.
   */
  settle({ logs: { stdout, stderr }, displays = [] }: ShownOutput): void {
    if (!this.#hasBegun) {
      this.#begin();
      this.#tell("stdout", stdout);
      this.#tell("stderr", stderr);
      for (const display of displays) this.#listener.display(display);
      return;
    }
    this.#lines.end();
    const shown = displays.map(comparable);
    if (
      isSame(this.#heard.stdout, stdout) && isSame(this.#heard.stderr, stderr) &&
      isSame(this.#displays, shown)
    ) return;
    throw new RemoteFailure("the output is not that of the result");
  }

  #take({ kind, payload }: Frame): void {
    if (kind === FRAME_BEGUN) return this.#begin();
    if (kind !== 1 && kind !== 2 && kind !== FRAME_DISPLAY) {
      throw new RemoteFailure("an unknown stream");
    }
    if (!this.#hasBegun) throw new RemoteFailure("output before the beginning");
    if (kind === FRAME_DISPLAY) return this.#show(payload);
    if (payload.length === 0) throw new RemoteFailure("output without a byte");
    this.#bytes += payload.length;
    if (this.#bytes > SHARED_CEILINGS.outputBytes) throw new RemoteFailure("too much output");
    const stream = kind === 1 ? "stdout" : "stderr";
    this.#lines.listener.output(stream, payload);
    if (this.#heard.stdout.length + this.#heard.stderr.length > SHARED_CEILINGS.outputLines) {
      throw new RemoteFailure("too many lines of output");
    }
    this.#listener.output(stream, payload);
  }

  #show(json: Uint8Array): void {
    this.#displayBytes += json.length;
    if (this.#displays.length === MAX_DISPLAYS || this.#displayBytes > REWRITTEN_BYTES) {
      throw new RemoteFailure("too many displays");
    }
    const display = readDisplay(json, parseExactJson);
    if (display === undefined) throw new RemoteFailure("a display of another shape");
    this.#displays.push(comparable(display));
    this.#listener.display(display);
  }

  #begin(): void {
    if (this.#hasBegun) throw new RemoteFailure("the run begins twice");
    this.#hasBegun = true;
    this.#listener.start();
  }

  #tell(stream: OutputEvent["type"], lines: readonly string[]): void {
    const text = lines.map((line) => `${line}\n`).join("");
    this.#listener.output(stream, new TextEncoder().encode(text));
  }
}

/** JSON of a display in which long numbers are rounded, because not every connection keeps their digits. */
function comparable(display: Display): string {
  return JSON.stringify(JSON.parse(JSON.stringify(display)));
}

function isSame(heard: readonly string[], lines: readonly string[]): boolean {
  return heard.length === lines.length && heard.every((line, index) => line === lines[index]);
}
