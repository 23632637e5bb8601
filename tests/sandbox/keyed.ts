/**
 * Runs with an `Idempotency-Key` over fake runtimes, for tests.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import type { Body, Caller } from "./fixture.ts";

/** An answer that is read. */
export interface ReadAnswer {
  readonly status: number;
  /** Whether it was kept from an earlier run. */
  readonly replayed: boolean;
  readonly text: string;
  readonly body: Body;
}

/** Runs code with a key, in the default context of Python or as the fields say. */
export async function keyed(
  box: Caller,
  key: string,
  code: string,
  { headers = {}, signal, ...fields }: Body & {
    readonly headers?: Record<string, string>;
    readonly signal?: AbortSignal;
  } = {},
): Promise<ReadAnswer> {
  const body = { binding: "PYTHON", code, ...fields };
  const answer = await box.send("POST", "/execute", body, {
    headers: { "idempotency-key": key, ...headers },
    ...(signal === undefined ? {} : { signal }),
  });
  const replayed = answer.headers.get("idempotency-replayed");
  assertEquals(replayed === null || replayed === "true", true);
  const text = await answer.text();
  return {
    status: answer.status,
    replayed: replayed !== null,
    text,
    body: text === "" ? {} : JSON.parse(text),
  };
}

/** Status, whether replayed, and the number of the run. */
export function told({ status, replayed, body }: ReadAnswer): readonly unknown[] {
  return [status, replayed, body["executionCount"] ?? body["code"]];
}
