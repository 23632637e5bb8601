/** The memory of a tenant's runs is bounded, and runs that have ended make room. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { answerRun } from "../../runs/answers.ts";
import type { ProgramRun } from "../../runs/program_run.ts";
import { RunMemory } from "../../runs/run_memory.ts";
import { type RunOrder, RunTable } from "../../runs/run_table.ts";
import { ServiceError } from "../../shared/errors.ts";
import { until } from "../support/wait.ts";

const KIB = 1024;

interface Places {
  taken: number;
}

function tableOf(memoryBytes: number, places: Places = { taken: 0 }): RunTable {
  const enter = () => {
    places.taken++;
    return Promise.resolve(() => void places.taken--);
  };
  const onFault = (thrown: unknown) => {
    throw thrown;
  };
  return new RunTable({ clock: Date.now, waitMs: 60_000, enter, onFault, memoryBytes });
}

/** A program that writes so many bytes, and then asks. */
function asking(bytes: number, tenant = "ann", more: Partial<RunOrder> = {}): RunOrder {
  return {
    terms: {
      tenant,
      language: "python",
      engine: "fake",
      code: "input()",
      calls: { interactive: true },
      fuel: 1,
    },
    attempt: async (calls, listener, signal) => {
      listener.start();
      listener.output("stdout", new TextEncoder().encode(`${"x".repeat(bytes)}\n`));
      const wait = { calls: [], prompt: "", maxMs: null, fuel: 1, memoryBytes: 1 };
      const answer = await calls.wait(wait, false, signal);
      return { body: JSON.stringify(answer ?? null), headers: {} };
    },
    failed: (_, thrown) => Promise.reject(thrown),
    ...more,
  };
}

async function waits(run: ProgramRun): Promise<void> {
  await until(() => run.state === "waiting");
}

function codeOf({ end }: ProgramRun): string | undefined {
  return end !== undefined && "error" in end && end.error instanceof ServiceError
    ? end.error.code
    : undefined;
}

Deno.test("run memory: a run that writes more than its tenant may have ends, and others go on", async () => {
  const table = tableOf(200 * KIB);
  const first = await table.begin(asking(90 * KIB));
  await waits(first);
  const second = await table.begin(asking(120 * KIB));
  await until(() => second.end !== undefined);
  assertEquals([codeOf(second), first.state], ["RATE_LIMITED", "waiting"]);
  const other = await table.begin(asking(120 * KIB, "bob"));
  await waits(other);
  await table.close();
});

Deno.test("run memory: without room no run begins, and its place is given back", async () => {
  const table = tableOf(100 * KIB);
  await waits(await table.begin(asking(95 * KIB)));
  let left = 0;
  const order = asking(0, "ann", { leave: () => void left++ });
  const large = { ...order, terms: { ...order.terms, code: "#".repeat(9 * KIB) } };
  const error = await assertRejects(() => table.begin(large), ServiceError);
  assertEquals([error.code, left], ["RATE_LIMITED", 1]);
  assertEquals((await table.list("ann", { limit: [], cursor: [], state: [] })).runs.length, 1);
  await table.close();
});

Deno.test("run memory: an answer without room is refused, changes nothing, and is taken later", async () => {
  const table = tableOf(200 * KIB);
  const [run, other] = [await table.begin(asking(10 * KIB)), await table.begin(asking(100 * KIB))];
  await Promise.all([waits(run), waits(other)]);
  const value = "y".repeat(120 * KIB);
  const answers = [{ key: `${run.terms.id}/input-1`, value }];
  const error = await assertRejects(
    () => answerRun(run, answers, { by: "run", atMs: Date.now() }),
    ServiceError,
  );
  assertEquals([error.code, run.state, run.answerBytes], ["RATE_LIMITED", "waiting", 0]);
  await table.cancel(other);
  await answerRun(run, answers, { by: "run", atMs: Date.now() });
  await until(() => run.state === "ended");
  assert(run.end !== undefined && "body" in run.end && run.end.body.includes(value));
  await table.close();
});

Deno.test("run memory: runs that have ended make room, the oldest first", async () => {
  const table = tableOf(100 * KIB);
  const ended: ProgramRun[] = [];
  for (let n = 0; n < 8; n++) {
    const run = await table.begin(asking(20 * KIB));
    await waits(run);
    await answerRun(run, [{ key: `${run.terms.id}/input-1`, value: null }], {
      by: "run",
      atMs: Date.now(),
    });
    await until(() => run.state === "ended");
    ended.push(run);
  }
  const listed = (await table.list("ann", { limit: [], cursor: [], state: [] })).runs.map((
    { id },
  ) => id);
  assert(listed.length >= 2 && listed.length < 6, `${listed.length}`);
  assertEquals(listed, ended.slice(-listed.length).map(({ terms }) => terms.id).toReversed());
  await table.close();
});

Deno.test("RunMemory counts what each account has now", () => {
  const memory = new RunMemory(() => false, 100);
  const [a, b] = [memory.open("ann"), memory.open("ann")];
  a.set(60);
  b.set(30);
  assertEquals([memory.bytesOf("ann"), b.hasRoom(10), b.hasRoom(11)], [90, true, false]);
  a.set(10);
  assertEquals([memory.bytesOf("ann"), memory.hasRoom("bob", 100)], [40, true]);
  a.set(0);
  b.set(0);
  assertEquals(memory.bytesOf("ann"), 0);
});
