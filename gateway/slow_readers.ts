/**
 * Large answers to slow readers: sent in pieces, counted against the tenant's share, and aborted
 * when the reader stops or is too slow.
 *
 * @module
 */
import { READER_BYTES_PER_SECOND, READER_PAUSE_MS } from "../wire/limits.ts";
import { heldBy } from "../wire/responses.ts";
import type { BodyAccount } from "./body_budget.ts";

/** How an answer is delivered. */
export interface DeliveryOptions {
  /** The tenant's account; disposed of once the answer is read or aborted. */
  readonly open: () => BodyAccount;
  /** Whether this is the answer of a run, which is delivered even when there is no room for it. */
  readonly owed: boolean;
  /** Longest pause of a reader, in milliseconds. @default {30_000} */
  readonly pauseMs?: number;
  /**
   * Bytes per second that a reader has to take on average after its first pause. @default {32_768}
   */
  readonly bytesPerSecond?: number;
}

/**
 * Returns the same answer. A large one counts against the tenant's share until it is read.
 *
 * @throws {ServiceError} `RATE_LIMITED` when there is no room, unless the answer belongs to a run.
 */
export async function deliver(answer: Response, options: DeliveryOptions): Promise<Response> {
  const held = heldBy(answer);
  if (held === undefined || answer.body === null) return answer;
  const account = options.open();
  try {
    if (options.owed) account.owe(held);
    else account.hold(held);
  } catch (thrown) {
    account[Symbol.dispose]();
    await answer.body.cancel();
    throw thrown;
  }
  const { status, headers } = answer;
  return new Response(watched(answer.body, account, options), { status, headers });
}

/** Passes a body on as long as it is read fast enough. */
function watched(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  account: BodyAccount,
  { pauseMs = READER_PAUSE_MS, bytesPerSecond = READER_BYTES_PER_SECOND }: DeliveryOptions,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = body.getReader();
  const began = performance.now();
  let handedOver = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = () => {
    clearTimeout(timer);
    account[Symbol.dispose]();
  };
  return new ReadableStream({
    start(controller) {
      watch(controller);
    },
    async pull(controller) {
      clearTimeout(timer);
      const { done, value } = await source.read().catch((thrown) => {
        end();
        throw thrown;
      });
      if (done) {
        end();
        controller.close();
        return;
      }
      handedOver += value.length;
      controller.enqueue(value);
      watch(controller);
    },
    async cancel(reason) {
      end();
      await source.cancel(reason);
    },
  }, { highWaterMark: 0 });

  /** Waits until the reader asks for more. */
  function watch(controller: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>>): void {
    const due = began + pauseMs + 1_000 * handedOver / bytesPerSecond;
    timer = setTimeout(() => {
      end();
      const reason = new Error("the answer is not read");
      controller.error(reason);
      source.cancel(reason).catch(() => undefined);
    }, Math.min(pauseMs, Math.max(0, due - performance.now())));
    Deno.unrefTimer(timer);
  }
}
