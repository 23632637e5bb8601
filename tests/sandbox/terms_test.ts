/** Sandboxes with a fixed end, and contexts that restart, over a store in memory and fake runtimes. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { ServiceError } from "../../shared/errors.ts";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, keysOf, sandboxProcess, withStore } from "./fixture.ts";
import { janitorRound } from "./janitor_round.ts";

const LEASE_MS = 10_000;
const HOUR_MS = 3_600_000;
const TENANT = "default";
const LABELS = { metadata: { of: "tests" } };

function withTime(work: (store: KvStore, time: { now: number }) => Promise<void>): Promise<void> {
  return withStore((store) => work(store, { now: Date.now() }));
}

Deno.test("terms: the janitor deletes a sandbox at its end, used or not, and all of it", () =>
  withTime(async (store, time) => {
    const clock = () => time.now;
    const sandboxes = sandboxProcess(store, { clock, leaseMs: LEASE_MS });
    const { terms } = sandboxes.forTenant(TENANT);
    const endAt = time.now + HOUR_MS;
    assert(await terms.begin("box", { endAt, ...LABELS }));
    assert(!await terms.begin("box", { endAt: endAt + 1, metadata: {} }));
    await new Caller(sandboxes).run("n = 1\nwrite n 1");
    assertEquals(await terms.find("box"), {
      id: "box",
      startedAt: time.now,
      endAt,
      ...LABELS,
    });
    time.now = endAt - 1;
    await new Caller(sandboxes).run("n");
    await janitorRound(store, sandboxes, clock);
    assert(await terms.find("box") !== undefined);
    time.now = endAt;
    await janitorRound(store, sandboxes, clock);
    time.now += 2 * LEASE_MS;
    await janitorRound(store, sandboxes, clock);
    assertEquals(await keysOf(store), []);
  }));

Deno.test("terms: an end is set, or only moved away; one of an idle sandbox too", () =>
  withTime(async (store, time) => {
    const clock = () => time.now;
    const sandboxes = sandboxProcess(store, { clock });
    const { terms } = sandboxes.forTenant(TENANT);
    const start = time.now;
    const endOf = async () => (await terms.find("box"))?.endAt;
    await terms.begin("box", { endAt: start + HOUR_MS, ...LABELS });
    await terms.end("box", start + 1, true);
    assertEquals(await endOf(), start + HOUR_MS);
    await terms.end("box", start + 2 * HOUR_MS, true);
    assertEquals(await endOf(), start + 2 * HOUR_MS);
    await terms.end("box", start + 5, false);
    assertEquals((await terms.find("box"))?.metadata, LABELS.metadata);
    assertEquals(await endOf(), start + 5);
    await new Caller(sandboxes, "idle").run("n = 1");
    const idle = (await terms.find("idle"))?.endAt ?? 0;
    await terms.end("idle", start + 1, true);
    assertEquals((await terms.find("idle"))?.endAt, idle);
    await terms.end("idle", idle + 1, true);
    assertEquals((await terms.find("idle"))?.endAt, idle + 1);
    assertEquals(await terms.end("nothing", start, false), undefined);
    assertEquals(await terms.find("nothing"), undefined);
  }));

Deno.test("terms: a listing has only sandboxes with all labels, page by page", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const { terms } = sandboxes.forTenant(TENANT);
    const endAt = Date.now() + HOUR_MS;
    for (let n = 0; n < 6; n++) {
      await terms.begin(`box${n}`, { endAt, metadata: { odd: String(n % 2), of: "tests" } });
    }
    const listed: string[] = [];
    for (let cursor: readonly string[] = [];;) {
      const page = await terms.list({ limit: ["2"], cursor, metadata: { odd: "1", of: "tests" } });
      listed.push(...page.sandboxes.map(({ id }) => id));
      if (page.cursor === undefined) break;
      cursor = [page.cursor];
    }
    assertEquals(listed, ["box1", "box3", "box5"]);
    const others = sandboxes.forTenant("other").terms;
    assertEquals((await others.list({ limit: [], cursor: [], metadata: {} })).sandboxes, []);
  }));

Deno.test("existing sandboxes: a call that would create one is 404, and nothing is made", () =>
  withStore(async (store) => {
    const object = sandboxProcess(store).forTenant(TENANT).named("box", {
      existing: true,
      forcedBinding: "PYTHON",
    });
    const calls = [
      ["POST", "/execute", { code: "n = 1" }],
      ["POST", "/contexts", {}],
      ["POST", "/env", { envVars: { A: "1" } }],
      ["POST", "/files", { op: "write", path: "a", content: "x" }],
      ["PUT", "/files/a", "x"],
    ] as const;
    for (const [method, path, body] of calls) {
      const answer = await object.fetch(
        new Request(`https://sandbox.internal${path}`, {
          method,
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        }),
      );
      const { code } = await answer.json();
      assertEquals([answer.status, code], [404, "VALIDATION_FAILED"], path);
    }
    assertEquals(await keysOf(store), []);
  }));

Deno.test("restart: errors of the runtime name the context by the id that callers know", () =>
  withStore(async (store) => {
    const runtimes = fakeRuntimes();
    const sandboxes = sandboxProcess(store, { runtimes });
    const box = new Caller(sandboxes);
    const { id } = await box.ok("POST", "/contexts", { binding: "PYTHON" });
    const contextId = String(id);
    await box.run("n = 1", contextId);
    await sandboxes.forTenant(TENANT).terms.restart("box", contextId);
    await box.run("n = 1", contextId);
    runtimes.PYTHON.stored.clear(); // the runtime has lost it
    const body = { code: "n", contextId };
    const { context } = await box.fails(404, "CONTEXT_NOT_FOUND", "POST", "/execute", body);
    assertEquals(context, { contextId });
    await assertRejects(
      () => sandboxes.forTenant(TENANT).terms.restart("box", "nothing"),
      ServiceError,
    );
  }));

Deno.test("restart: killed before each operation, the memory is there or empty, and nothing is left", () =>
  withTime(async (store, time) => {
    const clock = () => time.now;
    const runtimes = fakeRuntimes();
    const options = { runtimes, clock, leaseMs: LEASE_MS };
    const sandboxes = sandboxProcess(store, options);
    const box = new Caller(sandboxes);
    const { id } = await box.ok("POST", "/contexts", { binding: "PYTHON", envVars: { A: "1" } });
    const contextId = String(id);
    let killed = 0;
    for (let count = 0;; count++) {
      await box.run(`n = ${count}`, contextId);
      const faulty = new FaultyStore(store);
      const { terms } = sandboxProcess(faulty, options).forTenant(TENANT);
      faulty.killAfter(count);
      const done = await terms.restart("box", contextId).then(() => true, () => false);
      time.now += 2 * LEASE_MS;
      const { results, error } = await box.run("n", contextId);
      const isThere = error === undefined;
      assert(!done || !isThere, `operation ${count}`);
      if (isThere) assertEquals(results, [{ json: count }]);
      await janitorRound(store, sandboxes, clock);
      assertEquals(runtimes.PYTHON.stored.size, 1, `operation ${count}`);
      if (!faulty.died) break;
      killed++;
    }
    assert(killed >= 2, String(killed));
    await box.ok("DELETE", "/");
    time.now += 2 * LEASE_MS;
    await janitorRound(store, sandboxes, clock);
    assertEquals(await keysOf(store), []);
  }));
