/**
 * A run that waits, as text for a model and as data that fits into a message.
 *
 * @module
 */
import { approvalsOf } from "./approval.ts";
import { jsonBytes } from "./message_size.ts";
import { firstBytes } from "./results.ts";
import type { RunWaiting } from "./run_schemas.ts";

/** Bytes of JSON for the calls of one result. */
const CALLS_BYTES = 512 * 1024;
/** Bytes of the text for all calls: the end of a shortened text is whole. */
const SECTION_BYTES = 5 * 1024;
/** Bytes of the text for the arguments of one call. */
const ARGUMENTS_BYTES = 1024;
/** Bytes of the text for a prompt. */
const PROMPT_BYTES = 512;

/** The same with as many calls as fit, at least one. The others are counted in `moreCalls`. */
export function fittingWaiting(waiting: RunWaiting): RunWaiting {
  let bytes = 0;
  const over = waiting.calls.findIndex((call) => (bytes += jsonBytes(call)) > CALLS_BYTES);
  if (over < 1) return waiting;
  return {
    ...waiting,
    calls: waiting.calls.slice(0, over),
    moreCalls: waiting.calls.length - over,
  };
}

/** Lines that say for what the program waits, and how it is answered. */
export function waitingText(waiting: RunWaiting): string {
  const { run, calls, input, until, moreCalls = 0 } = waiting;
  if (until !== undefined && calls.length === 0 && input === undefined) {
    return `The program sleeps until ${new Date(until).toISOString()}. ` +
      `answer_run {"run": "${run}"} shows how it is then; cancel_run ends it.`;
  }
  const lines: string[] = [];
  let room = SECTION_BYTES;
  for (const { key, name, arguments: given } of calls) {
    const line = `call ${key} ${name} ${cut(JSON.stringify(given), ARGUMENTS_BYTES)}`;
    if (line.length > room) break;
    lines.push(line);
    room -= line.length;
  }
  const others = calls.length - lines.length + moreCalls;
  if (others > 0) {
    lines.push(`and ${others} more calls, shown with the structured content or later`);
  }
  if (input !== undefined) {
    lines.push(`input ${input.key} ${JSON.stringify(cut(input.prompt, PROMPT_BYTES))}`);
  }
  const approvals = approvalsOf(waiting);
  if (approvals.length === calls.length && calls.length > 0 && input === undefined) {
    return `The program waits in run ${run} for somebody who approves its calls, on the page or by ` +
      `an approving token. answer_run {"run": "${run}"} shows how it is then; cancel_run ends it. ` +
      `It waits for:\n${lines.join("\n")}`;
  }
  const key = calls.find(({ approval }) => approval === undefined)?.key ?? input?.key ?? "";
  return `The program waits in run ${run}. ` +
    `answer_run {"run": "${run}", "answers": [{"key": "${key}", "value": …}]} answers it, ` +
    `cancel_run ends it. It waits for:\n${lines.join("\n")}`;
}

function cut(text: string, most: number): string {
  const bytes = new TextEncoder().encode(text);
  return bytes.length <= most ? text : `${firstBytes(bytes, most)}… (${bytes.length} bytes)`;
}
