/**
 * Large answers, as slow as their readers are: handed over in pieces, counted against the bytes
 * that the process holds for the tenant, and broken off when nobody reads them.
 *
 * @module
 */
import { READER_PAUSE_MS } from "../wire/limits.ts";
import { LARGE_ANSWER_BYTES } from "../wire/responses.ts";
import type { BodyAccount } from "./body_budget.ts";

/** How an answer is handed over. */
export interface DeliveryOptions {
  /** Opened for the tenant; disposed of once the answer is read, or broken off. */
  readonly open: () => BodyAccount;
  /** Longest pause of a reader, in milliseconds. @default {30_000} */
  readonly pauseMs?: number;
}

const PIECE_BYTES = 64 * 1024;

/** The same answer; a large one takes its bytes from the tenant's share until it is read. */
export async function deliver(answer: Response, options: DeliveryOptions): Promise<Response> {
  const length = Number(answer.headers.get("content-length") ?? 0);
  // the body is not looked at before: as text it is sent in one piece, as a stream it is not
  if (!(length >= LARGE_ANSWER_BYTES) || answer.body === null) return answer;
  const bytes = new Uint8Array(await answer.arrayBuffer());
  const { status, headers } = answer;
  return new Response(inPieces(bytes, options), { status, headers });
}

function inPieces(
  bytes: Uint8Array<ArrayBuffer>,
  { open, pauseMs = READER_PAUSE_MS }: DeliveryOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const account = open();
  account.hold(bytes.length);
  let at = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    account[Symbol.dispose]();
  };
  return new ReadableStream({
    pull(controller) {
      clearTimeout(timer);
      if (at >= bytes.length) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(bytes.subarray(at, at += PIECE_BYTES));
      timer = setTimeout(() => {
        end();
        controller.error(new Error("nobody reads the answer"));
      }, pauseMs);
      Deno.unrefTimer(timer);
    },
    cancel: end,
  }, { highWaterMark: 0 });
}
