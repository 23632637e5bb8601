// test: long
/**
 * A large commit, with the process dying at every step of it, before and after KV performs the
 * step. Then another process opens the store, and its janitor runs much later.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { type BlobRef, readBlob } from "../../store/blobs.ts";
import { Janitor } from "../../store/janitor.ts";
import { rootRecordKey, sandboxBlobKey, sandboxLeaseKeys } from "../../store/keys.ts";
import type { KvStore } from "../../store/kv.ts";
import { LeaseTable } from "../../store/lease.ts";
import { openStore } from "../../store/open.ts";
import { Transaction } from "../../store/transaction.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { withTestStore } from "../support/test_store.ts";
import { Crashed, type Fault, FaultyKv } from "./faulty_kv.ts";
import { assertBytes, bytesOf, keysUnder, withFile } from "./fixture.ts";

const PART = 65_536;
const TTL_MS = 10_000;
const key = sandboxBlobKey("life");
const root = rootRecordKey("tenant", "box");
const leaseKeys = sandboxLeaseKeys("life", "context");

/** The content of a root record in these tests: the existing blobs. */
interface Root {
  readonly version: number;
  readonly blobs: readonly BlobRef[];
}

function tableOf(kv: KvStore, owner: string, clock: () => number): LeaseTable {
  return new LeaseTable({ kv, owner, ttlMs: TTL_MS, clock });
}

/** A run: takes the lease, replaces all blobs by others of these lengths, commits. */
async function replaceBlobs(
  kv: KvStore,
  clock: () => number,
  version: number,
  lengths: readonly number[],
): Promise<boolean> {
  const lease = await tableOf(kv, `owner ${version}`, clock).acquire(leaseKeys, {
    maxWaitMs: 1_000,
  });
  try {
    const { value, versionstamp } = await kv.get<Root>(root);
    const transaction = new Transaction(kv, { writeId: crypto.randomUUID(), clock });
    transaction.check(root, versionstamp);
    for (const ref of value?.blobs ?? []) transaction.deleteBlob(key, ref);
    const blobs = lengths.map((length, n) =>
      transaction.putBlob(key, bytesOf(length, version * 1_000 + n))
    );
    lease.commitWith(transaction);
    return await transaction.set(root, { version, blobs }).commit();
  } finally {
    await ignoringCrash(lease.release());
  }
}

async function ignoringCrash(work: Promise<void>): Promise<void> {
  try {
    await work;
  } catch (thrown) {
    if (!(thrown instanceof Crashed)) throw thrown;
  }
}

/** One version is complete, and no other key exists. */
async function assertWhole(kv: KvStore, lengths: ReadonlyMap<number, readonly number[]>) {
  const { value } = await kv.get<Root>(root);
  assert(value !== null);
  const expected = lengths.get(value.version);
  assert(expected !== undefined);
  assertEquals(value.blobs.map(({ bytes }) => bytes), expected);
  const keys: string[] = [];
  for (const [n, ref] of value.blobs.entries()) {
    assertBytes(await readBlob(kv, key, ref), bytesOf(ref.bytes, value.version * 1_000 + n));
    const parts = Math.ceil(ref.bytes / PART);
    for (let part = 0; part < parts; part++) keys.push(key(ref.run, n, part).join("/"));
  }
  assertEquals(await keysUnder(kv, ["sandbox_blob"]), keys.sort(byNumbers));
  for (const prefix of ["intent", "garbage", "dead"]) {
    assertEquals(await keysUnder(kv, [prefix]), []);
  }
  return value.version;
}

function byNumbers(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true });
}

async function janitorRound(kv: KvStore, clock: () => number): Promise<void> {
  const failures: unknown[] = [];
  const leases = tableOf(kv, "janitor", clock);
  const janitor = new Janitor({ kv, clock, leases, onError: (_, thrown) => failures.push(thrown) });
  await janitor.runNow();
  await janitor.close();
  assertEquals(failures, []);
}

const LENGTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [1, [30 * PART, 100, 5 * PART + 1]],
  [2, [60 * PART + 9, 0, 14 * PART, 70_000]],
]);

/** Small commits: one operation each, for which the same must hold. */
const SMALL: ReadonlyMap<number, readonly number[]> = new Map([[1, [100, 200]], [2, [300]]]);

/** Dies at one step of the second run; false when the run ended before that step. */
async function dieAt(
  kv: KvStore,
  lengths: ReadonlyMap<number, readonly number[]>,
  step: number,
  fault: Fault,
  reopen: () => Promise<KvStore>,
): Promise<boolean> {
  const start = Date.now();
  assert(await replaceBlobs(kv, () => start, 1, lengths.get(1) ?? []));
  const dying = new FaultyKv(kv, { faultAt: (at) => at === step ? fault : undefined });
  const second = replaceBlobs(dying, () => start, 2, lengths.get(2) ?? []);
  const reached = await second.then(() => dying.crashed, (thrown) => {
    if (!(thrown instanceof Crashed)) throw thrown;
    return true;
  });
  const later = () => start + 3_600_000;
  const opened = await reopen();
  await janitorRound(opened, later);
  const version = await assertWhole(opened, lengths);
  if (!reached) assertEquals(version, 2);
  // The dead run's lease blocks nobody.
  assert(await replaceBlobs(opened, later, 1, lengths.get(1) ?? []));
  await assertWhole(opened, lengths);
  return reached;
}

for (const [name, lengths, least] of [["large", LENGTHS, 8], ["small", SMALL, 4]] as const) {
  for (const fault of ["crash before", "crash after"] as const) {
    Deno.test(`crash: ${name} commit, ${fault} each step: all of it or nothing, no blob left`, () =>
      withTestStore(async (kv) => {
        let step = 1;
        while (await dieAt(kv, lengths, step, fault, () => Promise.resolve(kv))) {
          step++;
          for (const prefix of ["sandbox", "sandbox_blob", "sandbox_lease"]) {
            await clear(kv, prefix);
          }
        }
        assert(step >= least, `only ${step} steps`);
      }));
  }
}

Deno.test("crash: the same holds for a file that is opened again", () =>
  withFile(async (kv, path) => {
    let step = 1;
    for (;;) {
      let reopened: KvStore | undefined;
      const reopen = async () => reopened = await openStore(path);
      const reached = await dieAt(kv, LENGTHS, step, "crash after", reopen);
      reopened?.close();
      if (!reached) break;
      step += 3;
      for (const prefix of ["sandbox", "sandbox_blob", "sandbox_lease"]) await clear(kv, prefix);
    }
    assert(step > 6);
  }));

Deno.test("crash: the janitor completes a commit's remaining deletions, even when it dies too", () =>
  withTestStore(async (kv) => {
    const random = seeded(printedSeed("janitor dies"));
    for (let round = 0; round < 4; round++) {
      const start = Date.now();
      const many = Array.from({ length: 1_500 }, () => 20);
      const refs: BlobRef[] = [];
      for (let from = 0; from < many.length; from += 500) {
        const transaction = new Transaction(kv, {
          writeId: crypto.randomUUID(),
          clock: () => start,
        });
        for (let n = from; n < from + 500; n++) refs.push(transaction.putBlob(key, bytesOf(20, n)));
        assert(await transaction.commit());
      }
      // Steps: lists with the intent, the commit, then the deletions.
      const dying = new FaultyKv(kv, {
        faultAt: (at) => at === 3 + round ? "crash before" : undefined,
      });
      const transaction = new Transaction(dying, {
        writeId: crypto.randomUUID(),
        clock: () => start,
      });
      for (const ref of refs) transaction.deleteBlob(key, ref);
      assert(await transaction.commit());
      for (let tries = 0;; tries++) {
        const later = start + 3_600_000 * (tries + 1);
        const diesAt = tries < 6 ? 4 + Math.floor(random() * 12) : -1;
        const janitors = new FaultyKv(kv, {
          faultAt: (at) => at === diesAt ? "crash after" : undefined,
        });
        try {
          await janitorRound(janitors, () => later);
          break;
        } catch (thrown) {
          assert(janitors.crashed, String(thrown));
        }
      }
      for (const prefix of ["sandbox_blob", "intent", "garbage"]) {
        assertEquals(await keysUnder(kv, [prefix]), []);
      }
    }
  }));

Deno.test("crash: the janitor keeps blobs that are being written or are named", () =>
  withTestStore(async (kv) => {
    const start = Date.now();
    assert(await replaceBlobs(kv, () => start, 1, LENGTHS.get(1) ?? []));
    let looked = 0;
    const watched = new FaultyKv(kv, {
      beforeWrite: async () => {
        looked++;
        await janitorRound(kv, () => start + 60_000);
      },
    });
    assert(await replaceBlobs(watched, () => start, 2, LENGTHS.get(2) ?? []));
    assert(looked > 3);
    assertEquals(await assertWhole(kv, LENGTHS), 2);
  }));

Deno.test("crash: a dead process no longer answers", () =>
  withTestStore(async (kv) => {
    const dying = new FaultyKv(kv, { faultAt: (step) => step === 2 ? "crash before" : undefined });
    await dying.get(["a"]);
    await assertRejects(() => dying.set(["a"], 1), Crashed);
    await assertRejects(() => dying.get(["a"]), Crashed);
    assertEquals((await kv.get(["a"])).value, null);
  }));

async function clear(kv: KvStore, prefix: string): Promise<void> {
  for await (const { key } of kv.list({ prefix: [prefix] })) await kv.delete(key);
}
