/**
 * Log texts about a failed isolate. They contain no text from a guest: reasons are fixed texts of
 * our own, or what a process wrote before any guest ran in it.
 *
 * @module
 */
import { ProtocolError } from "../../shared/message.ts";
import { MAX_LOAD_FAILURE_BYTES } from "../isolate/protocol.ts";

/** A fault with its reason, if that is one of our own fixed texts. */
export function faultText(fault: string, thrown: unknown): string {
  return thrown instanceof ProtocolError ? `${fault}: ${thrown.message}` : fault;
}

/** Why a start failed, in one line. */
export function startFailure(cause: unknown): Error {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new Error(`An isolate did not start${reason}`, { cause });
}

/** A start that took too long, which has no other reason on a machine with too much to do. */
export function startTimeout(deadlineMs: number, cause: unknown): Error {
  return new Error(`An isolate did not start within ${deadlineMs} ms`, { cause });
}

/** The isolate program cannot load an engine: always, and not for lack of memory. */
export class EngineRefused extends Error {
  override name = "EngineRefused";
}

/** How an isolate names a failure that has to do with memory, which may have gone next time. */
const FOR_WANT_OF_MEMORY = /^RangeError\b/;

/**
 * Why an engine could not be loaded, in the isolate's words. The process may not be the one that
 * was started, so only one line of visible characters is used.
 */
export async function loadFailure(response: Response): Promise<Error> {
  const message = await startOf(response.body, MAX_LOAD_FAILURE_BYTES);
  const line = new TextDecoder().decode(message).replace(/[^\x20-\x7e]+/g, " ").trim();
  const reason = line === "" ? "" : `: ${line}`;
  const text = `The isolate answered ${response.status}${reason}`;
  const isRefusal = line !== "" && !FOR_WANT_OF_MEMORY.test(line);
  return isRefusal ? new EngineRefused(text) : new Error(text);
}

/** The first bytes of a body; the rest is not read. */
async function startOf(
  body: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(limit);
  let filled = 0;
  const reader = body?.getReader();
  while (reader !== undefined && filled < limit) {
    const { done, value } = await reader.read();
    if (done) break;
    const part = value.subarray(0, limit - filled);
    bytes.set(part, filled);
    filled += part.length;
  }
  await reader?.cancel();
  return bytes.subarray(0, filled);
}
