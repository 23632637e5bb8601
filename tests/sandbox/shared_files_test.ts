/** Files that forks and checkpoints share: stored once, and deleted with their last owner. */
import { assert, assertEquals } from "@std/assert";
import { encodeShard } from "../../sandbox/manifest_shards.ts";
import { readRecord } from "../../sandbox/root_record.ts";
import { checkpointKey, rootRecordKey, sandboxBlobKey } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { countIn, Transaction } from "../../store/transaction.ts";
import { WrappedStore } from "../../store/wrapped_store.ts";
import { withMemory } from "../store/fixture.ts";
import { FaultyStore } from "./faulty_store.ts";
import type { Caller } from "./fixture.ts";
import { assertEmptyAfterAll, assertTidy, Processes } from "./forks_processes.ts";

/** Too large for one atomic operation. */
const LARGE = 1_500_000;

/** Counts the bytes of what is stored. */
async function bytesStored(kv: KvStore): Promise<number> {
  let bytes = 0;
  for await (const { key, value } of kv.list({ prefix: [] })) {
    if (key[0] === "sandbox_blob" && value instanceof Uint8Array) bytes += value.length;
  }
  return bytes;
}

async function put(box: Caller, path: string, mark: string, bytes = LARGE): Promise<void> {
  const answer = await box.send("PUT", `/files/${path}`, undefined, { body: mark.repeat(bytes) });
  await answer.body?.cancel();
  assert(answer.ok, String(answer.status));
}

/** The first byte of a file and its length; undefined: there is none. */
async function fileIn(box: Caller, path: string): Promise<string | undefined> {
  const answer = await box.send("GET", `/files/${path}`);
  const text = await answer.text();
  return answer.ok ? `${text[0]} ${text.length}` : undefined;
}

Deno.test("shared files: forks, checkpoints and restores of a large sandbox write next to nothing", () =>
  withMemory(async (kv) => {
    using processes = new Processes(kv);
    const counted = new FaultyStore(kv);
    const { caller } = processes.start(counted);
    const box = caller("a");
    await put(box, "f", "x");
    const before = await bytesStored(kv);
    counted.reset();
    await box.ok("POST", "/fork", { to: "b" });
    const { id } = await box.ok("POST", "/checkpoints", {});
    await put(box, "f", "y", 9);
    await box.ok("POST", `/checkpoints/${id}/restore`);
    const commits = counted.operations.filter((each) => each === "commit").length;
    assert(commits <= 6, String(commits));
    const more = await bytesStored(kv) - before;
    assert(more < 2_000, String(more));
    assertEquals(await fileIn(box, "f"), `x ${LARGE}`);
    assertEquals(await fileIn(caller("b"), "f"), `x ${LARGE}`);
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

Deno.test("shared files: each owner changes its own, and the last one to leave frees the bytes", () =>
  withMemory(async (kv) => {
    using processes = new Processes(kv);
    const { caller, cleanUp } = processes.start();
    const [a, b, c] = [caller("a"), caller("b"), caller("c")];
    await put(a, "f", "x");
    await a.ok("POST", "/env", { envVars: { A: "1" } });
    await a.ok("POST", "/fork", { to: "b" });
    await b.ok("POST", "/fork", { to: "c" });
    await put(b, "f", "y");
    await b.ok("POST", "/env", { envVars: { A: null, B: "2" } });
    await c.file("rename", "f", { newPath: "g" });
    await cleanUp();
    await assertTidy(kv, "after the changes");
    assertEquals(
      [await fileIn(a, "f"), await fileIn(b, "f"), await fileIn(c, "g")],
      [`x ${LARGE}`, `y ${LARGE}`, `x ${LARGE}`],
    );
    await a.ok("DELETE", "/");
    await cleanUp();
    assert(await bytesStored(kv) >= 2 * LARGE);
    assertEquals(await fileIn(c, "g"), `x ${LARGE}`);
    assertEquals((await b.ok("GET", "/"))["envVars"], ["B"]);
    assertEquals((await c.ok("GET", "/"))["envVars"], ["A"]);
    await c.file("delete", "g");
    await cleanUp();
    await assertTidy(kv, "after the last owner of one file");
    assert(await bytesStored(kv) < LARGE + 5_000);
    assertEquals(await fileIn(b, "f"), `y ${LARGE}`);
    await assertEmptyAfterAll(kv, processes, "at the end");
    assertEquals(countIn(await kv.get(["sandbox_size", "default", "bytes"])), 0);
  }));

Deno.test("shared files: answers and unfinished uploads of the first owner go with it", () =>
  withMemory(async (kv) => {
    using processes = new Processes(kv);
    const { caller, cleanUp } = processes.start();
    const a = caller("a");
    const keyed = { headers: { "idempotency-key": "k" } };
    const run = { binding: "PYTHON", code: JSON.stringify({ add: 1 }) };
    await (await a.send("POST", "/execute", run, keyed)).body?.cancel();
    await put(a, "f", "x", 100_000);
    await a.ok("POST", "/fork", { to: "b" });
    for (const box of [a, caller("b")]) {
      const piece = await box.send("PUT", "/files/up", undefined, {
        body: "u".repeat(200_000),
        headers: { "content-range": `bytes 0-199999/${LARGE}` },
      });
      assertEquals([piece.status, await piece.text()], [202, ""]);
    }
    await a.ok("DELETE", "/");
    await cleanUp();
    const blobs: number[] = [];
    for await (const { key, value } of kv.list({ prefix: ["sandbox_blob"] })) {
      if (value instanceof Uint8Array && key.at(-1) === 0) blobs.push(value.length);
    }
    // the file, its manifest, and the first part of the upload that goes on
    assertEquals(blobs.filter((bytes) => bytes > 60_000).length, 2);
    assertEquals(blobs.length, 3);
    assertEquals(await fileIn(caller("b"), "f"), "x 100000");
    const rest = await caller("b").send("PUT", "/files/up", undefined, {
      body: "u".repeat(LARGE - 200_000),
      headers: { "content-range": `bytes 200000-${LARGE - 1}/${LARGE}` },
    });
    assertEquals([rest.status, await rest.text()], [201, ""]);
    assertEquals(await fileIn(caller("b"), "up"), `u ${LARGE}`);
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

Deno.test("shared files: a kill before any operation of a sweep loses nothing and leaves nothing", () =>
  withMemory(async (kv) => {
    using processes = new Processes(kv);
    const { caller, cleanUp } = processes.start();
    const [a, b] = [caller("a"), caller("b")];
    await put(a, "f", "x");
    await put(a, "g", "z", 10);
    await a.ok("POST", "/fork", { to: "b" });
    let killed = 0;
    for (let count = 0;; count++) {
      await put(a, "f", "y");
      await put(a, "f", "w");
      const faulty = new FaultyStore(kv);
      faulty.killAfter(count);
      await processes.start(faulty).cleanUp().catch(() => undefined);
      assertEquals([await fileIn(a, "f"), await fileIn(a, "g")], [`w ${LARGE}`, "z 10"]);
      assertEquals([await fileIn(b, "f"), await fileIn(b, "g")], [`x ${LARGE}`, "z 10"]);
      processes.wait(60_000);
      await cleanUp();
      await assertTidy(kv, `killed before operation ${count}`);
      if (!faulty.died) break;
      killed++;
    }
    assert(killed > 15, String(killed));
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));

/**
 * A store that does other work between two reads of a sweep: when it has read a sandbox, and is about
 * to read its checkpoint.
 */
class InterruptedStore extends WrappedStore {
  readonly #work: () => Promise<void>;
  #hasRoot = false;
  isDone = false;

  constructor(kv: KvStore, work: () => Promise<void>) {
    super(kv);
    this.#work = work;
  }

  override async getMany<T extends readonly unknown[]>(
    keys: readonly [...{ [K in keyof T]: Deno.KvKey }],
  ): Promise<{ [K in keyof T]: Deno.KvEntryMaybe<T[K]> }> {
    const read = (kind: string, last?: string) =>
      keys.some((key) => key[0] === kind && (last === undefined || key.at(-1) === last));
    const isDue = this.#hasRoot && read("sandbox_checkpoint") && !read("sandbox", "a");
    if (isDue && !this.isDone) {
      this.isDone = true;
      await this.#work();
    }
    this.#hasRoot ||= read("sandbox", "a");
    return await super.getMany<T>(keys);
  }

  protected override async around<T>(_: unknown, work: () => Promise<T>): Promise<T> {
    return await work();
  }
}

/** More sandboxes than one read of a sweep. */
const FORKS = 24;
/** Sandbox and checkpoint are in different reads, in the needed order, in a third of all attempts. */
const ATTEMPTS = 60;

Deno.test("shared files: a restore during a sweep keeps what it takes over", async () => {
  let isDone = false;
  for (let attempt = 0; attempt < ATTEMPTS && !isDone; attempt++) {
    await withMemory(async (kv) => {
      using processes = new Processes(kv);
      const { caller } = processes.start();
      const a = caller("a");
      const extra = Array.from({ length: FORKS }, (_, n) => `extra-${n}`);
      await put(a, "f", "x");
      for (const to of extra) await a.ok("POST", "/fork", { to });
      for (const name of extra) await caller(name).file("delete", "f");
      const { id } = await a.ok("POST", "/checkpoints", {});
      await put(a, "f", "y");
      const interrupted = new InterruptedStore(kv, async () => {
        await a.ok("POST", `/checkpoints/${id}/restore`);
        await a.ok("DELETE", `/checkpoints/${id}`);
      });
      await processes.start(interrupted).cleanUp();
      isDone = interrupted.isDone;
      const found = await fileIn(a, "f");
      assertEquals(found, isDone ? `x ${LARGE}` : `y ${LARGE}`);
      for (const name of extra) await caller(name).ok("DELETE", "/");
      await assertEmptyAfterAll(kv, processes, "at the end");
    });
  }
  assert(isDone);
});

Deno.test("shared files: a checkpoint of an earlier version, with a copy of its own, is restored", () =>
  withMemory(async (kv) => {
    using processes = new Processes(kv);
    const { caller, cleanUp } = processes.start();
    const a = caller("a");
    await put(a, "f", "x", 100_000);
    const { id } = await a.ok("POST", "/checkpoints", {});
    const record = readRecord((await kv.get(rootRecordKey("default", "a"))).value);
    assert(record !== undefined);
    const key = checkpointKey(record.lifetime, String(id));
    const found = await kv.get<{ readonly state: object }>(key);
    assert(found.value !== null);
    const { home: _, ...old } = readRecord(found.value.state) ?? record;
    const copy = new Transaction(kv, { writeId: "old", clock: () => processes.now });
    const data = new TextEncoder().encode("o".repeat(100_000));
    const ref = copy.putBlob(sandboxBlobKey(old.lifetime), data);
    const shard = old.workspace.shards[0];
    assert(shard !== undefined);
    const file = ["/workspace/f", { type: "file", modifiedAt: 1, ref }] as const;
    const manifest = encodeShard({ ...shard, nodes: [file] });
    const shards = [{ ...shard, ref: copy.putBlob(sandboxBlobKey(old.lifetime), manifest) }];
    copy.set(key, { ...found.value, state: { ...old, workspace: { ...old.workspace, shards } } });
    copy.delete(["sandbox_home", record.lifetime, "member", old.lifetime]);
    assert(await copy.commit());
    await a.ok("POST", `/checkpoints/${id}/restore`);
    await cleanUp();
    assertEquals(await fileIn(a, "f"), "o 100000");
    await a.ok("DELETE", `/checkpoints/${id}`);
    await cleanUp();
    assertEquals(await fileIn(a, "f"), "o 100000");
    assertEquals(await bytesStored(kv) < 101_000, true);
    await assertEmptyAfterAll(kv, processes, "at the end");
  }));
