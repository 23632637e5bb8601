/** Damage to the stored data of a context is refused cleanly, or harmless. */
import { assert, assertEquals, assertInstanceOf } from "@std/assert";
import { ContextStore } from "../../../runtimes/contexts/context_store.ts";
import { SnapshotUnreadable } from "../../../runtimes/contexts/memory_record.ts";
import { referenceTo, type SnapshotIndex } from "../../../runtimes/contexts/snapshot_index.ts";
import { partsOf } from "../../../store/blobs.ts";
import { interpreterBlobKey, interpreterPrefix } from "../../../store/keys.ts";
import type { KvStore } from "../../../store/kv.ts";
import { contentHash } from "../../../shared/content_hash.ts";
import type { InterpreterExecuteRpcResult } from "../../../shared/run_in_context.ts";
import { bytesOf } from "../../store/fixture.ts";
import { count } from "../../support/counts.ts";
import { printedSeed, seeded } from "../../support/random.ts";
import { type Host, refusalOf, startHost, TestContext, valueOf } from "./test_host.ts";

/** Number of damages; each takes a run. */
const DAMAGES = Number(Deno.env.get("DAMAGES") ?? count(200, 2_000));
const FORGERIES = Math.ceil(DAMAGES / 20);

type Below = (limit: number) => number;
interface Entry {
  readonly key: Deno.KvKey;
  readonly value: unknown;
}

const CODES = ["SNAPSHOT_CORRUPT", "SNAPSHOT_INCOMPATIBLE", "CONFLICT", "CONTEXT_NOT_FOUND"];

function belowOf(what: string): Below {
  const random = seeded(printedSeed(what));
  return (limit) => Math.floor(random() * limit);
}

async function entriesOf({ host, key }: TestContext): Promise<readonly Entry[]> {
  const prefix = interpreterPrefix(host.language, key);
  const entries: Entry[] = [];
  for await (const { key, value } of host.store.list({ prefix })) entries.push({ key, value });
  return entries;
}

/** Restores all stored data of a context. */
async function putBack(context: TestContext, entries: readonly Entry[]): Promise<void> {
  const { store } = context.host;
  const present = await entriesOf(context);
  const change = store.atomic();
  for (const { key } of present) change.delete(key);
  for (const { key, value } of entries) change.set(key, value);
  await change.commit();
}

/**
 * A context with several segments, one of them in several parts, and the check value of its state.
 */
async function victimOf(host: Host, heldBytes: number): Promise<TestContext> {
  const context = await TestContext.create(host);
  await context.run(`let n = 41; const bytes = require('crypto').randomBytes(300000);
    const large = Buffer.alloc(${heldBytes}, 'pages that stay');
    const sum = () => { let s = 7; for (let i = 0; i < 100000; i += 97) s = (s * 31 + bytes[i]) | 0; return s }; const before = sum(); n`);
  await context.run("const more = 'more'.repeat(1000); n");
  await context.run("n += 1; n");
  assertEquals(await context.value(PROBE), RIGHT);
  return context;
}

const PROBE = "[n, sum() === before, more.length]";
const RIGHT = "[42,true,4000]";

/** One damage: a byte, a cut, or two values changed for each other. */
async function damage(store: KvStore, entries: readonly Entry[], below: Below): Promise<void> {
  const chosen = entries[below(entries.length)];
  assert(chosen !== undefined);
  if (below(10) === 0) {
    const other = entries[below(entries.length)] ?? chosen;
    await store.atomic().set(chosen.key, other.value).set(other.key, chosen.value).commit();
  } else if (below(40) === 0) await store.delete(chosen.key);
  else await store.set(chosen.key, damaged(chosen.value, below));
}

/** A record is damaged in the bytes of its JSON. */
function damaged(value: unknown, below: Below): unknown {
  if (value instanceof Uint8Array) return damagedBytes(value, below);
  const bytes = damagedBytes(new TextEncoder().encode(JSON.stringify(value)), below);
  const text = new TextDecoder().decode(bytes);
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function damagedBytes(value: Uint8Array, below: Below): Uint8Array {
  if (below(5) === 0) return value.slice(0, below(value.length));
  const bytes = value.slice();
  const at = below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 + below(255));
  return bytes;
}

/** The run is refused by name, or gives the right answer. */
function assertCleanOrRight(answer: InterpreterExecuteRpcResult): "refused" | "right" {
  if (answer.ok) {
    assertEquals(valueOf(answer.result), RIGHT);
    return "right";
  }
  const [status, code] = refusalOf(answer);
  assert(CODES.includes(code), `${status} ${code}`);
  return "refused";
}

/** A process that has not read the context's index either accepts it whole, or refuses it. */
async function assertIndexWholeOrRefused(
  { host, key, id, reference }: TestContext,
  whole: SnapshotIndex,
): Promise<void> {
  const { store: kv, language } = host;
  const contexts = new ContextStore({ kv, language, clock: Date.now });
  const address = { sandboxKey: key, contextId: id };
  try {
    assertEquals(await contexts.index(address, reference ?? ""), whole);
  } catch (thrown) {
    assertInstanceOf(thrown, SnapshotUnreadable);
  }
}

Deno.test(`corruption: each of ${DAMAGES} damages is refused cleanly or harmless`, async () => {
  const below = belowOf("corruption");
  await using host = await startHost("javascript");
  const victim = await victimOf(host, 0);
  const bystander = await TestContext.create(host);
  await bystander.run("let n = 0");
  const isolates = host.isolates();
  const entries = await entriesOf(victim);
  const index = await new ContextStore({ kv: host.store, language: host.language, clock: Date.now })
    .index({ sandboxKey: victim.key, contextId: victim.id }, victim.reference ?? "");
  // also another context's data of the same kind
  const others = [...await entriesOf(bystander)];
  assertEquals(isolates.length, 1);
  assert(entries.length >= 8, `${entries.length} entries are little to damage`);
  const told = { refused: 0, right: 0 };
  for (let turn = 0; turn < DAMAGES; turn++) {
    const withOthers = below(20) === 0;
    await damage(host.store, withOthers ? [...entries, ...others] : entries, below);
    if (withOthers) await putBack(bystander, others);
    await assertIndexWholeOrRefused(victim, index);
    told[assertCleanOrRight(await victim.call(PROBE))]++;
    await putBack(victim, entries);
    if (turn % 100 === 0) {
      assertEquals(await bystander.value("++n"), String(turn / 100 + 1));
      others.splice(0, others.length, ...await entriesOf(bystander));
    }
  }
  assertEquals(valueOf(await victim.run(PROBE)), RIGHT);
  assert(told.refused > DAMAGES / 4 && told.right > 0, JSON.stringify(told));
  assertEquals(host.isolates(), isolates, "an isolate did not live on");
  const unreadable = host.logged.filter((event) => event === "context.unreadable");
  assert(unreadable.length > 0);
  assertEquals(host.logged.length, unreadable.length, "it failed in another way");
});

/** Gives a snapshot other segments, with new hashes for all of them. */
async function forge(
  context: TestContext,
  entries: readonly Entry[],
  change: (segment: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>,
): Promise<string> {
  const { store } = context.host;
  const id = context.reference?.split(".")[0] ?? "";
  const at = entries.find(({ key }) => key[3] === "snapshot" && key.at(-1) === id);
  assert(at?.value instanceof Uint8Array);
  const index: SnapshotIndex = JSON.parse(new TextDecoder().decode(at.value));
  const last = index.segments.at(-1);
  assert(last !== undefined);
  const parts = entries.filter(({ key }) => key[3] === "blob" && key[6] === last.run);
  const whole = parts.flatMap(({ value }) => value instanceof Uint8Array ? [...value] : []);
  const bytes = change(new Uint8Array(whole));
  const segments = [...index.segments.slice(0, -1), {
    ...last,
    bytes: bytes.length,
    sha256: contentHash(bytes),
  }];
  const forged = new TextEncoder().encode(JSON.stringify({ ...index, segments }));
  const write = store.atomic().set(at.key, forged);
  for (const [n, view] of partsOf(bytes).entries()) {
    write.set(
      interpreterBlobKey(context.host.language, context.key, context.id, last.run)(last.run, 0, n),
      view,
    );
  }
  await write.commit();
  return referenceTo(id, forged);
}

for (const held of [0, 2_000_000]) {
  Deno.test(`corruption: a snapshot with ${held} bytes that was forged harms no more than its own run`, async () => {
    const below = belowOf("forgery");
    await using host = await startHost("javascript", {
      limits: { fuel: 1_000_000_000, wallMs: 5_000 },
    });
    const victim = await victimOf(host, held);
    const bystander = await TestContext.create(host);
    await bystander.run("let n = 0");
    const entries = await entriesOf(victim);
    const { reference } = victim;
    const changes: ((segment: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>)[] = [
      () => new Uint8Array(),
      () => new Uint8Array(3),
      () => new Uint8Array(1000).fill(255),
      () => bytesOf(5_000),
      (segment) => segment.slice(0, -1),
      (segment) => {
        const copy = segment.slice();
        new DataView(copy.buffer).setUint32(0, 0xffffffff, true);
        return copy;
      },
    ];
    for (let turn = 0; turn < FORGERIES; turn++) {
      const change = changes[turn] ?? ((segment) => new Uint8Array(damagedBytes(segment, below)));
      const answer = await victim.call(PROBE, { snapshot: await forge(victim, entries, change) });
      if (turn < changes.length) {
        assertEquals(refusalOf(answer).slice(0, 2), [500, "SNAPSHOT_CORRUPT"]);
      }
      await putBack(victim, entries);
      assertEquals(valueOf(await victim.run(PROBE)), RIGHT, `after forgery ${turn}`);
      await putBack(victim, entries);
      victim.reference = reference;
      if (turn % 10 === 0) assertEquals(await bystander.value("++n"), String(turn / 10 + 1));
    }
    assertEquals(valueOf(await victim.run(PROBE)), RIGHT);
  });
}
