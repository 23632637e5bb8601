// test: long
/**
 * A store that falls silent at each operation of a call: the caller's answer, and the state when
 * the store is back.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { GuardedStore } from "../../store/guarded_store.ts";
import { ServiceError } from "../../shared/errors.ts";
import { type Silence, SilentStore } from "../store/silent_store.ts";
import { until } from "../support/wait.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";

/** Time for a busy machine until the store is silent. */
const LONG = { readMs: 10_000, writeMs: 10_000 };
const SHORT = { readMs: 60, writeMs: 80 };
const LEASE_MS = 400;
/** Too large for one atomic operation, so that blobs are written first. */
const LARGE = 900_000;

/** Calls that change something, on a sandbox with a context, two files and a variable. */
const CALLS: Readonly<Record<string, (box: Caller, contextId: string) => Promise<Response>>> = {
  "run": (box, contextId) =>
    box.send("POST", "/execute", { contextId, code: "n += 1\nwrite n more" }),
  "large run": (box, contextId) =>
    box.send("POST", "/execute", { contextId, code: `n += 1\nfill large ${LARGE}` }),
  "run with a key": (box, contextId) => {
    const headers = { "idempotency-key": "k", "if-match": '"1"' };
    return box.send("POST", "/execute", { contextId, code: "n += 1\nwrite n more" }, { headers });
  },
  "first run of a language": (box) =>
    box.send("POST", "/execute", { binding: "PERL", code: "n = 1\nwrite n 1" }),
  "write a file": (box) => box.send("POST", "/files", { op: "write", path: "b", content: "new" }),
  "store the bytes of a file": (box) => box.send("PUT", "/files/d/b", undefined, { body: "new" }),
  "delete a file": (box) => box.send("DELETE", "/files/a"),
  "rename a file": (box) => box.send("POST", "/files", { op: "rename", path: "a", newPath: "c" }),
  "set a variable": (box) => box.send("POST", "/env", { envVars: { A: "2", B: "3" } }),
  "create a context": (box) => box.send("POST", "/contexts", { binding: "PERL" }),
  "delete a context": (box, contextId) => box.send("DELETE", `/contexts/${contextId}`),
  "delete the sandbox": (box) => box.send("DELETE", "/"),
};

/** Statuses other than 200 of calls that are done. */
const DONE: Readonly<Record<string, number>> = {
  "store the bytes of a file": 201,
  "delete a file": 204,
  "create a context": 201,
};

/** The JSON of an answer; null when it has no body. */
async function bodyOf(answer: Response) {
  const text = await answer.text();
  return text === "" ? null : JSON.parse(text);
}

interface Setting {
  readonly store: GuardedStore;
  readonly times: { readMs: number; writeMs: number };
  readonly silent: SilentStore;
  readonly box: Caller;
  /** In another process, whose store works. */
  readonly other: Caller;
  readonly contextId: string;
}

/** Does something with a sandbox whose store can fall silent. */
async function withSetting(work: (set: Setting) => Promise<void>): Promise<void> {
  await withStore(async (kv) => {
    const set = await setting(kv);
    try {
      await work(set);
    } finally {
      set.store.close();
      await set.silent.comeBack();
    }
  });
}

function fallSilent({ silent, times }: Setting, after: number, silence: Silence): void {
  Object.assign(times, SHORT);
  silent.fallSilent(after, silence);
}

/** Resolves when the store is known to be back. */
async function comeBack({ silent, store, times }: Setting): Promise<void> {
  await silent.comeBack();
  await until(() => store.state === "ready");
  Object.assign(times, LONG);
}

async function setting(store: KvStore): Promise<Setting> {
  const runtimes = fakeRuntimes();
  const silent = new SilentStore(store);
  const times = { ...LONG, log: () => undefined };
  const guarded = new GuardedStore(silent, times);
  const box = new Caller(sandboxProcess(guarded, { runtimes, leaseMs: LEASE_MS }));
  const other = new Caller(sandboxProcess(store, { runtimes, leaseMs: LEASE_MS }));
  const contextId = await box.context();
  await box.run("n = 1", contextId);
  await box.file("write", "a", { content: "a" });
  await box.ok("POST", "/env", { envVars: { A: "1" } });
  return { store: guarded, times, silent, box, other, contextId };
}

/** Everything that a caller can see of the sandbox, except times. */
async function seen({ other }: Setting): Promise<string> {
  const { envVars, contexts, workspace } = await other.ok("GET", "/");
  assert(Array.isArray(contexts));
  const runs = contexts.map(({ binding, executions }) => `${binding} ${executions}`);
  return JSON.stringify([envVars, runs, workspace, await other.paths()]);
}

for (const [name, call] of Object.entries(CALLS)) {
  Deno.test(`store gone: ${name}: 503 only where nothing was done, 200 only where all was`, async () => {
    const statuses = new Set<number>();
    for (const silence of ["never done", "done", "done late"] satisfies readonly Silence[]) {
      for (let after = 0, happened = true; happened; after++) {
        await withSetting(async (set) => {
          const before = await seen(set);
          fallSilent(set, after, silence);
          const answer = await call(set.box, set.contextId);
          const body = await bodyOf(answer);
          happened = set.silent.happened;
          await comeBack(set);
          const where = `${silence} after ${after}: ${answer.status} ${JSON.stringify(body)}`;
          statuses.add(answer.status);
          if (answer.ok) assert(await seen(set) !== before, where);
          else if (answer.status === 503) {
            assertEquals(body.code, "OVERLOADED", where);
            assertEquals(body.context, { limit: "store", retryAfterMs: 2_000 }, where);
            assert(answer.headers.has("retry-after"), where);
            if (name !== "first run of a language") assertEquals(await seen(set), before, where);
          } else {
            assertEquals([answer.status, body.code], [500, "INTERNAL_ERROR"], where);
            assert(!answer.headers.has("retry-after"), where);
          }
          for (const caller of [set.box, set.other]) await caller.run("m = 1");
        });
      }
    }
    assertEquals(statuses, new Set([503, 500, DONE[name] ?? 200]));
  });

  Deno.test(`store gone: ${name}: repeating an operation after a lost answer changes nothing`, async () => {
    for (let after = 0, happened = true; happened; after++) {
      await withSetting(async (quiet) => {
        await (await call(quiet.box, quiet.contextId)).body?.cancel();
        const expected = await seen(quiet);
        await withSetting(async (set) => {
          set.silent.loseAnswer(after);
          const answer = await call(set.box, set.contextId);
          const body = await bodyOf(answer);
          happened = set.silent.happened;
          assert(answer.ok, `after ${after}: ${JSON.stringify(body)}`);
          assertEquals(await seen(set), expected, `after ${after}`);
        });
      });
    }
  });
}

Deno.test("store outage: a call that only reads is 503, and nothing of it is left", () =>
  withSetting(async (set) => {
    const calls: readonly (readonly [method: string, path: string, body?: unknown])[] = [
      ["GET", "/"],
      ["GET", "/contexts"],
      ["POST", "/files", { op: "read", path: "a" }],
      ["POST", "/files", { op: "list", path: ".", recursive: true }],
      ["GET", "/files/a"],
    ];
    for (const [method, path, body] of calls) {
      fallSilent(set, 0, "never done");
      await set.box.fails(503, "OVERLOADED", method, path, body);
      await comeBack(set);
    }
    fallSilent(set, 0, "never done");
    const listing = sandboxProcess(set.store).forTenant("default").list({ limit: [], cursor: [] });
    assertEquals((await assertRejects(() => listing, ServiceError)).code, "OVERLOADED");
    await comeBack(set);
  }));

Deno.test("store outage: 40 runs that wait for it leave the places of their tenant free", () =>
  withSetting(async (set) => {
    fallSilent(set, 0, "never done");
    const code = { contextId: set.contextId, code: "n += 1" };
    const runs = Array.from({ length: 40 }, () => set.box.send("POST", "/execute", code));
    for (const answer of await Promise.all(runs)) {
      assertEquals(answer.status, 503);
      await answer.body?.cancel();
    }
    await comeBack(set);
    assertEquals((await set.box.run("n", set.contextId))["executionCount"], 2);
  }));
