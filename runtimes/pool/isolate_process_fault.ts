/**
 * What the log is told of an isolate that failed. No text of a guest is in it: reasons are fixed
 * texts of our own, or what a process said before any guest ran in it.
 *
 * @module
 */
import { ProtocolError } from "../../wire/message.ts";
import { MAX_LOAD_FAILURE_BYTES } from "../isolate/protocol.ts";

/** A fault with its reason, where that is one of our own fixed texts. */
export function faultText(fault: string, thrown: unknown): string {
  return thrown instanceof ProtocolError ? `${fault}: ${thrown.message}` : fault;
}

/** Why a start failed, in a line. */
export function startFailure(cause: unknown): Error {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new Error(`An isolate did not start${reason}`, { cause });
}

/**
 * Why an engine could not be loaded, as the isolate tells it. The process should be what we
 * started, but that is not known: so no more is taken than one line of visible characters.
 */
export async function loadFailure(response: Response): Promise<Error> {
  const said = await startOf(response.body, MAX_LOAD_FAILURE_BYTES);
  const line = new TextDecoder().decode(said).replace(/[^\x20-\x7e]+/g, " ").trim();
  const reason = line === "" ? "" : `: ${line}`;
  return new Error(`The isolate answered ${response.status}${reason}`);
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
