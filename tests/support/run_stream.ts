/**
 * Reads the stream of a run, in either form, as it arrives.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { EVENT_STREAM, NDJSON, type RunEvent } from "../../client/protocol/run_events.ts";
import type { Display, ErrorResponse, ExecutionResult } from "../../client/protocol/types.ts";

/** The media types of streams. */
export const STREAM_TYPES = [NDJSON, EVENT_STREAM] as const;

/** Headers of a request for a stream. */
export function streamHeaders(accept: string = NDJSON): Record<string, string> {
  return { "content-type": "application/json", accept };
}

/**
 * The events of an answer, each as soon as it is whole, without keepalives: how many of them come
 * depends on the machine. Rejects when the answer is broken off.
 */
export async function* eventsOf(answer: Response): AsyncGenerator<RunEvent> {
  for await (const event of allEventsOf(answer)) if (event.type !== "keepalive") yield event;
}

/** Like {@link eventsOf}, with keepalives. */
export async function* allEventsOf(answer: Response): AsyncGenerator<RunEvent> {
  const type = answer.headers.get("content-type");
  assert(type === NDJSON || type === EVENT_STREAM, `${answer.status} ${type}`);
  const end = type === NDJSON ? "\n" : "\n\n";
  let text = "";
  for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = (text + piece).split(end);
    text = blocks.pop() ?? "";
    for (const block of blocks) yield type === NDJSON ? JSON.parse(block) : eventOf(block);
  }
  assertEquals(text, "");
}

function eventOf(block: string): RunEvent {
  const [, name, data = ""] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? [];
  const event: RunEvent = JSON.parse(data);
  assertEquals(event.type, name);
  return event;
}

/** The contents of a whole stream. */
export interface HeardStream {
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  readonly displays: readonly Display[];
  readonly last: ExecutionResult | ErrorResponse;
  /** Types of all events but keepalives, in order. */
  readonly types: readonly RunEvent["type"][];
}

/** Reads a stream to its end, and checks what holds of every stream. */
export async function heard(answer: Response): Promise<HeardStream> {
  assertEquals(answer.status, 200);
  assertEquals(answer.headers.get("cache-control"), "no-store");
  assertEquals(answer.headers.get("x-accel-buffering"), "no");
  const logs = { stdout: new Array<string>(), stderr: new Array<string>() };
  const types: RunEvent["type"][] = [];
  const displays: Display[] = [];
  let last: ExecutionResult | ErrorResponse | undefined;
  for await (const event of eventsOf(answer)) {
    assertEquals(last, undefined, "nothing follows the last event");
    types.push(event.type);
    if (event.type === "stdout" || event.type === "stderr") logs[event.type].push(event.text);
    if (event.type === "display") displays.push(event.display);
    if (event.type === "end") last = event.execution;
    if (event.type === "failed") last = event.error;
  }
  assertEquals(types[0], "start");
  assertEquals(types.filter((type) => type === "start").length, 1);
  assert(last !== undefined, "the stream has a last event");
  return { ...logs, displays, last, types };
}
