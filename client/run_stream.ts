/**
 * A run as it happens: reads the stream of its events, and has callbacks called meanwhile
 * (docs/contract.md#streaming).
 *
 * The stream is read as fast as it arrives, even if callbacks are slow: the service cuts off streams
 * that are not read. Events that wait for callbacks are bounded by the length of the stream.
 *
 * @module
 */
import { expectShape, MAX_ANSWER_BYTES, serviceError } from "./answer.ts";
import { ByteReader } from "./byte_reader.ts";
import type { Delivery } from "./callbacks.ts";
import { BrokenAnswer, type SandboxError } from "./errors.ts";
import {
  type ExecutionResult,
  readCall,
  readDisplay,
  readExecutionResult,
  readInput,
} from "./execution_result.ts";
import { JsonShape } from "./json_shape.ts";
import { LineReader } from "./lines.ts";
import { NDJSON } from "./protocol/run_events.ts";
import type { PendingCall, PendingInput } from "./protocol/types.ts";

/** A line holds at most a whole answer, and the name of its event. */
const MAX_LINE_BYTES = MAX_ANSWER_BYTES + 1024;
/** A stream has output and displays twice: as events, and in the result. */
const MAX_STREAM_BYTES = 2 * MAX_ANSWER_BYTES;
/** How long the end of the stream may come after its last event, in milliseconds. */
const CLOSING_MS = 100;

/** Hears of what a program waits for. */
export interface WaitListener {
  /** The id of the run, if it can wait. */
  started(run: string): void;
  /** The program calls a tool. */
  call(call: PendingCall): void;
  /** The program asks for a line. */
  ask(input: PendingInput): void;
}

/** Whether an answer is a stream of events. */
export function isRunStream({ status, headers }: Response): boolean {
  const [type = ""] = (headers?.get("content-type") ?? "").split(";");
  return status === 200 && type.trim().toLowerCase() === NDJSON;
}

/**
 * Reads the stream of a run to its result, and resolves when the callbacks have received everything.
 *
 * @throws {SandboxError} the error of a run without a result; a {@link BrokenAnswer} when the
 * stream ends without either.
 * @throws {FinalFailure} when a callback throws.
 */
export async function hearRun(
  response: Response,
  delivery: Delivery,
  signal: AbortSignal,
  waits?: WaitListener,
): Promise<ExecutionResult> {
  const body = await ByteReader.ofBody(response, MAX_STREAM_BYTES);
  return await body.during(signal, async () => {
    const last = await Promise.race([delivery.failed, lastEvent(body, delivery, waits)]);
    if ("result" in last) {
      await delivery.finish(last.result);
      return last.result;
    }
    await delivery.idle();
    throw last.error;
  });
}

/** How a stream ends. */
type LastEvent = { readonly result: ExecutionResult } | { readonly error: unknown };

/** Reads up to the last event. */
async function lastEvent(
  body: ByteReader,
  delivery: Delivery,
  waits: WaitListener | undefined,
): Promise<LastEvent> {
  const lines = new LineReader(body, MAX_LINE_BYTES);
  try {
    for (;;) {
      const line = await lines.next();
      if (line === undefined) {
        throw new BrokenAnswer("The connection broke before the run had ended");
      }
      const last = line.trim() === ""
        ? undefined
        : expectShape(200, () => take(line, delivery, waits));
      if (last === undefined) continue;
      await closing(body);
      return last;
    }
  } catch (error) {
    return { error };
  }
}

/** Reads one event; undefined unless it is the last one. Types of later versions are ignored. */
function take(
  line: string,
  delivery: Delivery,
  waits: WaitListener | undefined,
): LastEvent | undefined {
  const event = JsonShape.parse(line);
  const type = event.string("type");
  switch (type) {
    case "stdout":
    case "stderr":
      delivery.line(type, event.string("text"));
      return undefined;
    case "start":
      if (event.has("run")) waits?.started(event.string("run"));
      return undefined;
    case "call":
      waits?.call(readCall(event.object("call")));
      return undefined;
    case "input":
      waits?.ask(readInput(event));
      return undefined;
    case "display":
      delivery.display(readDisplay(event.object("display")));
      return undefined;
    case "end":
      return { result: readExecutionResult(event.object("execution")) };
    case "failed":
      return { error: failureOf(event.object("error")) };
    default:
      return undefined;
  }
}

function failureOf(error: JsonShape): SandboxError {
  return serviceError(error, error.number("httpStatus"));
}

/** Waits for the end of the stream, so that its connection can be used again. */
async function closing(body: ByteReader): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), CLOSING_MS);
  });
  const closed = body.read().catch(() => undefined);
  await Promise.race([closed, late]);
  clearTimeout(timer);
}
