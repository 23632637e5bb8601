/**
 * Large answers, as slow as their readers are: handed over in pieces, counted against the share of
 * their own tenant, and broken off when they are not read, or too slowly.
 *
 * @module
 */
import { READER_BYTES_PER_SECOND, READER_PAUSE_MS } from "../wire/limits.ts";
import { heldBy } from "../wire/responses.ts";
import type { BodyAccount } from "./body_budget.ts";

/** How an answer is handed over. */
export interface DeliveryOptions {
  /** Opened for the tenant; disposed of once the answer is read, or broken off. */
  readonly open: () => BodyAccount;
  /** The answer of a run: it is handed over whether there is room for it or not. */
  readonly owed: boolean;
  /** Longest pause of a reader, in milliseconds. @default {30_000} */
  readonly pauseMs?: number;
  /** What a reader has to take on average after its first pause. @default {32_768} */
  readonly bytesPerSecond?: number;
}

/**
 * The same answer; a large one takes its bytes from the tenant's share until it is read.
 *
 * @throws {ServiceError} `RATE_LIMITED` when there is no room for an answer that is not owed.
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

/** Hands on what is read of a body, as long as it is read fast enough. */
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

  /** Waits for the reader to ask for more. */
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
