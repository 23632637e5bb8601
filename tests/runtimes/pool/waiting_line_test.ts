import { assertEquals, assertRejects } from "@std/assert";
import { WaitingLine } from "../../../runtimes/pool/waiting_line.ts";
import { ServiceError } from "../../../wire/errors.ts";

const LIMITS = { maxWaiting: 2, maxWaitMs: 10_000 };

Deno.test("waiting line: who came first is served first", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const order: string[] = [];
  const first = line.join(undefined).then((item) => order.push(`first ${item}`));
  const second = line.join(undefined).then((item) => order.push(`second ${item}`));
  assertEquals(line.serve("a"), true);
  assertEquals(line.serve("b"), true);
  await Promise.all([first, second]);
  assertEquals(order, ["first a", "second b"]);
  assertEquals(line.serve("c"), false);
});

Deno.test("waiting line: one more than may wait is refused with 503 and Retry-After", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const waiting = [line.join(undefined), line.join(undefined)];
  const refused = await assertRejects(() => line.join(undefined), ServiceError);
  assertEquals([refused.code, refused.status], ["OVERLOADED", 503]);
  assertEquals(refused.headers["retry-after"], "1");
  line.serve("a");
  line.serve("b");
  assertEquals(await Promise.all(waiting), ["a", "b"]);
});

Deno.test("waiting line: a wait that is too long ends with 503", async () => {
  const line = new WaitingLine<string>({ maxWaiting: 1, maxWaitMs: 5 });
  const refused = await assertRejects(() => line.join(undefined), ServiceError);
  assertEquals(refused.status, 503);
  assertEquals(line.length, 0);
});

Deno.test("waiting line: a caller who goes away leaves the line and takes nothing", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const caller = new AbortController();
  const gone = line.join(caller.signal);
  const stays = line.join(undefined);
  caller.abort(new Error("gone"));
  await assertRejects(() => gone, Error, "gone");
  assertEquals(line.serve("a"), true);
  assertEquals(await stays, "a");
});

Deno.test("waiting line: an item is not lost to a caller who leaves at the same moment", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const caller = new AbortController();
  const gone = assertRejects(() => line.join(caller.signal), Error, "gone");
  caller.abort(new Error("gone"));
  assertEquals(line.serve("a"), false);
  assertEquals(line.length, 0);
  await gone;
});

Deno.test("waiting line: who goes ahead is served next, however long the line", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const waiting = [line.join(undefined), line.join(undefined), line.join(undefined, "first")];
  for (const item of ["a", "b", "c"]) line.serve(item);
  assertEquals(await Promise.all(waiting), ["b", "c", "a"]);
});
