/** Sends runs whose callers do not wait for them. */
import { assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { fakeRuntimes } from "../sandbox/fixture.ts";
import { wrongKeys } from "../support/kill_keys.ts";
import type { ContextCaller } from "./context_caller.ts";

const ASYNC = { prefer: "respond-async" };

/** Sends a run whose caller does not wait. Returns the status and the body. */
export async function send(
  box: ContextCaller,
  code: string,
  { headers = {}, ...fields }: Record<string, unknown> & { headers?: Record<string, string> } = {},
) {
  const body = { binding: "PYTHON", code, ...fields };
  const answer = await box.send("POST", "/execute", body, { headers: { ...ASYNC, ...headers } });
  return { status: answer.status, body: await answer.json() };
}

/** The same, for a run that is answered with 202. Returns its id. */
export async function queue(
  box: ContextCaller,
  code: string,
  fields: Record<string, unknown> = {},
): Promise<string> {
  const { status, body } = await send(box, code, fields);
  assertEquals([status, body.run.state], [202, "queued"]);
  return body.run.id;
}

/** The state of a run. */
export async function stateOf(box: ContextCaller, run: string): Promise<unknown> {
  return (await box.call(200, "GET", `/runs/${run}`))["state"];
}

/** The faults of the keys of runs. */
export async function faults(store: KvStore): Promise<readonly string[]> {
  const found = await wrongKeys(store);
  return found.filter((text) => text.includes('"run') && !text.includes('"run_due"'));
}

/** A runtime whose programs wait at `wait` until they are let go. */
export function gated() {
  const runtimes = fakeRuntimes();
  const gate = Promise.withResolvers<void>();
  runtimes.PYTHON.gate = gate.promise;
  return { runtimes, open: () => gate.resolve() };
}
