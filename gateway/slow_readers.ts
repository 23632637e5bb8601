/**
 * Large answers to slow readers: sent in pieces, counted against the tenant's share, and aborted
 * when the reader stops or is too slow.
 *
 * @module
 */
import { type ReaderLimits, readerPace } from "../shared/reader_pace.ts";
import { memoryOf } from "../shared/responses.ts";
import type { BodyAccount } from "./body_budget.ts";

/** How an answer is delivered. */
export interface DeliveryOptions extends ReaderLimits {
  /** The tenant's account; disposed of once the answer is read or aborted. */
  readonly open: () => BodyAccount;
  /** Whether this is the answer of a run, which is delivered even when there is no room for it. */
  readonly owed: boolean;
}

/**
 * Returns the same answer. A large one counts against the tenant's share until it is read.
 *
 * @throws {ServiceError} `RATE_LIMITED` when there is no room, unless the answer belongs to a run.
 */
export async function deliver(answer: Response, options: DeliveryOptions): Promise<Response> {
  const memory = memoryOf(answer);
  if (memory === undefined || answer.body === null) return answer;
  const account = options.open();
  try {
    if (options.owed) account.owe(memory);
    else account.hold(memory);
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
  limits: ReaderLimits,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  const source = body.getReader();
  let stop: (reason: Error) => void = () => undefined;
  const pace = readerPace(limits, () => stop(new Error("the answer is not read")));
  const end = () => {
    pace.rest();
    account[Symbol.dispose]();
  };
  return new ReadableStream({
    start(controller) {
      stop = (reason) => {
        end();
        controller.error(reason);
        source.cancel(reason).catch(() => undefined);
      };
    },
    async pull(controller) {
      pace.rest();
      const { done, value } = await source.read().catch((thrown) => {
        end();
        throw thrown;
      });
      if (done) {
        end();
        controller.close();
        return;
      }
      controller.enqueue(value);
      pace.handed(value.length);
    },
    async cancel(reason) {
      end();
      await source.cancel(reason);
    },
  }, { highWaterMark: 0 });
}
