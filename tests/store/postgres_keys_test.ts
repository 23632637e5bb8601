import { assertEquals, assertThrows } from "@std/assert";
import { boundsOf, keyFromBytes, keyToBytes } from "../../store/postgres/key_bytes.ts";
import { printedSeed, seededBelow } from "../support/random.ts";

const NUMBERS = [0, -0.5, 1, -1, 1e300, -1e300, 12.5, 2 ** 53, -Infinity, Infinity, 3];
const CHARACTERS = ["a", "b", "\0", "\xff", "é", "𝒳", "\uffff", "Z"];
const BYTES = [0, 1, 255, 254, 128];

function randomPart(below: (end: number) => number): Deno.KvKeyPart {
  const several = <T>(of: readonly T[]) =>
    Array.from({ length: below(4) }, () => of.slice(below(of.length))[0]);
  switch (below(6)) {
    case 0:
      return NUMBERS[below(NUMBERS.length)] ?? 0;
    case 1:
      return below(2) === 0;
    case 2:
      return Uint8Array.from(several(BYTES), (byte) => byte ?? 0);
    default:
      return several(CHARACTERS).join("");
  }
}

function randomKey(below: (end: number) => number): Deno.KvKey {
  return Array.from({ length: 1 + below(4) }, () => randomPart(below));
}

function randomSelector(
  keys: readonly Deno.KvKey[],
  below: (end: number) => number,
): Deno.KvListSelector {
  const [a = [], b = []] = [keys[below(keys.length)], keys[below(keys.length)]];
  const prefix = a.slice(0, below(a.length + 1));
  const selectors: readonly Deno.KvListSelector[] = [
    { prefix },
    { start: a, end: b },
    { prefix, start: a },
    { prefix, end: a },
  ];
  return selectors[below(selectors.length)] ?? { prefix };
}

function compare(a: Uint8Array, b: Uint8Array): number {
  const at = a.findIndex((byte, index) => byte !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
}

Deno.test("postgres keys: bytes have the order and the ranges of Deno's keys, and give the keys back", async () => {
  const below = seededBelow(printedSeed("keys"));
  const kv = await Deno.openKv(":memory:");
  try {
    const keys = Array.from({ length: 400 }, () => randomKey(below));
    for (let at = 0; at < keys.length; at += 200) {
      const atomic = kv.atomic();
      for (const key of keys.slice(at, at + 200)) atomic.set(key, 1);
      await atomic.commit();
    }
    const names = [
      ...new Map(keys.map((key) => [keyToBytes(key).toHex(), keyToBytes(key)])).values(),
    ]
      .sort(compare);
    const stored = await Array.fromAsync(kv.list({ prefix: [] }), ({ key }) => key);
    assertEquals(names.map(keyFromBytes), stored);
    for (let n = 0; n < 120; n++) {
      const selector = randomSelector(keys, below);
      const [from, to] = boundsOf(selector);
      const expected = names.filter((name) => compare(name, from) >= 0 && compare(name, to) < 0);
      let listed: readonly Deno.KvKey[];
      try {
        listed = await Array.fromAsync(kv.list(selector), ({ key }) => key);
      } catch (thrown) {
        if (thrown instanceof TypeError) continue; // Deno refuses an end before its start
        throw thrown;
      }
      assertEquals(expected.map(keyFromBytes), listed, JSON.stringify(Object.keys(selector)));
    }
  } finally {
    kv.close();
  }
});

Deno.test("postgres keys: a key that Deno would not take, or that no index takes, is refused", () => {
  assertThrows(() => keyToBytes(["a", 1n]), TypeError, "bigint");
  assertThrows(() => keyToBytes(["a".repeat(2_047)]), TypeError, "too long");
  assertEquals(keyToBytes(["a".repeat(2_046)]).length, 2_048);
});
