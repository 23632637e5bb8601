/** Runs in contexts whose programs call and ask, over fake runtimes. */
import { assert, assertEquals } from "@std/assert";
import { runtimeUnavailable } from "../../shared/errors.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { ContextCaller } from "./context_caller.ts";
import { TOOLS } from "./gateway_fixture.ts";

Deno.test("contexts: a program waits for its call, and its end is one commit of globals and files", () =>
  withStore(async (store) => {
    const box = new ContextCaller(sandboxProcess(store));
    const { waiting } = await box.start([
      "x = 1",
      "write a 1",
      'call crm.find {"q":"x"}',
      "x += 1",
    ]);
    const run = waiting?.run;
    assertEquals(waiting?.calls.length, 1);
    assertEquals(await box.paths(), []);
    const done = await box.answer(run, [{ key: `${run}/1`, value: { id: 7 } }]);
    assertEquals([done.waiting, done["executionCount"]], [undefined, 1]);
    assertEquals(done.logs.stdout, ['1: {"id":7}']);
    assertEquals(await box.paths(), ["/workspace/a"]);
    assertEquals((await box.run("x"))["results"], [{ json: 2 }]);
  }));

Deno.test("contexts: a cancelled run leaves its context as before", () =>
  withStore(async (store) => {
    const box = new ContextCaller(sandboxProcess(store));
    await box.run("x = 1");
    const { waiting } = await box.start(["x = 2", "write a 1", "call ping {}"]);
    await box.call(200, "DELETE", `/runs/${waiting?.run}`);
    const after = await box.run("x");
    assertEquals([after["results"], after["executionCount"]], [[{ json: 1 }], 2]);
    assertEquals(await box.paths(), []);
  }));

Deno.test("contexts: a run below one sandbox is not found below another", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const box = new ContextCaller(sandboxes);
    const other = new ContextCaller(sandboxes, "other");
    const { waiting } = await box.start(["call ping {}"]);
    // an id of any length is refused before it is a key of the store
    for (const id of [`${waiting?.run}`, "x", "r".repeat(30_000), `r${"%FF".repeat(29)}`]) {
      assertEquals((await other.call(404, "GET", `/runs/${id}`)).code, "RUN_NOT_FOUND");
      assertEquals((await other.call(404, "GET", `/journal/${id}`)).code, "RUN_NOT_FOUND");
      assertEquals((await other.call(404, "DELETE", `/runs/${id}`)).code, "RUN_NOT_FOUND");
    }
    const { runs } = await box.call(200, "GET", "/runs");
    assert(Array.isArray(runs));
    assertEquals(runs.map(({ id, state }) => [id, state]), [[waiting?.run, "waiting"]]);
    await box.call(200, "DELETE", `/runs/${waiting?.run}`);
  }));

Deno.test("contexts: taken back at each wait, a program has the same calls and the same end", () =>
  withStore(async (store) => {
    const ends: unknown[][] = [];
    for (const takenBackAt of [() => false, () => true]) {
      const runtimes = fakeRuntimes();
      runtimes.PYTHON.rules = { takenBackAt };
      const name = `box${ends.length}`;
      const box = new ContextCaller(sandboxProcess(store, { runtimes }), name);
      let state = await box.start([
        "x = 1",
        "call ping {}",
        "start ping {}",
        "start ping {}",
        "gather",
      ]);
      const run = state.waiting?.run ?? "";
      for (let n = 1; n <= 3; n++) {
        state = await box.answer(run, [{ key: `${run}/${n}`, value: n }]);
      }
      ends.push([state.logs.stdout, state["executionCount"], (await box.run("x"))["results"]]);
    }
    assertEquals(ends[1], ends[0]);
  }));

Deno.test("contexts: a run that has waited goes on when its isolate dies, and ends after the fourth time", () =>
  withStore(async (store) => {
    for (const [deaths, isFailed] of [[1, false], [3, false], [4, true]] as const) {
      let attempts = 0;
      const runtimes = fakeRuntimes();
      runtimes.PYTHON.rules = {
        onAttempt: () => attempts++,
        takenBackAt: (wait) => {
          if (wait === 2 && attempts > 1 && attempts <= 1 + deaths) throw runtimeUnavailable();
          return wait === 1;
        },
      };
      const box = new ContextCaller(sandboxProcess(store, { runtimes }), `dies${deaths}`);
      const { waiting } = await box.start(["call ping {}", "call ping {}", "x = 1", "x"]);
      const run = waiting?.run ?? "";
      const answers = [{ key: `${run}/1`, value: 1 }];
      if (isFailed) {
        const failed = await box.call(502, "POST", `/runs/${run}/answers`, { answers });
        assertEquals(failed["code"], "INTERNAL_ERROR");
        assertEquals((await box.run("2"))["executionCount"], 1);
        continue;
      }
      const next = await box.answer(run, answers);
      assertEquals(next.waiting?.calls.map(({ key }) => key), [`${run}/2`]);
      const end = await box.answer(run, [{ key: `${run}/2`, value: 2 }]);
      assertEquals([end.logs.stdout, end["results"]], [["1: 1", "2: 2"], [{ json: 1 }]]);
    }
  }));

Deno.test("contexts: a binding without contexts runs statelessly", () =>
  withStore(async (store) => {
    const box = new ContextCaller(sandboxProcess(store));
    const done = await box.call(200, "POST", "/execute", { binding: "RUBY", code: "x", ...TOOLS });
    assertEquals(done["stateless"], true);
  }));
