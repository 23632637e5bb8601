import { assert, assertEquals } from "@std/assert";
import { Admission } from "../../gateway/admission.ts";
import type { RunAdmission } from "../../sandbox/operation_options.ts";
import { ADMISSION_LIMITS } from "../../shared/limits.ts";
import { until } from "../support/wait.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";

function counts(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

Deno.test("concurrency: 50 clients on one context through two processes are each counted once", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const boxes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
    const [box, other] = boxes;
    assert(box !== undefined && other !== undefined);
    await box.run("x = 0");
    const results = await Promise.all(
      counts(0, 49).map((n) => (n % 2 === 0 ? box : other).run("x += 1\nx")),
    );
    const seen = results.map((result) => Number(result["executionCount"]));
    assertEquals(seen.toSorted((a, b) => a - b), counts(2, 51));
    for (const result of results) {
      assertEquals(result["results"], [{ json: Number(result["executionCount"]) - 1 }]);
    }
    assertEquals((await box.run("x"))["results"], [{ json: 50 }]);
    assert(!(await keysOf(store)).some((key) => /intent|garbage|deadline/.test(key)));
  }));

Deno.test("concurrency: files that many clients write at the same time all exist", () =>
  withStore(async (store) => {
    const boxes = [1, 2].map(() => new Caller(sandboxProcess(store)));
    await Promise.all(
      counts(1, 60).map((n) => boxes[n % 2]?.file("write", `f${n}`, { content: `${n}` })),
    );
    const [box] = boxes;
    assert(box !== undefined);
    assertEquals((await box.paths()).length, 60);
    for (const n of [1, 30, 60]) assertEquals(await box.text(`f${n}`), `${n}`);
    assertEquals((await box.ok("GET", "/"))["workspace"], { files: 60, bytes: 9 + 102 });
  }));

Deno.test("concurrency: only calls of the same context wait for a run", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const other = await box.context();
    const third = await box.context();
    runtimes.PYTHON.before = (what) => what === "run" ? begun.resolve() : undefined;
    const running = box.run("wait\nx = 1", other);
    await begun.promise; // its claim may meet a conflict, and then come later than the calls below
    await box.file("write", "f", { content: "f" });
    await box.file("list", ".");
    await box.ok("GET", "/");
    await box.ok("GET", "/contexts");
    await box.ok("POST", "/env", { envVars: { A: "1" } });
    assertEquals((await box.run("read f", third))["results"], [{ text: "f" }]);
    await box.ok("DELETE", `/contexts/${third}`);
    const waiting = box.run("x", other);
    gate.resolve();
    assertEquals((await running)["executionCount"], 1);
    assertEquals((await waiting)["results"], [{ json: 1 }]);
  }));

/** Runs `code`, and does `meanwhile` while it waits. */
async function during(
  code: string,
  before: (box: Caller) => Promise<unknown>,
  meanwhile: (box: Caller) => Promise<unknown>,
  check: (box: Caller, result: { readonly [field: string]: unknown }) => Promise<void>,
): Promise<void> {
  await withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const boxes = [1, 2].map(() => new Caller(sandboxProcess(store, { runtimes })));
    const [box, other] = boxes;
    assert(box !== undefined && other !== undefined);
    await before(box);
    await box.context();
    runtimes.PYTHON.gate = gate.promise;
    runtimes.PYTHON.before = (what) => what === "run" ? begun.resolve() : undefined;
    const running = box.run(`wait\n${code}`);
    await begun.promise;
    await meanwhile(other);
    gate.resolve();
    await check(box, await running);
  });
}

Deno.test("merge: when both changed different files, both changes are kept", () =>
  during(
    "write run r",
    (box) => box.file("write", "old", { content: "old" }),
    (box) => box.file("write", "api", { content: "a" }),
    async (box) => {
      assertEquals(await box.paths(), ["api", "old", "run"].map((name) => `/workspace/${name}`));
    },
  ));

Deno.test("merge: when both changed one path, the run's change wins", () =>
  during(
    "write a run\nrm b",
    async (box) => {
      await box.file("write", "a", { content: "old" });
      await box.file("write", "b", { content: "old" });
    },
    async (box) => {
      await box.file("write", "a", { content: "api" });
      await box.file("write", "b", { content: "api" });
    },
    async (box) => {
      assertEquals(await box.text("a"), "run");
      assertEquals(await box.paths(), ["/workspace/a"]);
    },
  ));

Deno.test("merge: a file that the run did not change stays as the API left it", () =>
  during(
    "write other x",
    async (box) => {
      await box.file("write", "changed", { content: "old" });
      await box.file("write", "gone", { content: "old" });
      await box.file("write", "moved", { content: "old" });
    },
    async (box) => {
      await box.file("write", "changed", { content: "api" });
      await box.file("delete", "gone");
      await box.file("rename", "moved", { newPath: "there" });
    },
    async (box) => {
      assertEquals(await box.text("changed"), "api");
      assertEquals(await box.text("there"), "old");
      assertEquals((await box.paths()).length, 3);
    },
  ));

Deno.test("merge: missing parents are created again, directories that are not empty stay", () =>
  during(
    "write d/f run\nrm e/f\nrmdir e",
    async (box) => {
      await box.file("write", "d/g", { content: "", recursive: true });
      await box.file("write", "e/f", { content: "", recursive: true });
    },
    async (box) => {
      await box.file("delete", "d", { recursive: true });
      await box.file("write", "e/api", { content: "" });
    },
    async (box) => {
      assertEquals(await box.paths(), ["d", "d/f", "e", "e/api"].map((p) => `/workspace/${p}`));
    },
  ));

Deno.test("merge: between a file and a directory, the run's wins", () =>
  during(
    "write a run\nmkdir b\nwrite b/f run\nmkdir c",
    (box) => box.file("write", "keep", { content: "" }),
    async (box) => {
      await box.file("write", "a/x/y", { content: "", recursive: true });
      await box.file("write", "b", { content: "" });
      await box.file("write", "c", { content: "" });
    },
    async (box) => {
      assertEquals(
        await box.paths(),
        ["a", "b", "b/f", "c", "keep"].map((path) => `/workspace/${path}`),
      );
      assertEquals(await box.text("a"), "run");
    },
  ));

Deno.test("merge: a merge that would exceed a limit rolls the run back", () =>
  during(
    `x = 2\nfill big ${4 * 1024 * 1024}`,
    async (box) => {
      await box.run("x = 1");
      for (const n of [1, 2, 3]) await box.run(`fill f${n} ${4 * 1024 * 1024}`);
    },
    (box) => box.file("write", "one", { content: "1" }),
    async (box, { error, results, context, executionCount }) => {
      assertEquals(error, {
        name: "ExecutionLimitError",
        message: `Workspace limit reached: ${16 * 1024 * 1024} bytes`,
        traceback: [],
      });
      assert(typeof context === "object" && context !== null && "rolledBack" in context);
      assertEquals([context.rolledBack, results, executionCount], [true, [], 5]);
      const next = await box.run("x");
      assertEquals([next["results"], next["executionCount"]], [[{ json: 1 }], 6]);
      assertEquals((await box.paths()).length, 4);
    },
  ));

Deno.test("merge: files replaced before the runtime asked for them are read again", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    await box.file("write", "f", { content: "old" });
    await box.context();
    let replaced = 0;
    runtimes.PYTHON.before = async (what) => {
      if (what === "run" && replaced++ < 3) {
        await box.file("write", "f", { content: `new ${replaced}` });
      }
    };
    const { results, executionCount } = await box.run("read f");
    assertEquals([results, executionCount], [[{ text: "new 3" }], 1]);
    assertEquals(runtimes.PYTHON.runs.length, 4);
  }));

Deno.test("cancellation: a disconnect while waiting or running leaves nothing", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    runtimes.PYTHON.gate = new Promise(() => undefined);
    const begun = Promise.withResolvers<void>();
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const contextId = await box.context();
    await box.run("x = 1\nwrite f one", contextId);
    runtimes.PYTHON.before = (what) => what === "run" ? begun.resolve() : undefined;
    const controllers = [new AbortController(), new AbortController()];
    const calls = controllers.map(({ signal }) =>
      box.send("POST", "/execute", { code: "x = 2\nwrite f two\nwait", contextId }, { signal })
    );
    await begun.promise;
    for (const controller of controllers.reverse()) controller.abort();
    for (const call of calls) assertEquals((await call).status, 499);
    const { results, executionCount } = await box.run("x", contextId);
    assertEquals([results, executionCount], [[{ json: 1 }], 2]);
    assertEquals(await box.text("f"), "one");
  }));

Deno.test("admission: waiting for a context takes no place from other contexts", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const places = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 2, waitingPerTenant: 3 });
    let arrived = 0;
    const admission: RunAdmission = {
      wait: (tenant) => {
        const release = places.wait(tenant);
        arrived++;
        return release;
      },
      enter: (tenant, signal) => places.enter(tenant, signal),
    };
    const box = new Caller(sandboxProcess(store, { runtimes, admission }));
    const contextId = await box.context();
    const other = await box.context();
    const running = counts(1, 4).map(() => box.run("wait", contextId));
    await until(() => arrived === 4);
    assertEquals((await box.run("1", other))["executionCount"], 1);
    const more = box.run("1", contextId);
    await until(() => arrived === 6);
    await box.fails(429, "RATE_LIMITED", "POST", "/execute", { code: "1", contextId });
    gate.resolve();
    await Promise.all([...running, more]);
  }));

Deno.test("waiting: time spent waiting for a place shortens the wait at the runtime", () =>
  withStore(async (store) => {
    let late = 0;
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const admission = new Admission({ ...ADMISSION_LIMITS, runsPerTenant: 1, maxWaitMs: 60_000 });
    const box = new Caller(sandboxProcess(store, {
      runtimes,
      admission,
      limits: { maxWaitMs: 60_000 },
      leaseMs: 1_000_000,
      clock: () => Date.now() + late,
    }));
    const contexts = [await box.context(), await box.context()];
    const [first, second] = contexts.map((contextId) => box.run("wait", contextId));
    await until(() => runtimes.PYTHON.waits === 1 && admission.counts().waiting === 1);
    late = 20_000;
    gate.resolve();
    await Promise.all([first, second]);
    const [one = 0, other = 0] = runtimes.PYTHON.runs.map(({ maxWaitMs }) => maxWaitMs);
    assert(one > 40_000 && one <= 60_000, `the first may wait for ${one} ms`);
    assert(other > 0 && other <= 40_000, `the second may wait for ${other} ms`);
  }));

Deno.test("waiting: no run waits longer than the maximum wait", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const hasty = new Caller(sandboxProcess(store, { runtimes, limits: { maxWaitMs: 50 } }));
    const contextId = await box.context();
    const running = box.run("wait", contextId);
    await until(() => runtimes.PYTHON.runs.length === 1);
    const body = { code: "1", contextId };
    const late = await hasty.fails(503, "OVERLOADED", "POST", "/execute", body);
    assertEquals(late["context"], { limit: "wait", retryAfterMs: 1000 });
    gate.resolve();
    await running;
  }));
