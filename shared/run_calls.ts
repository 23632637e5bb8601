/**
 * A run whose program calls functions of its caller or asks for input: the program waits until the
 * caller delivers an answer (docs/calls.md).
 *
 * The program of such a run is a function of its code, its seed, the start of its clock and its
 * deliveries. So an isolate can be taken back while the program waits, or be lost: another attempt
 * with the deliveries so far makes the same calls and stands at the same place.
 *
 * @module
 */
import type { JsonValue } from "../client/protocol/types.ts";
import type { CALL_LIMITS } from "./call_limits.ts";

/** The limits that each attempt of a run applies. */
export type CallLimits = typeof CALL_LIMITS;

/** A tool as the program knows it. */
export interface ToolHead {
  /** Identifiers joined by dots, at most `CallLimits.nameLength` characters. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly inputSchema?: { readonly [key: string]: JsonValue } | undefined;
}

/** A call of the program. Its text is untrusted: any name, and any arguments. */
export interface ProgramCall {
  /** Begins with 1 and has no gap. */
  readonly number: number;
  /** At most `CallLimits.nameLength` characters; perhaps no declared tool. */
  readonly name: string;
  /** The text of a JSON object, at most `CallLimits.argumentBytes` of UTF-8. */
  readonly arguments: string;
  /** Units used when the call was made. The same in each attempt on the same build. */
  readonly fuel: number;
}

/** The program waits until one delivery comes. */
export interface ProgramWait {
  /** Numbers of the calls of which one may be answered. Empty when it waits for none. */
  readonly calls: readonly number[];
  /**
   * Present when it also reads standard input, of which nothing is left: the question, which is the
   * unfinished line of standard output, cut at the front.
   */
  readonly prompt?: string | undefined;
  /** Milliseconds after which a timer or a sleep is due; null: nothing is. */
  readonly maxMs: number | null;
  /** Units used when the wait began. */
  readonly fuel: number;
  /** Bytes of linear memory when the wait began. */
  readonly memoryBytes: number;
}

/** Why a call failed: the tool's own error, a refusal, or no answer in time. */
export interface CallFailure {
  /** The class of the error in the program: ToolError, ToolDenied, ToolExpired. */
  readonly kind: "tool" | "denied" | "expired";
  readonly message: string;
  readonly data?: JsonValue | undefined;
}

/**
 * Places of integers in a value that become BigInt: their digits, in objects by key or index like the
 * value itself.
 */
export type IntegerPlaces = string | { readonly [key: string]: IntegerPlaces };

/** An image beside the value of a call. */
export interface CallImage {
  /** A type of images. */
  readonly mimeType: string;
  /** Base64. */
  readonly bytes: string;
}

/** Bytes of images, in base64. */
export function imageBytes(images: readonly CallImage[] = []): number {
  return images.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** The end of one wait. The program's clock moves to `atMs`, epoch milliseconds, and never back. */
export type Delivery =
  & { readonly atMs: number }
  & (
    /**
     * `value` is JSON text, at most `CallLimits.allAnswerBytes`. The isolate writes one that is larger than
     * `CallLimits.answerBytes` to a file, and the program gets its path and size. `integers`: for
     * JavaScript only. The run displays the images, once the program has the value.
     */
    | {
      readonly call: number;
      readonly value: string;
      readonly integers?: IntegerPlaces | undefined;
      readonly images?: readonly CallImage[] | undefined;
    }
    | { readonly call: number; readonly error: CallFailure }
    /** Text for standard input as it is, at most `CallLimits.answerBytes`; null: its end for good. */
    | { readonly input: string | null }
    /** The time of the wait is over. */
    | { readonly elapsed: true }
  );

/** An attempt of a run ended without a result. */
export class AttemptEnded extends Error {}

/** The isolate was taken back while the program waited. Another attempt goes on from there. */
export class RunReleased extends AttemptEnded {
  override readonly name = "RunReleased";
}

/** An attempt did not wait for the deliveries of the attempts before it. */
export class RunDiverged extends AttemptEnded {
  override readonly name = "RunDiverged";
}

/** The caller's side of one attempt of a run with calls. Its methods must not throw. */
export interface RunCalls {
  /** The declared tools; absent: the program has no `tools`. */
  readonly tools?: readonly ToolHead[] | undefined;
  /** Whether a read of standard input at its end waits for the caller. */
  readonly interactive: boolean;
  /** 32 secret random bytes, the same for each attempt. The `seed` of a request wins. */
  readonly seed: Uint8Array<ArrayBuffer>;
  /** Epoch milliseconds at which the run began first. The `clock` of a request wins. */
  readonly startMs: number;
  /** Deliveries of earlier attempts, which the isolate takes without asking. */
  readonly recorded: readonly Delivery[];
  /** Called with each call, also with those of earlier attempts, after the output before it. */
  called(call: ProgramCall): void;
  /**
   * Called when the program waits, also where a recorded delivery ends the wait (`isRecorded`); the
   * result is not used then. Resolves to the delivery that ends the wait. Undefined: the isolate is
   * taken back, and the attempt ends with a {@link RunReleased}.
   *
   * `signal` fires when the wait is over without a delivery, because the isolate was taken back or
   * lost, or the caller of the run disconnected.
   */
  wait(wait: ProgramWait, isRecorded: boolean, signal: AbortSignal): Promise<Delivery | undefined>;
}
