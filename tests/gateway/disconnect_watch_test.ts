import { assert, assertEquals } from "@std/assert";
import { DisconnectWatch, type PeerKey, peerKey } from "../../gateway/disconnects.ts";
import { pause, until } from "../support/wait.ts";

const ADDRESS: Deno.NetAddr = { transport: "tcp", hostname: "127.0.0.1", port: 40_000 };
const KEY = peerKey(ADDRESS) ?? "";
const OPEN: ReadonlySet<PeerKey> = new Set([KEY]);
const NONE: ReadonlySet<PeerKey> = new Set();
/** Longer than the time to several looks. */
const SEVERAL_LOOKS_MS = 1_000;

/** A watch whose looks find one thing after the other, and then the last one again and again. */
function watchThatFinds(...looks: (() => Promise<ReadonlySet<PeerKey>>)[]) {
  let count = 0;
  const readPeers = () => {
    const look = looks[Math.min(count++, looks.length - 1)];
    return look?.() ?? Promise.resolve(OPEN);
  };
  const watch = new DisconnectWatch(readPeers);
  return { watch, looks: () => count, [Symbol.dispose]: () => void watch.close() };
}

const finds = (peers: ReadonlySet<PeerKey>) => () => Promise.resolve(peers);

Deno.test("disconnect watch: a caller is disconnected after two polls without it", async () => {
  using watched = watchThatFinds(finds(OPEN), finds(NONE));
  using caller = watched.watch.add(ADDRESS);
  await until(() => caller.signal.aborted);
  assertEquals(watched.looks(), 3);
});

Deno.test("disconnect watch: a single poll without a caller does not count", async () => {
  const looks = [NONE, OPEN, NONE, OPEN].map(finds);
  using watched = watchThatFinds(...looks);
  using caller = watched.watch.add(ADDRESS);
  await until(() => watched.looks() > looks.length);
  assert(!caller.signal.aborted);
});

Deno.test("disconnect watch: failed polls do not count", async () => {
  using watched = watchThatFinds(() => Promise.reject(new Error("no table")));
  using caller = watched.watch.add(ADDRESS);
  await until(() => watched.looks() > 2);
  assert(!caller.signal.aborted);
});

Deno.test("disconnect watch: short requests need no poll", async () => {
  using watched = watchThatFinds(finds(NONE));
  const until = performance.now() + SEVERAL_LOOKS_MS;
  let wasSlow = false; // on a busy machine, a short pause can be longer than the time to a look
  for (let began = 0; began < until;) {
    began = performance.now();
    using caller = watched.watch.add(ADDRESS);
    await pause(10);
    wasSlow ||= performance.now() - began > SEVERAL_LOOKS_MS / 10;
    assert(wasSlow || !caller.signal.aborted);
  }
  assert(wasSlow || watched.looks() === 0);
});

Deno.test("disconnect watch: an answered caller is never reported", async () => {
  const reading = Promise.withResolvers<void>();
  const going = Promise.withResolvers<ReadonlySet<PeerKey>>();
  using watched = watchThatFinds(finds(NONE), () => {
    reading.resolve();
    return going.promise;
  });
  const caller = watched.watch.add(ADDRESS);
  await reading.promise;
  caller[Symbol.dispose]();
  going.resolve(NONE);
  await pause(SEVERAL_LOOKS_MS / 4);
  assert(!caller.signal.aborted);
});

Deno.test("disconnect watch: slow polls are rare", async () => {
  const LOOK_MS = 20;
  const looks: { readonly began: number; readonly ended: number }[] = [];
  using watched = watchThatFinds(async () => {
    const began = performance.now();
    await pause(LOOK_MS);
    looks.push({ began, ended: performance.now() });
    return OPEN;
  });
  using _caller = watched.watch.add(ADDRESS);
  await until(() => looks.length === 2);
  const [first, second] = looks;
  assert(first !== undefined && second !== undefined);
  const rest = second.began - first.ended;
  assert(rest >= 15 * (first.ended - first.began), JSON.stringify(looks)); // a twentieth of the time
});

Deno.test("disconnect watch: close() waits for the poll in progress and allows no other", async () => {
  const look = Promise.withResolvers<ReadonlySet<PeerKey>>();
  const { watch, looks } = watchThatFinds(() => look.promise);
  using caller = watch.add(ADDRESS);
  await until(() => looks() === 1);
  let isClosed = false;
  const closed = watch.close().then(() => isClosed = true);
  await pause(10);
  assert(!isClosed);
  look.resolve(NONE);
  await closed;
  await pause(SEVERAL_LOOKS_MS / 2);
  assertEquals([looks(), caller.signal.aborted], [1, false]);
});

Deno.test("disconnect watch: an unwatched caller needs no poll, and a late watch leaks nothing", async () => {
  using watched = watchThatFinds(finds(NONE));
  using unasked = watched.watch.addWhenAsked({ remoteAddr: ADDRESS });
  const answered = watched.watch.addWhenAsked({ remoteAddr: ADDRESS });
  answered[Symbol.dispose]();
  assert(!answered.signal.aborted);
  await pause(SEVERAL_LOOKS_MS);
  assertEquals([watched.looks(), answered.signal.aborted], [0, false]);
  assert(!unasked.signal.aborted); // this asks
  await until(() => unasked.signal.aborted);
  assertEquals([watched.looks(), answered.signal.aborted], [2, false]);
});
