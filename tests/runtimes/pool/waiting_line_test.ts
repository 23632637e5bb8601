import { assertEquals, assertRejects } from "@std/assert";
import { WaitingLine } from "../../../runtimes/pool/waiting_line.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { ManualTime } from "../../store/fixture.ts";

const PATIENT = { maxWaitMs: 10_000 };
const CALLER = { tenant: "a", ...PATIENT };
const LIMITS = { maxWaiting: 2 };

Deno.test("waiting line: the first caller is served first", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const order: string[] = [];
  const first = line.join(CALLER).then((item) => order.push(`first ${item}`));
  const second = line.join(CALLER).then((item) => order.push(`second ${item}`));
  assertEquals(line.serve("a"), true);
  assertEquals(line.serve("b"), true);
  await Promise.all([first, second]);
  assertEquals(order, ["first a", "second b"]);
  assertEquals(line.serve("c"), false);
});

Deno.test("waiting line: a caller beyond the longest line is refused with 503 and Retry-After", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const waiting = [line.join(CALLER), line.join(CALLER)];
  const refused = await assertRejects(() => line.join(CALLER), ServiceError);
  assertEquals([refused.code, refused.status], ["OVERLOADED", 503]);
  assertEquals(refused.headers["retry-after"], "1");
  line.serve("a");
  line.serve("b");
  assertEquals(await Promise.all(waiting), ["a", "b"]);
});

Deno.test("waiting line: a wait that is too long ends with 503", async () => {
  const time = new ManualTime(() => true);
  const line = new WaitingLine<string>({ maxWaiting: 2 }, time);
  const patient = line.join({ ...CALLER, maxWaitMs: 60_001 });
  const refused = assertRejects(() => line.join({ ...CALLER, maxWaitMs: 60_000 }), ServiceError);
  await time.advance(59_999);
  assertEquals(line.length, 2);
  await time.advance(1);
  assertEquals([(await refused).status, line.length], [503, 1]);
  line.serve("a");
  assertEquals([await patient, time.pending], ["a", 0]);
});

Deno.test("waiting line: a caller who goes away leaves the line and takes nothing", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const caller = new AbortController();
  const gone = line.join({ ...CALLER, signal: caller.signal });
  const stays = line.join(CALLER);
  caller.abort(new Error("gone"));
  await assertRejects(() => gone, Error, "gone");
  assertEquals(line.serve("a"), true);
  assertEquals(await stays, "a");
});

Deno.test("waiting line: an item is not lost to a caller who leaves at the same moment", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const caller = new AbortController();
  const gone = assertRejects(
    () => line.join({ ...CALLER, signal: caller.signal }),
    Error,
    "gone",
  );
  caller.abort(new Error("gone"));
  assertEquals(line.serve("a"), false);
  assertEquals(line.length, 0);
  await gone;
});

Deno.test("waiting line: a caller who goes ahead is served next, however long the line", async () => {
  const line = new WaitingLine<string>(LIMITS);
  const waiting = [line.join(CALLER), line.join(CALLER), line.join(CALLER, "first")];
  for (const item of ["a", "b", "c"]) line.serve(item);
  assertEquals(await Promise.all(waiting), ["b", "c", "a"]);
});

Deno.test("waiting line: tenants take turns, however many runs one of them has in the line", async () => {
  const line = new WaitingLine<number>({ maxWaiting: 100 });
  const order: string[] = [];
  const joins = ["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map(async (name) => {
    await line.join({ tenant: name.slice(0, 1), ...PATIENT });
    order.push(name);
  });
  for (let item = 0; item < joins.length; item++) line.serve(item);
  await Promise.all(joins);
  assertEquals(order, ["a1", "b1", "c1", "a2", "b2", "a3", "a4"]);
});

Deno.test("waiting line: a full line makes room for a tenant with few runs in it", async () => {
  const line = new WaitingLine<string>({ maxWaiting: 4 });
  const busy = [1, 2, 3, 4].map(() => line.join({ tenant: "busy", ...PATIENT }));
  const refused = assertRejects(() => busy[3] ?? Promise.resolve(), ServiceError);
  const others = [line.join({ tenant: "b", ...PATIENT }), line.join({ tenant: "c", ...PATIENT })];
  const second = assertRejects(() => busy[2] ?? Promise.resolve(), ServiceError);
  for (const tenant of ["busy", "b"]) {
    const error = await assertRejects(() => line.join({ tenant, ...PATIENT }), ServiceError);
    assertEquals(error.status, 503);
  }
  await Promise.all([refused, second]);
  for (const item of ["1", "2", "3", "4"]) line.serve(item);
  assertEquals(await Promise.all([busy[0], ...others, busy[1]]), ["1", "2", "3", "4"]);
  assertEquals([line.length, line.serve("5")], [0, false]);
});
