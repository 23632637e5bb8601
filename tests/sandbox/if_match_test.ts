import { assert, assertEquals } from "@std/assert";
import { count } from "../support/counts.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";
import { keyed, told } from "./keyed.ts";

/** Runs with `If-Match`; gives status and code, or the number of the run. */
async function matched(
  box: Caller,
  ifMatch: string,
  fields: Record<string, unknown> = {},
): Promise<readonly unknown[]> {
  const body = { binding: "PYTHON", code: "x = 1", ...fields };
  const answer = await box.send("POST", "/execute", body, { headers: { "if-match": ifMatch } });
  const { code, executionCount } = await answer.json();
  return [answer.status, executionCount ?? code];
}

const FAILED = [412, "PRECONDITION_FAILED"] as const;
const MALFORMED = [400, "VALIDATION_FAILED"] as const;

Deno.test("If-Match: the number of runs must be one of those in quotes, or any with *", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const contextId = await box.context();
    const ran = () => runtimes.PYTHON.runs.length;
    assertEquals(await matched(box, '"0"', { contextId }), [200, 1]);
    assertEquals(await matched(box, "*", { contextId }), [200, 2]);
    assertEquals(await matched(box, '"2"'), [200, 3]);
    assertEquals(await matched(box, '"1", "3"'), [200, 4]);
    assertEquals(await matched(box, ' , "4",,'), [200, 5]);
    assertEquals(await matched(box, 'W/"5", "5"'), [200, 6]);
    const others = ['"0"', '"5"', '"7"', '"1", "2"', 'W/"6"', `"${"9".repeat(200)}"`, '"60"'];
    for (const other of others) assertEquals(await matched(box, other), FAILED, other);
    const bad = ["", "6", '"6', '"x"', '"06"', '"-6"', '"6.0"', '""', "W/6", '"6" "7"', '*, "6"'];
    bad.push('"6", x', ",", '"1e3"', "é", 'w/"6"', '" 6"');
    for (const text of bad) assertEquals(await matched(box, text), MALFORMED, text);
    assertEquals(ran(), 6);
    assertEquals((await box.run("x"))["executionCount"], 7);
  }));

Deno.test("If-Match: the error names the context and how many runs it has had", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const contextId = await box.context();
    await box.run("limit");
    const body = { contextId, code: "1" };
    const answer = await box.send("POST", "/execute", body, { headers: { "if-match": '"0"' } });
    const { code, httpStatus, context } = await answer.json();
    assertEquals([code, httpStatus, context], [FAILED[1], 412, { contextId, executions: 1 }]);
    assertEquals(await matched(box, "*", { contextId: "none" }), [404, "CONTEXT_NOT_FOUND"]);
  }));

Deno.test("If-Match: a default context that must have had runs is not made", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    for (const text of ['"1"', "*", 'W/"0"']) assertEquals(await matched(box, text), FAILED, text);
    assertEquals([await keysOf(store), runtimes.PYTHON.stored.size], [[], 0]);
    assertEquals(await matched(box, '"0"'), [200, 1]);
    assertEquals(await matched(box, '"0"'), FAILED);
  }));

for (const isNew of [true, false]) {
  const where = isNew ? "a context that is not there yet" : "a context";
  Deno.test(`If-Match: one of ${count(20, 200)} simultaneous runs in ${where} through two processes succeeds`, () =>
    withStore(async (store) => {
      const runtimes = fakeRuntimes();
      const boxes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
      const [box] = boxes;
      assert(box !== undefined);
      if (!isNew) await box.context();
      const calls = Array.from({ length: count(20, 200) / 2 }, () => boxes).flat();
      const answers = await Promise.all(calls.map((each) => matched(each, '"0"')));
      assertEquals(answers.filter(([status]) => status === 200).length, 1);
      assertEquals(answers.filter(([status]) => status === 412).length, calls.length - 1);
      assertEquals(runtimes.PYTHON.runs.length, 1);
      const { contexts } = await box.ok("GET", "/contexts");
      assertEquals(Array.isArray(contexts) && contexts.length, 1);
    }));
}

Deno.test("If-Match: a kept answer takes precedence", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const headers = { "if-match": '"0"' };
    assertEquals(told(await keyed(box, "k", "x = 1", { headers })), [200, false, 1]);
    assertEquals(told(await keyed(box, "k", "x = 1", { headers })), [200, true, 1]);
    assertEquals(told(await keyed(box, "l", "x = 1", { headers })), [412, false, FAILED[1]]);
    assertEquals(told(await keyed(box, "l", "x = 1")), [200, false, 2]);
  }));

Deno.test("If-Match: 20 at once with one key and one number run once and are all answered", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const boxes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
    const headers = { "if-match": '"0"' };
    const calls = Array.from({ length: 10 }, () => boxes).flat();
    const answers = await Promise.all(calls.map((box) => keyed(box, "k", "x = 1", { headers })));
    assertEquals(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size, 1);
    assertEquals([answers[0]?.status, runtimes.PYTHON.runs.length], [200, 1]);
  }));
