/**
 * Runs as they happen, inside the process: who listens to a run, and how its output becomes lines.
 *
 * Lines are split here and nowhere else, so that the streamed lines of a run are its `logs`
 * (docs/contract.md#streaming).
 *
 * @module
 */
import type {
  DisplayEvent,
  NumberedEvent,
  OutputEvent,
  StartEvent,
} from "../client/protocol/run_events.ts";
import type { Display } from "../client/protocol/types.ts";

/** Listens to one run. Its methods must return soon and must not throw. */
export interface RunListener {
  /** The run begins in an isolate: from now on nothing refuses it. Called once, before output. */
  start(): void;
  /** Accepted output, in order of arising. The bytes are valid only during the call. */
  output(stream: OutputEvent["type"], bytes: Uint8Array): void;
  /** An accepted display, after the output that was written before it. */
  display(display: Display): void;
  /**
   * An event of a run that can wait, in place of the other methods. Absent: the listener follows such a
   * run until it first waits.
   */
  event?(event: NumberedEvent): void;
  /** A listener with `event` follows the run until it waits, not until it ends. @default {false} */
  readonly untilWaiting?: boolean;
  /** The events of a run that can wait follow. Called once, before them. */
  opened?(): void;
  /**
   * The run may begin again, as one does that began on an outdated state: then `start` is called again,
   * and all that came before is void. @default {false}
   */
  readonly mayRestart?: boolean;
}

/** The caller of a run: the signal of its disconnect, and who listens. */
export interface RunAudience {
  readonly signal: AbortSignal;
  readonly listener?: RunListener | undefined;
}

/**
 * Splits output into lines without their newlines; invalid bytes become U+FFFD
 * (docs/contract.md#logs). However the output is cut into pieces, the lines are the same.
 */
class LineSplitter {
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  /** The line without its newline, as far as it has arrived. */
  #begun = "";

  /** The lines that these bytes complete. */
  push(bytes: Uint8Array): string[] {
    return this.#split(this.#decoder.decode(bytes, { stream: true }));
  }

  /** The line that has begun, as far as its characters are complete. */
  get unfinished(): string {
    return this.#begun;
  }

  /** The rest: a last line without a newline. */
  end(): string[] {
    const lines = this.#split(this.#decoder.decode());
    if (this.#begun !== "") lines.push(this.#begun);
    this.#begun = "";
    return lines;
  }

  #split(text: string): string[] {
    const lines = text.split("\n");
    lines[0] = this.#begun + lines[0];
    this.#begun = lines.pop() ?? "";
    return lines;
  }
}

/** Whole output as lines. */
export function outputLines(bytes: Uint8Array): readonly string[] {
  if (bytes.length === 0) return [];
  const splitter = new LineSplitter();
  return splitter.push(bytes).concat(splitter.end());
}

/** A listener that reports lines. */
export interface LineListener {
  readonly listener: RunListener;
  /** The lines that have begun. */
  unfinished(): { readonly stdout: string; readonly stderr: string };
  /** Reports last lines without a newline. Must be called when the run has ended. */
  end(): void;
}

/** Creates a listener that reports the start of a run, its lines of output and its displays. */
export function lineListener(
  emit: (event: StartEvent | OutputEvent | DisplayEvent) => void,
): LineListener {
  const splitters = { stdout: new LineSplitter(), stderr: new LineSplitter() };
  const emitAll = (type: OutputEvent["type"], lines: readonly string[]) => {
    for (const text of lines) emit({ type, text });
  };
  return {
    listener: {
      start: () => emit({ type: "start" }),
      output: (stream, bytes) => emitAll(stream, splitters[stream].push(bytes)),
      display: (display) => emit({ type: "display", display }),
    },
    unfinished: () => ({
      stdout: splitters.stdout.unfinished,
      stderr: splitters.stderr.unfinished,
    }),
    end: () => {
      emitAll("stdout", splitters.stdout.end());
      emitAll("stderr", splitters.stderr.end());
    },
  };
}
