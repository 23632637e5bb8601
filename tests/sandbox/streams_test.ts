/** Streams of runs in contexts, of a sandbox that is called directly. */
import { assert, assertEquals } from "@std/assert";
import type { RunEvent } from "../../client/protocol/run_events.ts";
import type { RunStep } from "../../sandbox/operation_options.ts";
import { eventsOf, heard, streamHeaders } from "../support/run_stream.ts";
import { pause, until } from "../support/wait.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";

const stream = (box: Caller, code: string) =>
  box.send("POST", "/execute", { code, binding: "PYTHON" }, { headers: streamHeaders() });

/** A step that is held up until it is let go. */
class Held {
  readonly #go = Promise.withResolvers<void>();
  reached = false;
  readonly onStep: (step: RunStep) => Promise<void>;

  constructor(held: RunStep) {
    this.onStep = async (step) => {
      if (step !== held || this.reached) return;
      this.reached = true;
      await this.#go.promise;
    };
  }

  letGo(): void {
    this.#go.resolve();
  }
}

async function executions(box: Caller): Promise<unknown> {
  return (await box.run("0"))["executionCount"];
}

Deno.test("sandbox streams: the events of a run, and the plain answer last", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    await box.run("x = 1");
    const { types, stdout, last } = await heard(await stream(box, "print a\nprint b\nx"));
    assertEquals([types, stdout], [["start", "stdout", "stdout", "end"], ["a", "b"]]);
    assert("results" in last);
    assertEquals([last.results, last.executionCount], [[{ json: 1 }], 2]);
  }));

Deno.test("sandbox streams: `end` comes after the commit", () =>
  withStore(async (store) => {
    for (const step of ["ran", "committed"] as const) {
      const held = new Held(step);
      const box = new Caller(
        sandboxProcess(store, { onStep: held.onStep }),
        step,
      );
      const events: RunEvent["type"][] = [];
      const reading = (async () => {
        for await (const { type } of eventsOf(await stream(box, "print a"))) events.push(type);
      })();
      await until(() => held.reached);
      await pause(10);
      assertEquals(events, ["start", "stdout"]);
      held.letGo();
      await reading;
      assertEquals(events, ["start", "stdout", "end"]);
    }
  }));

Deno.test("sandbox streams: a disconnect undoes the run before its commit, and not after", () =>
  withStore(async (store) => {
    for (const [step, committed] of [["ran", 0], ["committed", 1]] as const) {
      const held = new Held(step);
      const box = new Caller(sandboxProcess(store, { onStep: held.onStep }), step);
      const answer = await stream(box, "x = 1");
      await until(() => held.reached);
      await answer.body?.cancel();
      held.letGo();
      assertEquals(await executions(box), committed + 1);
    }
  }));

Deno.test("sandbox streams: a disconnect while the run waits or runs leaves the context unchanged", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    runtimes.PYTHON.gate = new Promise(() => {});
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const running = await stream(box, "x = 1\nwait");
    const caller = new AbortController();
    const waiting = box.send("POST", "/execute", { code: "x = 2", binding: "PYTHON" }, {
      headers: streamHeaders(),
      signal: caller.signal,
    });
    await pause(10);
    caller.abort();
    assertEquals((await waiting).status, 499);
    await running.body?.cancel();
    assertEquals(await executions(box), 1);
  }));

Deno.test("sandbox streams: a sandbox that is deleted in mid-stream ends it with 409", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    runtimes.PYTHON.gate = new Promise(() => {});
    const box = new Caller(sandboxProcess(store, { runtimes }));
    const answer = await stream(box, "print a\nwait");
    await until(() => runtimes.PYTHON.waits === 1);
    await box.ok("DELETE", "/");
    const { types, last } = await heard(answer);
    assertEquals(types, ["start", "stdout", "failed"]);
    assert("code" in last && "httpStatus" in last);
    assertEquals([last.httpStatus, last.code], [409, "CONFLICT"]);
  }));

Deno.test("sandbox streams: a refused run keeps its status, and a language without contexts has no context", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store));
    const refused = await box.send("POST", "/execute", { code: "0", contextId: "none" }, {
      headers: streamHeaders(),
    });
    assertEquals([refused.status, (await refused.json()).code], [404, "CONTEXT_NOT_FOUND"]);
    const stateless = await box.send("POST", "/execute", { code: "0", binding: "RUBY" }, {
      headers: streamHeaders(),
    });
    assertEquals((await heard(stateless)).types, ["start", "end"]);
  }));
