/**
 * The service's half of one attempt of a run with calls: it checks the frames in which an isolate
 * reports calls and waits, tells the caller, and ends each wait with one delivery. A frame that does
 * not fit (another order, too much, a call that is not pending) is a fault of the process, whose own
 * checks let none of a guest's through.
 *
 * @module
 */
import { z } from "zod";
import { CALL_LIMITS } from "../../shared/call_limits.ts";
import { ProtocolError } from "../../shared/message.ts";
import type { Delivery, ProgramWait, RunCalls } from "../../shared/run_calls.ts";
import { endsWait, isCallName, isObjectText } from "../engine/program_calls.ts";
import { encodeDelivery, encodeRelease } from "../isolate/deliveries.ts";
import type { CallCounts, CallFrame, RunCallsHead, WaitFrame } from "../isolate/protocol.ts";

/** The process of the attempt. */
export interface CallProcess {
  /** Writes to the isolate's standard input. */
  send(bytes: Uint8Array<ArrayBuffer>): void;
  /** The unfinished line of standard output. */
  prompt(): string;
}

/** Who else wants to know when the program waits. */
export interface WaitObserver {
  /** The program waits for a delivery that is not there yet. */
  blocked(wait: ProgramWait): void;
  /** It goes on, or the isolate has been asked back. */
  resumed(): void;
}

const MAX_HEAD_BYTES = 4 * 1024;
const NEWLINE = 10;
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true, fatal: true });

const count = z.number().int().nonnegative();
const callSchema: z.ZodType<CallFrame> = z.object({ number: count, name: z.string(), fuel: count });
const waitSchema: z.ZodType<WaitFrame> = z.object({
  calls: z.array(count).max(CALL_LIMITS.pending),
  input: z.boolean(),
  maxMs: z.number().nonnegative().nullable(),
  fuel: count,
  memoryBytes: count,
  recorded: z.boolean(),
});

/** The facts about the caller that an isolate gets. */
export function callsHead({ tools, interactive, startMs, seed }: RunCalls): RunCallsHead {
  return { tools, interactive, startMs, seed: seed.toHex() };
}

/** One attempt. */
export class CallMonitor {
  readonly calls: RunCalls;
  readonly #observer: WaitObserver;
  readonly #pending = new Set<number>();
  #process: CallProcess | undefined;
  #made = 0;
  #waits = 0;
  #argumentBytes = 0;
  #inputEnded = false;
  /** Present while the program waits for a delivery that is not there yet. */
  #open: AbortController | undefined;
  #isReleased = false;
  #hasDiverged = false;

  constructor(calls: RunCalls, observer: WaitObserver) {
    this.calls = calls;
    this.#observer = observer;
  }

  /** Numbers of the calls and waits that have arrived. */
  get counts(): CallCounts {
    return { calls: this.#made, waits: this.#waits };
  }

  /** Whether the program waits for a delivery. */
  get isWaiting(): boolean {
    return this.#open !== undefined;
  }

  /** Whether the isolate was asked back. */
  get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Whether the deliveries of earlier attempts do not fit the waits of this one. */
  get hasDiverged(): boolean {
    return this.#hasDiverged;
  }

  /** Whether the program has waited for all deliveries of earlier attempts. */
  get isPastRecorded(): boolean {
    return this.#waits >= this.calls.recorded.length;
  }

  /** Begins in a process. */
  attach(process: CallProcess): void {
    this.#process = process;
  }

  /** The process has ended or answered: no wait is open any more. */
  close(): void {
    this.#process = undefined;
    this.#open?.abort();
  }

  /** Asks the isolate back if the program waits. */
  release(): void {
    if (this.#open === undefined) return;
    this.#isReleased = true;
    this.#resume(encodeRelease());
  }

  /** Takes the frame of a call. Throws a ProtocolError. */
  call(payload: Uint8Array): void {
    const end = payload.subarray(0, MAX_HEAD_BYTES).indexOf(NEWLINE);
    if (end < 0) throw new ProtocolError("a call without arguments");
    const json = payload.subarray(end + 1);
    const { number, name, fuel } = readHead(payload.subarray(0, end), callSchema);
    this.#argumentBytes += json.length;
    const isTooMuch = json.length > CALL_LIMITS.argumentBytes || number > CALL_LIMITS.calls ||
      this.#argumentBytes > CALL_LIMITS.allArgumentBytes ||
      this.#pending.size === CALL_LIMITS.pending;
    if (isTooMuch) throw new ProtocolError("calls over the limit");
    if (this.#open !== undefined || number !== this.#made + 1 || !isCallName(name)) {
      throw new ProtocolError("a call out of order");
    }
    const text = textOf(json);
    if (!isObjectText(text)) throw new ProtocolError("a call with other arguments");
    this.#made = number;
    this.#pending.add(number);
    this.calls.called({ number, name, arguments: text, fuel });
  }

  /** Takes the frame of a wait. Throws a ProtocolError. */
  wait(payload: Uint8Array): void {
    const { input, recorded: isRecorded, ...frame } = readHead(payload, waitSchema);
    const calls = new Set(frame.calls);
    const isPossible = calls.size === frame.calls.length && calls.isSubsetOf(this.#pending) &&
      (!input || (this.calls.interactive && !this.#inputEnded)) &&
      (input || calls.size > 0 || frame.maxMs !== null);
    const isInOrder = this.#open === undefined && this.#waits < CALL_LIMITS.waits &&
      !this.#isReleased && !this.#hasDiverged;
    if (!isPossible || !isInOrder) throw new ProtocolError("a wait out of order");
    const { recorded } = this.calls;
    const known = recorded[this.#waits];
    if (isRecorded !== (known !== undefined)) throw new ProtocolError("a wait of another attempt");
    this.#waits++;
    const prompt = input ? { prompt: this.#process?.prompt() ?? "" } : {};
    const wait: ProgramWait = { ...frame, ...prompt };
    const fits = (delivery: Delivery) => endsWait({ calls, input, maxMs: frame.maxMs }, delivery);
    if (known === undefined) return void this.#ask(wait, fits);
    if (fits(known)) this.#note(known);
    else this.#hasDiverged = true;
    this.calls.wait(wait, true, AbortSignal.abort()).catch(() => undefined);
  }

  async #ask(wait: ProgramWait, fits: (delivery: Delivery) => boolean): Promise<void> {
    const open = new AbortController();
    this.#open = open;
    const answer = this.calls.wait(wait, false, open.signal).catch(() => undefined);
    this.#observer.blocked(wait);
    const delivery = await answer;
    if (this.#open !== open || open.signal.aborted) return;
    if (delivery === undefined || !fits(delivery)) return this.release();
    this.#note(delivery);
    this.#resume(encodeDelivery(delivery));
  }

  #note(delivery: Delivery): void {
    if ("call" in delivery) this.#pending.delete(delivery.call);
    if ("input" in delivery) this.#inputEnded ||= delivery.input === null;
  }

  #resume(bytes: Uint8Array<ArrayBuffer>): void {
    const open = this.#open;
    this.#open = undefined;
    open?.abort();
    this.#observer.resumed();
    this.#process?.send(bytes);
  }
}

function textOf(bytes: Uint8Array): string {
  try {
    return DECODER.decode(bytes);
  } catch {
    throw new ProtocolError("a frame that is no text");
  }
}

function readHead<Head>(bytes: Uint8Array, schema: z.ZodType<Head>): Head {
  if (bytes.length > MAX_HEAD_BYTES) throw new ProtocolError("a frame is too large");
  const parsed = schema.safeParse(jsonOf(textOf(bytes)));
  if (!parsed.success) throw new ProtocolError("a frame of another shape");
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ProtocolError("a frame that is no JSON");
  }
}
