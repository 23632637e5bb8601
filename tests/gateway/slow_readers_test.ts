import { assert, assertEquals, assertRejects, assertStrictEquals, assertThrows } from "@std/assert";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { deliver, type DeliveryOptions } from "../../gateway/slow_readers.ts";
import { ServiceError } from "../../shared/errors.ts";
import { jsonResponse, LARGE_ANSWER_BYTES } from "../../shared/responses.ts";
import { until } from "../support/wait.ts";

const LIMITS = { bodyBytes: 1_000_000, bodyBytesPerTenant: 300_000 };
const LARGE = { text: "x".repeat(400_000) };

function opened(budget: BodyBudget, options: Partial<DeliveryOptions> = {}): DeliveryOptions {
  return { open: () => budget.open("a"), owed: true, ...options };
}

Deno.test("slow readers: a small answer is passed on unchanged", async () => {
  const budget = new BodyBudget(LIMITS);
  const answer = jsonResponse({ text: "x".repeat(LARGE_ANSWER_BYTES / 2) });
  assertStrictEquals(await deliver(answer, opened(budget)), answer);
  assertEquals(budget.bytesInUse, 0);
  await answer.body?.cancel();
});

Deno.test("slow readers: a large answer arrives whole, with its status and headers", async () => {
  const budget = new BodyBudget(LIMITS);
  const made = jsonResponse(LARGE, { status: 201, headers: { "server-timing": "run;dur=1" } });
  const answer = await deliver(made, opened(budget));
  assertEquals([answer.status, answer.headers.get("server-timing")], [201, "run;dur=1"]);
  const text = await answer.text();
  assertEquals(text.length, Number(answer.headers.get("content-length")));
  assertEquals(JSON.parse(text), LARGE);
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("slow readers: an unread answer blocks runs of its own tenant only", async () => {
  const budget = new BodyBudget(LIMITS);
  const answer = await deliver(jsonResponse(LARGE), opened(budget));
  const refused = assertThrows(() => budget.check("a"), ServiceError);
  assertEquals(refused.code, "RATE_LIMITED");
  budget.check("b");
  await answer.body?.cancel();
  budget.check("a");
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("slow readers: an answer is aborted when its reader stops", async () => {
  const budget = new BodyBudget(LIMITS);
  const answer = await deliver(jsonResponse(LARGE), opened(budget, { pauseMs: 20 }));
  const reader = answer.body?.getReader();
  assert(reader !== undefined);
  await reader.read();
  await until(() => budget.bytesInUse === 0);
  await assertRejects(async () => {
    for (let done = false; !done;) ({ done } = await reader.read());
  });
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("slow readers: an answer that exceeds its tenant's share is refused, except a run's", async () => {
  const budget = new BodyBudget(LIMITS);
  const refused = await assertRejects(
    () => deliver(jsonResponse(LARGE), opened(budget, { owed: false })),
    ServiceError,
  );
  assertEquals([refused.status, refused.context["limit"], budget.bytesInUse], [
    429,
    "request bytes",
    0,
  ]);
  const owed = await deliver(jsonResponse(LARGE), opened(budget));
  assertEquals((await owed.json()).text, LARGE.text);
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("slow readers: unread answers of a tenant take no bytes of other tenants", async () => {
  const budget = new BodyBudget({ bodyBytes: 500_000, bodyBytesPerTenant: 300_000 });
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => deliver(jsonResponse(LARGE), opened(budget))),
  );
  using other = budget.open("b");
  other.take(300_000);
  assertThrows(() => budget.open("a").take(1), ServiceError);
  for (const answer of answers) await answer.body?.cancel();
  budget.open("a").take(1);
});

Deno.test("slow readers: a reader below the minimum pace is cut off, others are not", async () => {
  const budget = new BodyBudget(LIMITS);
  const rules = { pauseMs: 60, bytesPerSecond: 10_000_000 };
  const sip = async (answer: Response, everyMs: number) => {
    const reader = answer.body?.getReader();
    for (;;) {
      const piece = await reader?.read();
      if (piece === undefined || piece.done) return "whole";
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  };
  const large = { text: "x".repeat(2_000_000) };
  const slow = await deliver(jsonResponse(large), opened(budget, rules));
  await assertRejects(() => sip(slow, 40), Error, "not read");
  const steady = await deliver(jsonResponse(LARGE), opened(budget, { ...rules, pauseMs: 10_000 }));
  assertEquals(await sip(steady, 1), "whole");
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("slow readers: an answer that is never read is dropped", async () => {
  const budget = new BodyBudget(LIMITS);
  const answer = await deliver(jsonResponse(LARGE), opened(budget, { pauseMs: 10 }));
  assert(budget.bytesInUse > 0);
  await until(() => budget.bytesInUse === 0);
  await assertRejects(() => answer.text());
});
