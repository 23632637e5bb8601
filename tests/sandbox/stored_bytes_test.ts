/** All that a caller can make the store keep counts for its quota: contents, names and labels. */
import { assert, assertEquals } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { valueBytes } from "../../store/atomic_size.ts";
import { rootRecordKey } from "../../store/keys.ts";
import { countIn } from "../../store/transaction.ts";
import { Caller, fakeRuntimes, sandboxProcess, withStore } from "./fixture.ts";
import { keyed } from "./keyed.ts";

const LONG = "d".repeat(230);
/** Room for the records that every sandbox has, and for the keys of all entries. */
const SLACK = 16 * 1024;

/** Bytes of all values that hold texts or contents of callers. */
async function storeSize(store: KvStore): Promise<number> {
  let bytes = 0;
  for await (const { key, value } of store.list({ prefix: [] })) {
    if (key[0] === "sandbox_size") continue;
    bytes += value instanceof Uint8Array ? value.length : JSON.stringify(value).length;
    assert(valueBytes(value) <= 65_536);
  }
  return bytes;
}

async function counted(store: KvStore): Promise<number> {
  return countIn(await store.get(["sandbox_size", "default", "bytes"]));
}

async function longNames(box: Caller, op: string, fields = {}): Promise<void> {
  await box.file("mkdir", `${LONG}/${LONG}/${LONG}`, { recursive: true });
  for (let n = 0; n < 40; n++) {
    await box.file(op, `${LONG}/${LONG}/${LONG}/${n}${LONG}`, fields);
  }
}

const metadata = Object.fromEntries(
  Array.from({ length: 30 }, (_, n) => [`label ${n}`, "é".repeat(60)]),
);

type Way = (box: Caller, sandboxes: ReturnType<typeof sandboxProcess>) => Promise<unknown>;

const WAYS: { readonly [name: string]: Way } = {
  "names of directories": (box) => longNames(box, "mkdir"),
  "names of empty files": (box) => longNames(box, "write", { content: "" }),
  "many small files": async (box) => {
    for (let n = 0; n < 100; n++) await box.file("write", `f${n}`, { content: "x" });
  },
  "names of contexts": async (box) => {
    for (let n = 0; n < 8; n++) await box.context({ name: `${n}${"é".repeat(120)}` });
  },
  "variables": (box) => box.ok("POST", "/env", { envVars: { A: "x".repeat(20_000) } }),
  "labels": async (_, sandboxes) => {
    const terms = sandboxes.forTenant("default").terms;
    for (let n = 0; n < 10; n++) await terms.begin(`t${n}`, { endAt: 9e12, metadata });
  },
  "checkpoints": async (box) => {
    await longNames(box, "mkdir");
    for (let n = 0; n < 16; n++) await box.ok("POST", "/checkpoints", { name: "é".repeat(128) });
  },
  "forks": async (box) => {
    await longNames(box, "mkdir");
    for (let n = 0; n < 4; n++) await box.ok("POST", "/fork", { to: `fork${n}` });
  },
  "answers": async (box) => {
    for (let n = 0; n < 20; n++) await keyed(box, `${n}${"k".repeat(240)}`, "x = 1");
  },
};

for (const [name, grow] of Object.entries(WAYS)) {
  Deno.test(`stored bytes: ${name} count at least as much as the store grows`, () =>
    withStore(async (store) => {
      const sandboxes = sandboxProcess(store, { runtimes: fakeRuntimes() });
      const box = new Caller(sandboxes);
      const size = await storeSize(store);
      await grow(box, sandboxes);
      const grown = await storeSize(store) - size;
      const count = await counted(store);
      assert(grown <= count + SLACK, `${grown} bytes stored, ${count} counted`);
      await box.ok("DELETE", "/");
      for (let n = 0; n < 10; n++) {
        await new Caller(sandboxes, `t${n}`).ok("DELETE", "/");
        await new Caller(sandboxes, `fork${n}`).ok("DELETE", "/");
      }
      assertEquals(await counted(store), 0);
    }));
}

Deno.test("stored bytes: names are refused at the quota, and change nothing", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store, { quotas: { maxTenantBytes: 30_000 } });
    const box = new Caller(sandboxes);
    await box.file("mkdir", `${LONG}/${LONG}/${LONG}`, { recursive: true });
    let made = 0;
    const body = (n: number) => ({ op: "mkdir", path: `${LONG}/${LONG}/${LONG}/${n}${LONG}` });
    while ((await box.send("POST", "/files", body(made))).status === 200) made++;
    assert(made > 20 && made < 40, String(made));
    const before = await box.paths();
    const { context } = await box.fails(507, "NO_SPACE", "POST", "/files", body(made));
    assertEquals(context, { limit: "tenant bytes" });
    assertEquals(await box.paths(), before);
    await box.file("delete", `${LONG}/${LONG}/${LONG}/0${LONG}`, { recursive: true });
    await box.ok("POST", "/files", body(made));
  }));

Deno.test("stored bytes: a sandbox of an earlier version is counted again with its next change", () =>
  withStore(async (store) => {
    const box = new Caller(sandboxProcess(store, { quotas: { maxTenantBytes: 20_000 } }));
    const key = rootRecordKey("default", "box");
    /** As a version wrote it that counted contents only. */
    const makeOld = async (contents: number) => {
      const { value } = await store.get<{ readonly counted: number }>(key);
      assert(value !== null);
      const { counted: now, ...old } = value;
      assert(now > contents);
      const counter = ["sandbox_size", "default", "bytes"];
      // downwards, as counters of every store move: by adding modulo 2^64
      const less = BigInt.asUintN(64, BigInt(contents - await counted(store)));
      await store.atomic().set(key, old).sum(counter, less).commit();
    };
    for (let n = 0; n < 40; n++) await box.file("write", `${n}${LONG}`, { content: "x" });
    const whole = await counted(store);
    await makeOld(40);
    assertEquals(await counted(store), 40);
    await box.file("delete", `0${LONG}`); // adds nothing
    const now = await counted(store);
    assert(now < whole && now > whole - 1_000, `${now} of ${whole}`);
    await makeOld(39);
    await box.ok("DELETE", "/");
    assertEquals(await counted(store), 0);
  }));

Deno.test("stored bytes: over the quota after such a count, a sandbox can shrink but not grow", () =>
  withStore(async (store) => {
    const roomy = new Caller(sandboxProcess(store));
    for (let n = 0; n < 40; n++) await roomy.file("write", `${n}${LONG}`, { content: "x" });
    const box = new Caller(sandboxProcess(store, { quotas: { maxTenantBytes: 5_000 } }));
    await box.file("delete", `0${LONG}`);
    await box.file("write", `1${LONG}`, { content: "y" });
    const more = { op: "write", path: "more", content: "x" };
    await box.fails(507, "NO_SPACE", "POST", "/files", more);
    for (let n = 1; n < 40; n++) await box.file("delete", `${n}${LONG}`);
    await box.ok("POST", "/files", more);
  }));
