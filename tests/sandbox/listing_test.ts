/**
 * The listing of sandboxes over a store: whose sandboxes it shows, which, and at what cost.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { emptyRecord, type SandboxRecord } from "../../sandbox/root_record.ts";
import type { SandboxNamespace } from "../../sandbox/sandboxes.ts";
import { rootRecordKey } from "../../store/keys.ts";
import { ServiceError } from "../../shared/errors.ts";
import type { SandboxList } from "../../shared/sandbox_types.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { FaultyStore } from "./faulty_store.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";

const MANY = 10_000;

async function page(
  namespace: SandboxNamespace,
  limit?: number,
  cursor?: string,
): Promise<SandboxList> {
  return await namespace.list({
    limit: limit === undefined ? [] : [String(limit)],
    cursor: cursor === undefined ? [] : [cursor],
  });
}

async function idsOf(namespace: SandboxNamespace, limit: number): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const listed = await page(namespace, limit, cursor);
    ids.push(...listed.sandboxes.map(({ id }) => id));
    cursor = listed.cursor;
  } while (cursor !== undefined);
  return ids;
}

/** Stores records of sandboxes as earlier versions did. */
async function fill(
  store: KvStore,
  tenant: string,
  count: number,
  fields: Partial<SandboxRecord> = {},
): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const atomic = store.atomic();
    for (let n = from; n < Math.min(count, from + 500); n++) {
      const record = { ...emptyRecord(`lifetime-${tenant}-${n}`, 1_000 + n), ...fields };
      atomic.set(rootRecordKey(tenant, `box-${String(n).padStart(5, "0")}`), record);
    }
    assert((await atomic.commit()).ok);
  }
}

Deno.test("listing: a page costs by its own length, however many sandboxes there are", () =>
  withStore(async (store) => {
    for (const tenant of ["a", "ab", "b"]) await fill(store, tenant, tenant === "ab" ? MANY : 300);
    const counted = new FaultyStore(store);
    const namespace = sandboxProcess(counted).forTenant("ab");
    let cursor: string | undefined;
    for (const limit of [1, 50, 100, 7]) {
      counted.reset();
      const listed = await page(namespace, limit, cursor);
      assertEquals(listed.sandboxes.length, limit);
      assert(counted.operations.length <= limit + 2, String(counted.operations.length));
      cursor = listed.cursor;
    }
    const ids = await idsOf(namespace, 100);
    assertEquals([ids.length, new Set(ids).size], [MANY, MANY]);
    assertEquals([...ids].sort(), ids);
  }));

Deno.test("listing: a tenant sees its own sandboxes only, and takes no cursor of another", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store);
    const tenants = ["a", "a\0", "ab", "", "b"];
    for (const tenant of tenants) {
      for (const name of ["one", "two", `of.${tenant.length}`]) {
        await new Caller(sandboxes, name, tenant).file("write", "f", { content: tenant });
      }
    }
    for (const tenant of tenants) {
      const namespace = sandboxes.forTenant(tenant);
      const ids = await idsOf(namespace, 2);
      assertEquals(ids, [`of.${tenant.length}`, "one", "two"]);
      const { usage } = await page(namespace);
      assertEquals([usage.sandboxes, usage.bytes], [3, 3 * tenant.length]);
      const { cursor } = await page(namespace, 1);
      for (const other of tenants.filter((other) => other !== tenant)) {
        const refused = page(sandboxes.forTenant(other), 1, cursor);
        const { code, message } = await assertRejects(() => refused, ServiceError);
        assertEquals([code, message.split(" ")[0]], ["VALIDATION_FAILED", "cursor"]);
      }
      assertEquals(
        (await page(sandboxProcess(store).forTenant(tenant), 1, cursor)).sandboxes[0]?.id,
        "one",
      );
    }
  }));

Deno.test("listing: expired sandboxes are shown only while a run uses them", () =>
  withStore(async (store) => {
    let now = 1_000_000;
    const runtimes = fakeRuntimes();
    const options = { clock: () => now, quotas: { idleTtlMs: 60_000 }, runtimes };
    const sandboxes = sandboxProcess(store, options);
    const namespace = sandboxes.forTenant("default");
    await new Caller(sandboxes, "idle").file("write", "f", { content: "x" });
    const busy = new Caller(sandboxes, "busy");
    await busy.run("n = 1");
    const gate = Promise.withResolvers<void>();
    runtimes.PYTHON.gate = gate.promise;
    const began = Promise.withResolvers<void>();
    runtimes.PYTHON.before = (what) => what === "run" ? began.resolve() : undefined;
    const running = busy.run("wait");
    await began.promise;
    assertEquals(await idsOf(namespace, 1), ["busy", "idle"]);
    now += 60_000;
    assertEquals(await idsOf(namespace, 1), ["busy"]);
    assertEquals((await page(namespace)).usage.sandboxes, 2);
    gate.resolve();
    await running;
    now += 60_000;
    assertEquals(await idsOf(namespace, 1), []);
    for (const { run } of sandboxes.janitorTasks) await run(new AbortController().signal);
    assertEquals((await page(namespace)).usage, {
      sandboxes: 0,
      maxSandboxes: 100_000,
      bytes: 0,
      maxBytes: 64 * 1024 ** 3,
    });
  }));

Deno.test("listing: many expired sandboxes make pages short, and none is missing", () =>
  withStore(async (store) => {
    await fill(store, "default", 2_500, { expiresAt: 1 });
    const sandboxes = sandboxProcess(store);
    for (const name of ["aaa", "box-00500", "box-01999x", "zzz"]) {
      await store.delete(rootRecordKey("default", name));
      await new Caller(sandboxes, name).file("mkdir", "d");
    }
    const counted = new FaultyStore(store);
    const namespace = sandboxProcess(counted).forTenant("default");
    const first = await page(namespace, 100);
    assertEquals(first.sandboxes.map(({ id }) => id), ["aaa", "box-00500"]);
    assert(counted.operations.length < 1_100, String(counted.operations.length));
    assertEquals(await idsOf(namespace, 100), ["aaa", "box-00500", "box-01999x", "zzz"]);
  }));

Deno.test("listing: the listing agrees with the store while several processes create and delete sandboxes", () =>
  withStore(async (store) => {
    const seed = printedSeed("listing of several processes");
    const below = seededBelow(seed);
    const processes = [sandboxProcess(store), sandboxProcess(store)];
    const names = Array.from({ length: 40 }, (_, n) => `n${n * 17 % 40}`);
    const stay = names.filter((_, n) => n % 3 === 0);
    const present = new Set<string>();
    const act = async (name: string) => {
      const box = new Caller(processes[below(2)] ?? sandboxProcess(store), name);
      if (present.has(name) && !stay.includes(name)) {
        present.delete(name);
        await box.ok("DELETE", "/");
      } else {
        present.add(name);
        await box.file("write", `f${below(3)}`, { content: "x".repeat(below(9)) });
      }
    };
    for (const name of stay) await act(name);
    for (let round = 0; round < 10; round++) {
      const namespace = (processes[below(2)] ?? sandboxProcess(store)).forTenant("default");
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const from = below(names.length);
        const changes = [0, 7, 14, 21].map((at) => act(names[(from + at) % names.length] ?? ""));
        const listed = await page(namespace, 1 + below(6), cursor);
        await Promise.all(changes);
        seen.push(...listed.sandboxes.map(({ id }) => id));
        cursor = listed.cursor;
      } while (cursor !== undefined);
      assertEquals(seen, [...new Set(seen)].sort(), `SEED=${seed}`);
      assertEquals(stay.filter((name) => !seen.includes(name)), [], `SEED=${seed}`);
      assertEquals(await idsOf(namespace, 100), [...present].sort(), `SEED=${seed}`);
      const { sandboxes, usage } = await page(namespace, 100);
      const bytes = sandboxes.reduce((sum, each) => sum + each.bytes, 0);
      assertEquals([usage.sandboxes, usage.bytes], [present.size, bytes], `SEED=${seed}`);
    }
  }));
