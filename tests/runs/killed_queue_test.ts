// test: long
/** A process that dies at any operation of its store loses no run that it answered with 202. */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { fakeRuntimes } from "../sandbox/fixture.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";
import { faults, send } from "./queued_runs.ts";

const LEASE_MS = 10_000;

Deno.test("queue: killed before each operation, runs that were answered happen once and in order", () =>
  withProcesses(async (start, store) => {
    let now = Date.now();
    const clock = () => now;
    for (let count = 0;; count++) {
      const runtimes = fakeRuntimes();
      const process = (kv: KvStore) => start({ runtimes, clock, leaseMs: LEASE_MS }, kv);
      const name = `box-${count}`;
      await new ContextCaller(process(store), name).run('x = ""');
      const faulty = new FaultyStore(store);
      const dying = new ContextCaller(process(faulty), name);
      faulty.killAfter(count);
      const answered: string[] = [];
      for (const letter of ["a", "b", "c"]) {
        const { status, body } = await send(dying, `write ${letter} 1\nx += 1\nx`);
        if (status === 202) answered.push(body.run.id);
      }
      const last = answered.at(-1);
      if (!faulty.died && last !== undefined) {
        const seen = await dying.send("POST", `/runs/${last}/answers`, { answers: [] });
        await seen.body?.cancel();
      }
      const isOver = !faulty.died;
      faulty.kill();
      now += 60_000;
      const sandboxes = process(store);
      const box = new ContextCaller(sandboxes, name);
      await janitorRound(store, sandboxes, clock);
      const order: number[] = [];
      for (const run of answered) {
        const end = await box.answer(run, []);
        assertEquals(end["error"], undefined, `operation ${count}`);
        order.push(Number(end["executionCount"]));
      }
      assertEquals(order, order.toSorted((a, b) => a - b), `operation ${count}`);
      const { executions } = Object((await box.run("x"))["context"]);
      // one whose answer was lost may have happened too
      assert(executions - 2 >= answered.length && executions <= 5, `${count}: ${executions}`);
      if (isOver) break;
    }
    assertEquals(await faults(store), []);
  }));
