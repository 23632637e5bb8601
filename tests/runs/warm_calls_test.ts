/** Runs without a context whose programs call, ask and sleep, at the gateway. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { NDJSON } from "../../client/protocol/run_events.ts";
import { until } from "../support/wait.ts";
import { RunCaller, TOOLS } from "./gateway_fixture.ts";

Deno.test("calls: a program waits for its call, and goes on with the answer", async () => {
  const box = new RunCaller();
  const first = await box.run(["print before", "prompt > ", 'call crm.find {"q":"x"}']);
  const { run, calls, expiresAt } = first.waiting ?? { run: "", calls: [] };
  assertMatch(run, /^r[0-9a-z]{9}[0-9a-f]{20}$/);
  assertEquals(calls, [{ key: `${run}/1`, name: "crm.find", arguments: { q: "x" } }]);
  assertEquals(first.logs.stdout, ["before", "> "]);
  assertEquals([first["results"], first.error], [[], undefined]);
  assert(expiresAt !== undefined && expiresAt > Date.now() + 23 * 3_600_000);
  const last = await box.answer(run, [{ key: `${run}/1`, value: { id: 7 } }]);
  assertEquals(last.waiting, undefined);
  assertEquals(last.logs.stdout, ["before", '> 1: {"id":7}']);
});

Deno.test("calls: a program that never waits has the answer of any other", async () => {
  const box = new RunCaller();
  const done = await box.run(["print x"]);
  assertEquals([done.waiting, done.logs.stdout], [undefined, ["x"]]);
});

const PARALLEL = ['start ping {"n":1}', 'start ping {"n":2}', 'start ping {"n":3}', "gather"];

Deno.test("calls: part of the pending calls is answered, in any order", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(PARALLEL);
  assertEquals(waiting?.calls.map(({ arguments: part }) => part), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  const run = waiting?.run;
  const part = await box.answer(run, [{ key: `${run}/3`, value: "c" }]);
  assertEquals(part.waiting?.calls.map(({ key }) => key), [`${run}/1`, `${run}/2`]);
  const done = await box.answer(run, [
    { key: `${run}/2`, error: { message: "no" } },
    { key: `${run}/1`, deny: "not now" },
  ]);
  assertEquals(done.logs.stdout, ['3: "c"', "2: tool no", "1: denied not now"]);
});

Deno.test("calls: the same answer again changes nothing, another one is refused", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(PARALLEL);
  const run = waiting?.run;
  const path = `/runs/${run}/answers`;
  const value = { b: [1, 12345678901234567890n.toString()], a: 1 };
  await box.answer(run, [{ key: `${run}/1`, value }]);
  const again = await box.answer(run, [{ key: `${run}/1`, value: { a: 1, b: value.b } }]);
  assertEquals(again.waiting?.calls.length, 2);
  const other = await box.call(409, "POST", path, { answers: [{ key: `${run}/1`, value: 2 }] });
  assertEquals([other.code, other.context], ["CALL_ANSWERED", { key: `${run}/1` }]);
  const half = [{ key: `${run}/2`, value: 2 }, { key: `${run}/9`, value: 2 }];
  const unknown = await box.call(404, "POST", path, { answers: half });
  assertEquals(unknown.code, "CALL_NOT_FOUND");
  const present = await box.answer(run, []);
  assertEquals(present.waiting?.calls.map(({ key }) => key), [`${run}/2`, `${run}/3`]);
  const end = await box.answer(run, [2, 3].map((n) => ({ key: `${run}/${n}`, value: n })));
  assertEquals(end.logs.stdout.length, 3);
  const repeated = await box.answer(run, [{ key: `${run}/2`, value: 2 }]);
  assertEquals(repeated, end);
  const late = { answers: [{ key: `${run}/2`, value: 3 }] };
  assertEquals((await box.call(409, "POST", path, late)).code, "CALL_ANSWERED");
});

Deno.test("calls: integers keep their digits on both ways", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(["call ping {}"]);
  const body = `{"answers":[{"key":"${waiting?.run}/1","value":12345678901234567890123}]}`;
  const answer = await box.send("POST", `/runs/${waiting?.run}/answers`, undefined, { body });
  assertEquals((await answer.json()).logs.stdout, ["1: 12345678901234567890123"]);
});

Deno.test("calls: arguments that break the schema raise at once, and nobody is asked", async () => {
  const box = new RunCaller();
  const done = await box.run([
    "call crm.find {}",
    'call crm.find {"q":1}',
    'call crm.find {"q":"x","r":1}',
    "call crm.delete {}",
    "call ping [1]",
    "call ping {]",
  ]);
  assertEquals(done.waiting, undefined);
  assertEquals(done.logs.stdout, [
    "1: tool The arguments of crm.find are not valid: the value lacks 'q'",
    "2: tool The arguments of crm.find are not valid: /q must be string",
    "3: tool The arguments of crm.find are not valid: /r is not allowed",
    "4: tool There is no tool 'crm.delete'",
    "5: tool The arguments of ping must be an object",
    "6: tool The arguments of ping are not JSON",
  ]);
});

Deno.test("calls: a value that breaks the outputSchema is refused, and the call stays pending", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(['call crm.find {"q":"x"}']);
  const run = waiting?.run;
  const bad = { answers: [{ key: `${run}/1`, value: { name: "x" } }] };
  const refused = await box.call(400, "POST", `/runs/${run}/answers`, bad);
  assertMatch(String(refused.message), /answers\[0\]\.value breaks the outputSchema of crm\.find/);
  assertEquals((await box.answer(run, [])).waiting?.calls.length, 1);
  await box.answer(run, [{ key: `${run}/1`, value: { id: 1 } }]);
});

Deno.test("calls: a call that nobody answers in time expires", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(["call mail.send {}", "print after"]);
  const expiresAt = waiting?.expiresAt ?? 0;
  assert(expiresAt <= Date.now() + 200);
  const stream = await box.send("POST", `/runs/${waiting?.run}/answers`, { answers: [] }, {
    headers: { accept: NDJSON },
  });
  const events = (await stream.text()).trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(events.at(-1).execution.logs.stdout, [
    "1: expired Nobody answered the call of mail.send in time",
    "after",
  ]);
});

Deno.test("input: a program asks for lines until their end", async () => {
  const box = new RunCaller();
  const code = ["prompt Name? ", "ask", "ask", "ask"];
  const { waiting, logs } = await box.run(code, { interactive: true });
  const run = waiting?.run;
  assertEquals(logs.stdout, ["Name? "]);
  assertEquals(waiting?.input, { key: `${run}/input-1`, prompt: "Name? " });
  const second = await box.answer(run, [{ key: `${run}/input-1`, value: "Ada" }]);
  assertEquals(second.waiting?.input?.prompt, "");
  const early = { answers: [{ key: `${run}/input-3`, value: "x" }] };
  assertEquals((await box.call(404, "POST", `/runs/${run}/answers`, early)).code, "CALL_NOT_FOUND");
  const number = { answers: [{ key: `${run}/input-2`, value: 1 }] };
  await box.call(400, "POST", `/runs/${run}/answers`, number);
  await box.answer(run, [{ key: `${run}/input-2`, value: "two\n" }]);
  const done = await box.answer(run, [{ key: `${run}/input-3`, value: null }]);
  assertEquals(done.logs.stdout, ["Name? Ada", "two", "end of input"]);
});

Deno.test("streams: calls and questions come after the lines before them, with positions", async () => {
  const box = new RunCaller();
  const body = {
    code: "print a\ncall ping {}\nprompt ? \nask\nprint z",
    ...TOOLS,
    interactive: true,
  };
  const stream = await box.send("POST", "/execute/python", body, { headers: { accept: NDJSON } });
  const events: { type: string; id?: number; [field: string]: unknown }[] = [];
  let rest = "";
  for await (const text of stream.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = (rest + text).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const event = JSON.parse(line);
      events.push(event);
      const run = events[0]?.["run"];
      if (event.type === "call") {
        await box.call(200, "POST", `/runs/${run}/answers`, {
          answers: [{ key: event.call.key, value: 1 }],
        });
      } else if (event.type === "input") {
        await box.call(200, "POST", `/runs/${run}/answers`, {
          answers: [{ key: event.key, value: "yes" }],
        });
      }
    }
  }
  assertEquals(events.map(({ type, id }) => [type, id]), [
    ["start", 1],
    ["stdout", 2],
    ["call", 3],
    ["stdout", 4],
    ["input", 5],
    ["stdout", 6],
    ["stdout", 7],
    ["end", 8],
  ]);
  assertEquals(events[4]?.["prompt"], "? ");
});

Deno.test("sleep: a program that only sleeps is answered when it has slept, or after 5 s", async () => {
  const box = new RunCaller();
  const done = await box.run(["clock", "sleep 30", "clock"]);
  assertEquals(done.logs.stdout, ["0", "30"]);
  const asleep = await box.run(["sleep 60000"]);
  const { until = 0, calls } = asleep.waiting ?? {};
  assert(until > Date.now() + 50_000 && until < Date.now() + 60_000);
  assertEquals(calls, []);
  await box.call(200, "DELETE", `/runs/${asleep.waiting?.run}`);
});

Deno.test("timers: a call races with a timer, and the timer fires while the run waits", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(["start ping {}", "race 50", "gather"]);
  const run = waiting?.run;
  await until(async () => (await box.answer(run, [])).logs.stdout.includes("elapsed"));
  const done = await box.answer(run, [{ key: `${run}/1`, value: 1 }]);
  assertEquals(done.logs.stdout, ["elapsed", "1: 1"]);
});

Deno.test("isolates: taken back at each wait, a program makes the same calls and has the same output", async () => {
  const code = [
    'call ping {"n":1}',
    "print a",
    ...PARALLEL,
    "prompt ? ",
    "ask",
    "sleep 10",
    "print z",
  ];
  const outcomes = [];
  const rules: readonly (readonly [(wait: number) => boolean, number])[] = [
    [() => false, 1],
    [() => true, 7],
    [(wait) => wait % 2 === 1, 4],
  ];
  for (const [takenBackAt, expected] of rules) {
    let attempts = 0;
    const box = new RunCaller({ takenBackAt, onAttempt: () => attempts++ });
    const seen: unknown[] = [];
    let state = await box.run(code, { ...TOOLS, interactive: true });
    const run = state.waiting?.run ?? "";
    while (state.waiting !== undefined) {
      const { calls, input } = state.waiting;
      seen.push(
        calls.map(({ key, arguments: part }) => [key.slice(run.length), part]),
        input?.prompt,
      );
      const last = calls.at(-1);
      const answers = last === undefined
        ? [{ key: input?.key, value: "line" }]
        : [{ key: last.key, value: last.arguments }];
      state = await box.answer(run, answers);
    }
    outcomes.push({ seen, stdout: state.logs.stdout });
    assertEquals(attempts, expected);
  }
  assertEquals(outcomes[1], outcomes[0]);
  assertEquals(outcomes[2], outcomes[0]);
});

Deno.test("runs: are listed and shown, and a cancelled one is gone", async () => {
  const box = new RunCaller();
  const { waiting } = await box.run(["call ping {}"]);
  const run = waiting?.run;
  const ended = await box.run(["print x"]);
  assertEquals(ended.waiting, undefined);
  const { runs } = await box.call(200, "GET", "/runs");
  assert(Array.isArray(runs));
  assertEquals(runs.map(({ state }) => state), ["ended", "waiting"]);
  const shown = await box.call(200, "GET", `/runs/${run}`);
  assertEquals([shown["id"], shown["state"], shown["language"]], [run, "waiting", "python"]);
  assertEquals(shown.waiting?.calls.length, 1);
  await box.call(200, "DELETE", `/runs/${run}`);
  assertEquals((await box.call(200, "GET", `/runs/${run}`))["state"], "cancelled");
  const answer = { answers: [{ key: `${run}/1`, value: 1 }] };
  assertEquals((await box.call(404, "POST", `/runs/${run}/answers`, answer)).code, "RUN_NOT_FOUND");
  assertEquals((await box.call(404, "GET", "/runs/x")).code, "RUN_NOT_FOUND");
});

Deno.test("callers: one that leaves before the first wait ends the run, one that leaves later does not", async () => {
  const box = new RunCaller();
  const gone = new AbortController();
  const spinning = box.send("POST", "/execute/python", { code: "spin", ...TOOLS }, {
    signal: gone.signal,
  });
  const statesOf = async () => {
    const { runs } = await box.call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    return runs.map(({ state }) => state).join();
  };
  await until(async () => await statesOf() === "running");
  gone.abort();
  await (await spinning).body?.cancel();
  await until(async () => await statesOf() === "cancelled");
  const left = new AbortController();
  const body = { code: "call ping {}\nprint on", ...TOOLS };
  const stream = await box.send("POST", "/execute/python", body, {
    headers: { accept: NDJSON },
    signal: left.signal,
  });
  await until(async () => await statesOf() === "waiting,cancelled");
  await stream.body?.cancel();
  const { runs } = await box.call(200, "GET", "/runs");
  assert(Array.isArray(runs));
  const [{ id, state }] = runs;
  assertEquals(state, "waiting");
  const done = await box.answer(id, [{ key: `${id}/1`, value: 1 }]);
  assertEquals(done.logs.stdout, ["1: 1", "on"]);
});
