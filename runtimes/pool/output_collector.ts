/**
 * Collects the output frames of one run, and passes them on to whoever listens. It refuses frames
 * of other runs, unknown streams, bytes over the limit, displays of another shape, and output before
 * an announced beginning, which only a compromised isolate sends.
 *
 * @module
 */
import type { Display } from "../../client/protocol/types.ts";
import { containersOf, readDisplay } from "../../shared/display.ts";
import { DISPLAY_CONTAINERS, type LanguageLimits, MAX_DISPLAYS } from "../../shared/limits.ts";
import { ProtocolError } from "../../shared/message.ts";
import type { RunListener } from "../../shared/run_listener.ts";
import { parseExactJson } from "../../shared/exact_json.ts";
import { CALL_LIMITS } from "../../shared/call_limits.ts";
import {
  type CallCounts,
  FRAME_BEGUN,
  FRAME_CALL,
  FRAME_COMMAND,
  FRAME_COMMAND_PART,
  FRAME_DISPLAY,
  FRAME_WAIT,
  type RunAnswerHead,
} from "../isolate/protocol.ts";
import type { CallMonitor } from "./call_monitor.ts";
import type { CommandMonitor } from "./command_monitor.ts";
import { type Frame, StreamBytes } from "./frame_reader.ts";
import type { RunOutput } from "./isolate.ts";

const NO_CALLS: CallCounts = { calls: 0, waits: 0 };
const NEWLINE = 10;

/** The text after the last newline, from its first whole character on. */
function unfinishedLine(bytes: Uint8Array): string {
  let from = bytes.lastIndexOf(NEWLINE) + 1;
  if (from === 0) { while (((bytes[from] ?? 0) & 0xc0) === 0x80) from++; }
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes.subarray(from));
}

/** Limits in bytes: of both streams together, and of the displays. */
export type OutputLimits = Pick<LanguageLimits, "outputBytes" | "displayBytes">;

/** The output of a run as its isolate reports it: bytes of each kind, calls and waits. */
export type OutputCounts = Pick<RunAnswerHead, "outputBytes" | "displayBytes" | "calls">;

/** The output of one run while it arrives. */
export class OutputCollector {
  readonly #run: number;
  readonly #limits: OutputLimits;
  readonly #stdout = new StreamBytes();
  readonly #stderr = new StreamBytes();
  readonly #listener: RunListener | undefined;
  readonly #monitor: CallMonitor | undefined;
  readonly #commands: CommandMonitor | undefined;
  #hasBegun = false;
  /** Bytes of standard output before the last question. */
  #prompted = 0;
  /** The stream with bytes that the listener has not heard yet. */
  #unreported: "stdout" | "stderr" | undefined;
  #size = 0;
  readonly #displays: Display[] = [];
  #displayBytes = 0;
  #containers = 0;
  #awaited: { readonly counts: OutputCounts; readonly done: () => void } | undefined;

  /**
   * The beginning of the run is announced if somebody listens. `monitor` gets the frames of calls, and
   * `commands` those of commands; without them there are none.
   */
  constructor(
    run: number,
    limits: OutputLimits,
    listener?: RunListener,
    monitor?: CallMonitor,
    commands?: CommandMonitor,
  ) {
    this.#run = run;
    this.#monitor = monitor;
    this.#commands = commands;
    this.#limits = limits;
    this.#listener = listener;
  }

  /** Takes a frame. Throws a ProtocolError when it cannot belong to this run. */
  push(frame: Frame): void {
    if (frame.run !== this.#run) throw new ProtocolError("output of another run");
    if (frame.kind === FRAME_BEGUN) return this.#begin();
    const isCommand = frame.kind === FRAME_COMMAND || frame.kind === FRAME_COMMAND_PART;
    const isCall = frame.kind === FRAME_CALL || frame.kind === FRAME_WAIT;
    const isKnown = isCall
      ? this.#monitor !== undefined
      : isCommand
      ? this.#commands !== undefined
      : frame.kind === 1 || frame.kind === 2 || frame.kind === FRAME_DISPLAY;
    if (!isKnown) throw new ProtocolError("an unknown stream");
    if (this.#listener !== undefined && !this.#hasBegun) throw new ProtocolError("early output");
    if (isCall) return this.#call(frame);
    if (isCommand) {
      this.tell();
      return this.#commands?.push(frame);
    }
    if (frame.kind === FRAME_DISPLAY) return this.#show(frame.payload);
    // bytes are bounded, and with them the number of frames
    if (frame.payload.length === 0) throw new ProtocolError("output without a byte");
    this.#size += frame.payload.length;
    if (this.#size > this.#limits.outputBytes) throw new ProtocolError("output over the limit");
    const stream = frame.kind === 1 ? "stdout" : "stderr";
    if (this.#unreported !== undefined && this.#unreported !== stream) this.tell();
    this.#unreported = stream;
    (stream === "stdout" ? this.#stdout : this.#stderr).append(frame.payload);
    this.#checkAwaited();
  }

  /**
   * Tells the listener what has arrived. Called once for many frames, because a guest may write
   * its output byte by byte.
   */
  tell(): void {
    if (this.#listener === undefined || this.#unreported === undefined) return;
    const bytes = this.#unreported === "stdout" ? this.#stdout : this.#stderr;
    this.#listener.output(this.#unreported, bytes.news());
    this.#unreported = undefined;
  }

  /** A call or a wait comes after all output that was written before it. */
  #call({ kind, payload }: Frame): void {
    this.tell();
    if (kind === FRAME_CALL) this.#monitor?.call(payload);
    else this.#monitor?.wait(payload);
    this.#checkAwaited();
  }

  /**
   * The unfinished line of standard output, without the prompts of earlier questions: an answer ends
   * no line. Cut at the front.
   */
  prompt(): string {
    const news = this.#stdout.length - this.#prompted;
    this.#prompted = this.#stdout.length;
    return unfinishedLine(this.#stdout.latest(Math.min(news, CALL_LIMITS.promptBytes)));
  }

  /** A display comes after all output that was written before it. */
  #show(json: Uint8Array): void {
    this.#displayBytes += json.length;
    this.#containers += containersOf(json);
    const isTooMuch = this.#displayBytes > this.#limits.displayBytes ||
      this.#containers > DISPLAY_CONTAINERS;
    if (isTooMuch || this.#displays.length === MAX_DISPLAYS) {
      throw new ProtocolError("displays over the limit");
    }
    const display = readDisplay(json, parseExactJson);
    if (display === undefined) throw new ProtocolError("a display of another shape");
    this.#displays.push(display);
    this.tell();
    this.#listener?.display(display);
    this.#checkAwaited();
  }

  #begin(): void {
    if (this.#listener === undefined || this.#hasBegun) throw new ProtocolError("begun twice");
    this.#hasBegun = true;
    this.#listener.start();
    this.#checkAwaited();
  }

  /**
   * Waits until the announced beginning and so many bytes have arrived, or no more can arrive.
   * The answer comes on another way, so it may overtake frames. A frame that is left behind would
   * meet the next run.
   */
  async reached(counts: OutputCounts, ended: Promise<void>): Promise<void> {
    if (this.#has(counts)) return;
    const arrived = Promise.withResolvers<void>();
    this.#awaited = { counts, done: arrived.resolve };
    await Promise.race([arrived.promise, ended]);
  }

  #has({ outputBytes, displayBytes, calls }: OutputCounts): boolean {
    const arrived = this.#monitor?.counts ?? NO_CALLS;
    const { calls: made, waits } = calls ?? NO_CALLS;
    return arrived.calls >= made && arrived.waits >= waits && this.#size >= outputBytes &&
      this.#displayBytes >= displayBytes &&
      (this.#listener === undefined || this.#hasBegun);
  }

  #checkAwaited(): void {
    if (this.#awaited !== undefined && this.#has(this.#awaited.counts)) this.#awaited.done();
  }

  /** Returns everything that arrived. */
  take(): RunOutput {
    return {
      stdout: this.#stdout.take(),
      stderr: this.#stderr.take(),
      displays: this.#displays,
    };
  }
}
