/** Which calls a cancellation ends, and what is remembered of it. */
import { assertEquals } from "@std/assert";
import {
  MAX_EARLY_CANCELLATIONS,
  MAX_ID_LENGTH,
  McpCancellations,
  type McpSession,
  type RequestId,
} from "../../gateway/mcp_cancellations.ts";
import { BODY_DEADLINE_MS } from "../../shared/limits.ts";

const MINE: McpSession = { tenant: "a", id: "s" };
const call = (id: unknown) => ({ jsonrpc: "2.0", id, method: "tools/call" });
const cancelled = (requestId: unknown) => ({
  jsonrpc: "2.0",
  method: "notifications/cancelled",
  params: { requestId },
});

function made() {
  let now = 0;
  const cancellations = new McpCancellations(() => now);
  const opened = (session: McpSession, message: unknown) => {
    let all = 0;
    const calls = cancellations.open(session, message, () => all++);
    return { calls, isCancelled: (id: RequestId) => calls.signalOf(id)?.aborted, all: () => all };
  };
  return { cancellations, opened, pass: (ms: number) => now += ms };
}

Deno.test("mcp cancellations: tenant, session and id name a call", () => {
  const { cancellations, opened } = made();
  const { calls, isCancelled, all } = opened(MINE, call(1));
  const others: readonly [McpSession, unknown][] = [
    [{ tenant: "b", id: "s" }, cancelled(1)],
    [{ tenant: "a", id: "t" }, cancelled(1)],
    [{ tenant: "a", id: null }, cancelled(1)],
    [MINE, cancelled(2)],
    [MINE, cancelled("1")],
    [MINE, cancelled(null)],
    [MINE, { method: "notifications/cancelled" }],
    [MINE, call(1)],
    [MINE, null],
  ];
  for (const [session, message] of others) cancellations.apply(session, message);
  assertEquals([isCancelled(1), all()], [false, 0]);
  cancellations.apply(MINE, cancelled(1));
  assertEquals([isCancelled(1), all()], [true, 1]);
  calls[Symbol.dispose]();
});

Deno.test("mcp cancellations: calls of a batch are cancelled one by one; the last one ends the message", () => {
  const { cancellations, opened } = made();
  const { calls, isCancelled, all } = opened(MINE, [call(1), call("x"), { method: "note" }]);
  cancellations.apply(MINE, [cancelled("x")]);
  assertEquals([isCancelled(1), isCancelled("x"), all()], [false, true, 0]);
  cancellations.apply(MINE, [cancelled("x"), cancelled(1)]);
  assertEquals([isCancelled(1), all()], [true, 1]);
  calls[Symbol.dispose]();
  assertEquals(cancellations.size, 0);
});

Deno.test("mcp cancellations: an early cancellation applies until its call can no longer arrive", () => {
  const { cancellations, opened, pass } = made();
  cancellations.apply(MINE, cancelled(1));
  cancellations.apply(MINE, cancelled(2));
  const first = opened(MINE, call(1));
  assertEquals([first.isCancelled(1), first.all()], [true, 1]);
  pass(BODY_DEADLINE_MS);
  const second = opened(MINE, call(2));
  assertEquals(second.isCancelled(2), false);
  for (const { calls } of [first, second]) calls[Symbol.dispose]();
  assertEquals(cancellations.size, 0);
});

Deno.test("mcp cancellations: memory is bounded, and one tenant's are not at another's cost", () => {
  const { cancellations, opened } = made();
  const other = { tenant: "b", id: "s" };
  cancellations.apply(other, cancelled("theirs"));
  const ids = [...Array(10_000).keys()];
  cancellations.apply(MINE, ids.map(cancelled));
  for (const id of ids) cancellations.apply({ ...MINE, id: `s${id}` }, cancelled(1));
  cancellations.apply({ ...MINE, id: "s".repeat(MAX_ID_LENGTH + 1) }, cancelled(1));
  cancellations.apply(MINE, cancelled("x".repeat(MAX_ID_LENGTH)));
  assertEquals(cancellations.size, MAX_EARLY_CANCELLATIONS + 1);
  assertEquals(opened(other, call("theirs")).isCancelled("theirs"), true);
});
