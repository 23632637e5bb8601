/** Callers are told when their runs wait and when they are over, at least once. */
import { assert, assertEquals } from "@std/assert";
import { FaultyStore } from "../sandbox/faulty_store.ts";
import { keysOf } from "../sandbox/fixture.ts";
import { assertTidy } from "../sandbox/forks_processes.ts";
import { janitorRound } from "../sandbox/janitor_round.ts";
import type { KvStore } from "../../store/kv.ts";
import { CLAIM_MS } from "../../runs/notifier.ts";
import { readNotice } from "../../runs/run_notices.ts";
import { tenantCounterKey } from "../../store/keys.ts";
import { runNoticeKey } from "../../store/run_keys.ts";
import { until } from "../support/wait.ts";
import { TOOLS } from "./gateway_fixture.ts";
import { NOTIFY, type Process, together } from "./notifications_fixture.ts";

const DAY_MS = 24 * 3_600_000;
const TOLD = { ...TOOLS, notify: NOTIFY };
const PROGRAM = ["call ping {}", "print between", "ask", "print end"];

async function noticesOf(store: KvStore): Promise<string[]> {
  return (await keysOf(store)).filter((key) => key.includes("run_notice"));
}

async function bytesOf(store: KvStore): Promise<bigint> {
  const { value } = await store.get<Deno.KvU64>(tenantCounterKey("default", "bytes"));
  return value?.value ?? 0n;
}

/** Waits until all notifications are delivered. */
async function delivered(store: KvStore): Promise<void> {
  await until(async () => (await noticesOf(store)).length === 0);
}

/** Starts a run that waits, without a context or in one. Returns its id. */
async function started(process: Process, hasContext: boolean, fields = TOLD): Promise<string> {
  const { waiting } = hasContext
    ? await process.box.start(PROGRAM, fields)
    : await process.gateway.run(PROGRAM, fields);
  assert(waiting !== undefined);
  return waiting.run;
}

for (const hasContext of [false, true]) {
  const where = hasContext ? "in a context" : "without a context";

  Deno.test(`notifications: a run ${where} is told at each wait and at its end`, () =>
    together(async ({ store, receiver, start }) => {
      const process = start();
      const run = await started(process, hasContext);
      await delivered(store);
      assertEquals(receiver.statesOf(run), ["waiting"]);
      const { box, gateway } = process;
      const answer = (answers: readonly unknown[]) =>
        hasContext ? box.answer(run, answers) : gateway.answer(run, answers);
      await answer([{ key: `${run}/1`, value: 1 }]);
      await delivered(store);
      const asked = await answer([]);
      await answer([{ key: asked.waiting?.input?.key, value: "line" }]);
      await delivered(store);
      assertEquals(receiver.statesOf(run), ["waiting", "waiting", "ended"]);
      assertEquals(new Set(receiver.told.map(({ id }) => id)).size, 3);
      const [request] = receiver.requests;
      assertEquals(request?.url.href, NOTIFY.url);
      const { data } = JSON.parse(request?.body ?? "");
      const fields = ["id", "state", "language", ...hasContext ? ["contextId"] : [], "createdAt"];
      assertEquals(Object.keys(data), fields);
    }));

  Deno.test(`notifications: a run ${where} that is cancelled is told, and leaves nothing after a day`, () =>
    together(async ({ store, receiver, time, start }) => {
      const process = start();
      const run = await started(process, hasContext);
      const caller = hasContext ? process.box : process.gateway;
      await caller.call(200, "DELETE", `/runs/${run}`);
      await until(() => receiver.told.length === 2);
      await delivered(store);
      assertEquals(receiver.statesOf(run).toSorted(), ["cancelled", "waiting"]);
      await process.box.call(200, "DELETE", "/");
      time.now += DAY_MS;
      for (let round = 0; round < 2; round++) {
        await janitorRound(store, process.sandboxes, time.clock);
      }
      assertEquals(await keysOf(store), []);
    }));

  Deno.test(`notifications: killed before each operation, a run ${where} is told of its end`, () =>
    together(async ({ store, receiver, time, start }) => {
      for (let count = 0;; count++) {
        const faulty = new FaultyStore(store);
        const dying = start({ kv: faulty });
        faulty.killAfter(count);
        const body = { binding: "PYTHON", code: "call ping {}", ...TOLD };
        const answer = hasContext
          ? await dying.box.send("POST", "/execute", body)
          : await dying.gateway.send("POST", "/execute/python", body);
        let run: string | undefined = (await answer.json()).waiting?.run;
        const answers = [{ key: `${run}/1`, value: 1 }];
        const sent = run === undefined
          ? undefined
          : hasContext
          ? await dying.box.send("POST", `/runs/${run}/answers`, { answers })
          : await dying.gateway.send("POST", `/runs/${run}/answers`, { answers });
        await sent?.body?.cancel();
        time.now += 60_000; // the leases of the dead process and its attempts are over
        const next = start();
        const caller = hasContext ? next.box : next.gateway;
        if (run === undefined) {
          const { runs } = await caller.call(200, "GET", "/runs");
          assert(Array.isArray(runs));
          run = runs.find(({ state }) => state !== "ended")?.id;
        }
        if (run !== undefined) {
          await caller.answer(run, []);
          await caller.answer(run, [{ key: `${run}/1`, value: 1 }]);
          await until(async () => {
            time.now += 31_000; // what the dead process has begun is over
            next.notifier.start();
            return (await noticesOf(store)).length === 0;
          });
          const states = receiver.statesOf(run);
          assertEquals(new Set(states), new Set(["waiting", "ended"]), `operation ${count}`);
        }
        if (!faulty.died) break;
      }
      assert(receiver.told.length > 10, String(receiver.told.length));
    }));
}

Deno.test("notifications: attempts that fail are repeated, at longer and longer times", () =>
  together(async ({ store, receiver, time, start }) => {
    receiver.outcome = () => receiver.requests.length < 16 ? "failed" : "delivered";
    const process = start();
    const run = await started(process, true);
    const key = runNoticeKey("default", run, 2);
    const pauses: number[] = [];
    for (let attempts = 1; attempts < 16; attempts++) {
      await until(async () => {
        const notice = readNotice((await store.get(key)).value);
        if (notice?.attempts !== attempts || receiver.requests.length !== attempts) return false;
        pauses[attempts - 1] = notice.dueAt - time.now;
        return pauses[attempts - 1] !== CLAIM_MS; // the attempt is over
      });
      time.now += pauses.at(-1) ?? 0;
      process.notifier.wake("default");
    }
    await delivered(store);
    const doubled = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1_024, 2_048, 3_600, 3_600, 3_600];
    assertEquals(pauses, doubled.map((seconds) => seconds * 1_000));
    assertEquals(receiver.statesOf(run), ["waiting"]);
    assertEquals(new Set(receiver.requests.map(({ headers }) => headers["webhook-id"])).size, 1);
  }));

Deno.test("notifications: of several processes, one sends each", () =>
  together(async ({ store, receiver, start }) => {
    const processes = [start(), start(), start()];
    const runs = await Promise.all(
      Array.from({ length: 12 }, (_, n) => started(processes[n % 3] ?? start(), false)),
    );
    for (let n = 0; n < 5; n++) for (const { notifier } of processes) notifier.start();
    await delivered(store);
    assertEquals(receiver.told.map(({ run }) => run).toSorted(), runs.toSorted());
  }));

Deno.test("notifications: another process repeats an attempt whose process is lost", () =>
  together(async ({ store, receiver, time, start }) => {
    const never = Promise.withResolvers<"delivered">();
    receiver.outcome = () => never.promise;
    const run = await started(start(), false);
    await until(() => receiver.requests.length === 1);
    receiver.outcome = () => "delivered";
    const { notifier } = start();
    notifier.start();
    await time.advance(10_000);
    assertEquals([receiver.requests.length, receiver.told], [1, []]);
    time.now += 21_000;
    notifier.wake("default");
    await delivered(store);
    assertEquals(receiver.statesOf(run), ["waiting"]);
    never.resolve("delivered");
  }));

Deno.test("notifications: a target that says it is gone gets no more of one", () =>
  together(async ({ store, receiver, start }) => {
    receiver.outcome = () => "gone";
    await started(start(), false);
    await delivered(store);
    assertEquals([receiver.requests.length, receiver.told], [1, []]);
  }));

Deno.test("notifications: one that nobody takes is given up after a day", () =>
  together(async ({ store, receiver, time, start }) => {
    receiver.outcome = () => "failed";
    const process = start();
    const run = await started(process, false);
    await process.gateway.call(200, "DELETE", `/runs/${run}`);
    await until(() => receiver.requests.length === 2);
    assert(await bytesOf(store) > 500n);
    time.now += DAY_MS;
    process.notifier.wake("default");
    await delivered(store);
    await janitorRound(store, process.sandboxes, time.clock);
    assertEquals([receiver.requests.length, await bytesOf(store)], [2, 0n]);
  }));

Deno.test("notifications: without a notifier they stay for a day, and the janitor removes them", () =>
  together(async ({ store, receiver, time, start }) => {
    const process = start({ hasNotifier: false });
    const run = await started(process, false);
    await process.gateway.call(200, "DELETE", `/runs/${run}`);
    await janitorRound(store, process.sandboxes, time.clock);
    assertEquals((await noticesOf(store)).length, 4);
    await assertTidy(store, "with notifications that nobody delivers");
    time.now += DAY_MS;
    await janitorRound(store, process.sandboxes, time.clock);
    assertEquals([await keysOf(store), receiver.requests], [await keysOf(store), []]);
    assertEquals([await noticesOf(store), await bytesOf(store)], [[], 0n]);
  }));

Deno.test("notifications: a run that ends with its sandbox or its context is told", () =>
  together(async ({ store, receiver, time, start }) => {
    const process = start();
    for (const remove of ["sandbox", "context"]) {
      const { waiting } = await process.box.start(PROGRAM, TOLD);
      const { contextId } = await process.box.call(200, "GET", `/runs/${waiting?.run}`);
      const path = remove === "sandbox" ? "/" : `/contexts/${contextId}`;
      await process.box.call(200, "DELETE", path);
      await until(async () => {
        await janitorRound(store, process.sandboxes, time.clock);
        return receiver.statesOf(waiting?.run).includes("cancelled");
      });
      assertEquals(receiver.statesOf(waiting?.run).toSorted(), ["cancelled", "waiting"]);
    }
    await delivered(store);
    await process.box.call(200, "DELETE", "/");
    await janitorRound(store, process.sandboxes, time.clock);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("notifications: the copy of a run in a fork is told under its own id", () =>
  together(async ({ store, receiver, start }) => {
    const process = start();
    const run = await started(process, true);
    await process.box.call(201, "POST", "/fork", { to: "copy" });
    await delivered(store);
    const copy = receiver.told.find((told) => told.run !== run);
    assertEquals(copy?.state, "waiting");
    const answers = [{ key: `${copy?.run}/1`, value: 1 }];
    await process.gateway.send("POST", `/runs/${copy?.run}/answers`, { answers })
      .then((answer) => answer.body?.cancel());
    assertEquals(receiver.statesOf(run), ["waiting"]);
  }));

Deno.test("notifications: a tenant whose target is slow does not delay others", () =>
  together(async ({ store, receiver, start }) => {
    const slow = Promise.withResolvers<"delivered">();
    const { gateway, notifier } = start();
    receiver.outcome = () => slow.promise;
    for (let n = 0; n < 20; n++) await gateway.run(["call ping {}"], TOLD);
    await until(() => receiver.requests.length === 8);
    receiver.outcome = () => "delivered";
    const { sandboxes } = start();
    const other = sandboxes.forTenant("other").get("box");
    const answer = await other.fetch(
      new Request("https://sandbox.internal/execute", {
        method: "POST",
        headers: { "x-sandbox-id": "box", "content-type": "application/json" },
        body: JSON.stringify({ binding: "PYTHON", code: "call ping {}", ...TOLD }),
      }),
    );
    const { waiting: { run } } = await answer.json();
    notifier.start();
    await until(() => receiver.statesOf(run).length === 1);
    slow.resolve("delivered");
    await delivered(store);
    assertEquals(receiver.told.length, 21);
  }));

Deno.test("notifications: the secret and the URL are in no answer", () =>
  together(async ({ start }) => {
    const process = start();
    const { box, gateway } = process;
    const [inContext, alone] = [await started(process, true), await started(process, false)];
    const paths = [`/runs/${inContext}`, "/runs", "/", "/contexts"];
    const answers = [
      ...await Promise.all(paths.map((path) => box.send("GET", path))),
      ...await Promise.all([`/runs/${alone}`, "/runs"].map((path) => gateway.send("GET", path))),
      await gateway.send("POST", `/runs/${alone}/answers`, { answers: [] }),
      await box.send("POST", "/execute", { binding: "PYTHON", code: "print 1" }),
    ];
    for (const answer of answers) {
      const text = await answer.text();
      assert(!text.includes("canary") && !text.includes("hooks.test"), text);
    }
  }));

Deno.test("notifications: a request that cannot be told is refused, and nothing begins", () =>
  together(async ({ store, start }) => {
    const { box, gateway } = start();
    const cases: readonly (readonly [unknown, string])[] = [
      [1, "notify must be an object with url and secret"],
      [{ url: NOTIFY.url }, "notify.secret must be a string"],
      [{ secret: "s" }, "notify.url must be a string"],
      [{ ...NOTIFY, url: "x" }, "notify.url must be an http or https URL without user info"],
      [{ ...NOTIFY, url: "ftp://hooks.test/" }, "notify.url must be an http or https URL"],
      [{ ...NOTIFY, url: "https://u:p@hooks.test/" }, "notify.url must be an http or https URL"],
      [{ ...NOTIFY, url: `https://hooks.test/${"a".repeat(2_048)}` }, "notify.url has more than"],
      [{ ...NOTIFY, secret: "" }, "notify.secret must not be empty"],
      [{ ...NOTIFY, secret: "a".repeat(513) }, "notify.secret has more than 512"],
      [{ ...NOTIFY, secret: "whsec_%" }, "notify.secret must be base64 after whsec_"],
      [{ ...NOTIFY, other: 1 }, "notify has an unknown field 'other'"],
      [{ ...NOTIFY, url: "https://other.test/" }, "notify.url is not at a host that the operator"],
      [{ ...NOTIFY, url: "https://127.0.0.1/" }, "notify.url is not at a host that the operator"],
    ];
    for (const [notify, message] of cases) {
      const code = "call ping {}";
      const inContext = await box.call(400, "POST", "/execute", {
        binding: "PYTHON",
        code,
        notify,
      });
      const alone = await gateway.call(400, "POST", "/execute/python", { code, notify });
      for (const answer of [inContext, alone]) {
        const { message: told = "" } = answer;
        assert(told.includes(message) && !told.includes("canary"), `${told}, not ${message}`);
      }
    }
    assertEquals(await keysOf(store), []);
  }));
