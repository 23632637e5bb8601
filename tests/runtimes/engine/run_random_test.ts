// test: slow
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { RunRandom } from "../../../runtimes/engine/run_random.ts";

const PROCESS_BYTE = 7;

function bytesOf(random: RunRandom, count: number): Uint8Array {
  const bytes = new Uint8Array(count);
  random.fill(bytes);
  return bytes;
}

Deno.test("random bytes: the bytes of a seed repeat after any other runs", () => {
  const random = new RunRandom((target) => void target.fill(PROCESS_BYTE));
  for (const seed of [0, 1, 2 ** 32, Number.MAX_SAFE_INTEGER]) {
    random.start(seed);
    const first = [3, 4, 0, 100, 65_536].map((count) => bytesOf(random, count));
    random.start(undefined);
    assertEquals(bytesOf(random, 4), new Uint8Array(4).fill(PROCESS_BYTE));
    random.start(seed);
    assertEquals([3, 4, 0, 100, 65_536].map((count) => bytesOf(random, count)), first);
  }
});

Deno.test("random bytes: neighbouring seeds have nothing in common, and all values come alike often", () => {
  const random = new RunRandom(() => undefined);
  const seen = new Set<string>();
  const counts = new Uint32Array(256);
  for (let seed = 0; seed < 200; seed++) {
    random.start(seed);
    const bytes = bytesOf(random, 1_024);
    for (const byte of bytes) counts[byte] = (counts[byte] ?? 0) + 1;
    seen.add(bytes.subarray(0, 8).toHex());
  }
  assertEquals(seen.size, 200);
  // 800 of each are expected; these bounds are seven standard deviations away
  assert(counts.every((times) => times > 600 && times < 1_000));
  random.start(1);
  const [before, after] = [bytesOf(random, 16), bytesOf(random, 16)];
  assertNotEquals(before, after);
});
