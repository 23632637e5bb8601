/**
 * The calls of one run inside the isolate: what the program asks its caller, and the waits for the
 * answers, which block the thread. The program is not trusted, and neither is the driver inside of
 * it: whatever they write is checked here, so that the parent process sees only frames that fit.
 *
 * The clock of the run stands and moves at the end of each wait. Sleeps are waits too.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import { utf8Length } from "../../client/protocol/text.ts";
import { CALL_LIMITS } from "../../shared/call_limits.ts";
import type {
  CallImage,
  Delivery,
  ProgramCall,
  ProgramWait,
  ToolHead,
} from "../../shared/run_calls.ts";
import type { RunClock, SleepingRun } from "./clock.ts";

/** The limits that end a run here; the wall clock stands for an isolate that is taken back. */
type CallsLimit = "calls" | "wall clock";

/** A wait as the isolate knows it: without the question, which is a part of the output. */
export interface BareWait extends Pick<ProgramWait, "calls" | "maxMs" | "fuel" | "memoryBytes"> {
  /** Whether a line of standard input ends it too. */
  readonly input: boolean;
}

/** The way to the parent process. */
export interface CallPort {
  call(call: ProgramCall): void;
  wait(wait: BareWait): void;
  /** Blocks until the parent ends the wait. Undefined: the isolate is taken back. */
  next(): Delivery | undefined;
  /** Shows a display, given as JSON, if there is room for it. */
  display(json: Uint8Array): void;
}

/** The declarations of the run's caller. */
export interface CallsHead {
  /** Absent: the program has no `tools`. */
  readonly tools?: readonly ToolHead[] | undefined;
  readonly interactive: boolean;
  readonly startMs: number;
}

/** The parts of an engine that belong to the run. */
export interface CallingRun {
  readonly clock: RunClock;
  fuelUsed(): number;
  /** Bytes of linear memory, as it is now. */
  memoryBytes(): number;
  /** Ends the run. May throw what no program can catch; otherwise the run ends soon. */
  stop(limit: CallsLimit): void;
  /** Called when the clock has moved by so many milliseconds. */
  moved?(ms: number): void;
}

/**
 * Writes the JSON of an answer to a file of the program. Returns the file, or the reason why it was not
 * written, a name of Linux such as ENOSPC.
 */
export type WriteAnswer = (json: string) => object | string;

/** The reasons to refuse a call. */
export type CallRefusal = "malformed" | "too large" | "too many pending";

/** A shorter sleep moves the clock and waits for nobody: timers do not go finer. */
const SHORTEST_WAIT_MS = 1;
/** Identifiers joined by dots. */
const NAME = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*$/;

/** The only type of images whose display is text. */
const SVG = "image/svg+xml";

const EMPTY = new Uint8Array();
/** The end of a wait for input that is there. */
const NO_WAIT: Delivery = { atMs: 0, input: "" };
const ENCODER = new TextEncoder();

/** Whether a text may be the name of a call. */
export function isCallName(name: string): boolean {
  return name.length <= CALL_LIMITS.nameLength && NAME.test(name);
}

/** Whether a text is a JSON object. */
export function isObjectText(json: string): boolean {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

/** Calls, waits and input of one run. */
export class ProgramCalls implements SleepingRun {
  readonly head: CallsHead;
  readonly startMs: number;
  /** The seed of the random bytes. */
  readonly seed: Uint8Array<ArrayBuffer>;
  readonly #port: CallPort;
  readonly #recorded: readonly Delivery[];
  readonly #pending = new Set<number>();
  #run: CallingRun | undefined;
  #calls = 0;
  #waits = 0;
  #argumentBytes = 0;
  #writeAnswer: WriteAnswer | undefined;
  /** Input that has not been read. */
  #unread: Uint8Array = EMPTY;
  #inputEnded = false;

  /** `input`: standard input that the run has from the beginning. */
  constructor(
    head: CallsHead & { readonly seed: Uint8Array<ArrayBuffer> },
    port: CallPort,
    { recorded, input }: { readonly recorded: readonly Delivery[]; readonly input: Uint8Array },
  ) {
    this.#unread = input;
    this.head = head;
    this.startMs = head.startMs;
    this.seed = head.seed;
    this.#port = port;
    this.#recorded = recorded;
  }

  /** Numbers of calls and waits so far. */
  get counts(): { readonly calls: number; readonly waits: number } {
    return { calls: this.#calls, waits: this.#waits };
  }

  /** Begins the run. */
  begin(run: CallingRun): void {
    this.#run = run;
  }

  /** Answers larger than `CallLimits.answerBytes` are written, and the program gets the file. */
  writeLargeAnswers(write: WriteAnswer): void {
    this.#writeAnswer = write;
  }

  /** From now on nothing waits: the run is stopped, and at most its position is asked for. */
  end(): void {
    this.#run = undefined;
  }

  /** Makes the call with that number; undefined when it was made. */
  call(number: number, name: string, json: string): CallRefusal | undefined {
    const run = this.#run;
    const bytes = ENCODER.encode(json).length;
    if (run === undefined || number !== this.#calls + 1 || !isCallName(name)) return "malformed";
    if (bytes > CALL_LIMITS.argumentBytes) return "too large";
    if (!isObjectText(json)) return "malformed";
    if (this.#pending.size === CALL_LIMITS.pending) return "too many pending";
    this.#argumentBytes += bytes;
    const isTooMuch = number > CALL_LIMITS.calls ||
      this.#argumentBytes > CALL_LIMITS.allArgumentBytes;
    if (isTooMuch) {
      this.#stop("calls");
      return undefined;
    }
    this.#calls = number;
    this.#pending.add(number);
    this.#port.call({ number, name, arguments: json, fuel: run.fuelUsed() });
    return undefined;
  }

  /**
   * Waits for one of the pending calls, for input, or until the time is over. Undefined: the run is
   * stopped, or what it waits for is not pending. Where there is input, it waits for nothing.
   */
  wait({ calls, input, maxMs }: Omit<BareWait, "fuel" | "memoryBytes">): Delivery | undefined {
    const run = this.#run;
    const awaited = new Set(calls);
    if (run === undefined || !awaited.isSubsetOf(this.#pending)) return undefined;
    if (awaited.size === 0 && !input && maxMs === null) return undefined;
    if (input && !this.#isDry) return NO_WAIT;
    if (this.#waits === CALL_LIMITS.waits) return this.#stop("calls");
    this.#waits++;
    const use = { fuel: run.fuelUsed(), memoryBytes: run.memoryBytes() };
    this.#port.wait({ calls: [...awaited], input, maxMs, ...use });
    const delivery = this.#recorded[this.#waits - 1] ?? this.#port.next();
    // a delivery of an earlier attempt that does not fit: the parent process notices it, too
    if (delivery === undefined || !endsWait({ calls: awaited, input, maxMs }, delivery)) {
      return this.#stop("wall clock");
    }
    if ("call" in delivery) this.#pending.delete(delivery.call);
    if ("input" in delivery) this.#take(delivery.input);
    if ("value" in delivery) this.#show(delivery.images);
    const least = "elapsed" in delivery ? maxMs ?? 0 : 0;
    const moved = run.clock.arrive(delivery.atMs, least);
    run.moved?.(moved);
    return "value" in delivery ? this.#fitting(delivery) : delivery;
  }

  /** A delivery that the program can take. Each attempt of a run makes the same of it. */
  #fitting(delivery: Extract<Delivery, { readonly value: string }>): Delivery {
    const { atMs, call, value } = delivery;
    const bytes = utf8Length(value);
    if (bytes <= CALL_LIMITS.answerBytes) return delivery;
    const written = this.#writeAnswer?.(value) ?? "ENOSYS";
    if (typeof written !== "string") return { atMs, call, value: JSON.stringify(written) };
    const message =
      `The answer has ${bytes} bytes, and was not written to ${WORKSPACE}: ${written}`;
    return { atMs, call, error: { kind: "tool", message } };
  }

  /** Waits for so many milliseconds. */
  sleep(ms: number): void {
    const run = this.#run;
    if (run === undefined) return;
    if (ms >= SHORTEST_WAIT_MS && Number.isFinite(ms)) {
      this.wait({ calls: [], input: false, maxMs: Math.min(ms, Number.MAX_SAFE_INTEGER) });
    } else if (ms > 0) {
      // nobody ends a sleep without an end
      run.clock.skip(ms);
      run.moved?.(ms);
    }
  }

  /** The next bytes of standard input, for which it waits if there are none; empty at its end. */
  input(most: number): Uint8Array {
    while (this.#isDry) {
      if (this.wait({ calls: [], input: true, maxMs: null }) === undefined) return EMPTY;
    }
    const bytes = this.#unread.subarray(0, most);
    this.#unread = this.#unread.subarray(bytes.length);
    return bytes;
  }

  /** Whether a read of standard input waits. */
  get #isDry(): boolean {
    return this.head.interactive && !this.#inputEnded && this.#unread.length === 0;
  }

  #show(images: readonly CallImage[] = []): void {
    for (const { mimeType, bytes } of images) {
      const data = mimeType === SVG ? svgText(bytes) : bytes;
      this.#port.display(ENCODER.encode(JSON.stringify({ data: { [mimeType]: data } })));
    }
  }

  #take(input: string | null): void {
    if (input === null) this.#inputEnded = true;
    else this.#unread = ENCODER.encode(input);
  }

  #stop(limit: CallsLimit): undefined {
    const run = this.#run;
    this.end();
    run?.stop(limit);
  }
}

/** Text that is no base64 stays as it is. */
function svgText(bytes: string): string {
  try {
    return new TextDecoder().decode(Uint8Array.fromBase64(bytes));
  } catch (thrown) {
    if (thrown instanceof SyntaxError) return bytes;
    throw thrown;
  }
}

/** Whether a delivery may end a wait. */
export function endsWait(
  { calls, input, maxMs }: {
    readonly calls: ReadonlySet<number>;
    readonly input: boolean;
    readonly maxMs: number | null;
  },
  delivery: Delivery,
): boolean {
  if ("call" in delivery) return calls.has(delivery.call);
  return "input" in delivery ? input : maxMs !== null;
}
