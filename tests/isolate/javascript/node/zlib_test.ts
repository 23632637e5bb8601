import zlib from "node:zlib";
import { assertEquals, assertLess, assertThrows } from "@std/assert";
import { adler32, crc32 } from "../../../../runtimes/isolate/javascript/guest/node/checksums.ts";
import { BadData, TooLarge } from "../../../../runtimes/isolate/javascript/guest/node/inflate.ts";
import {
  compress,
  decompress,
  type Format,
} from "../../../../runtimes/isolate/javascript/guest/node/zlib_formats.ts";

const FORMATS: readonly Format[] = ["raw", "zlib", "gzip"];
const LIMIT = 1 << 22;
/** Those of the host: what each makes, the other must read. */
const HOST = {
  raw: { compress: zlib.deflateRawSync, decompress: zlib.inflateRawSync },
  zlib: { compress: zlib.deflateSync, decompress: zlib.inflateSync },
  gzip: { compress: zlib.gzipSync, decompress: zlib.gunzipSync },
};

/** Numbers that look random and are the same in every process. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = Math.imul(state, 1664525) + 1013904223 | 0;
    return (state >>> 8) % below;
  };
}

function* samples(): Generator<Uint8Array, void, void> {
  for (const length of [0, 1, 2, 3, 4, 257, 258, 259, 65_535, 65_536, 200_000]) {
    yield new Uint8Array(length).fill(7);
    const random = randomNumbers(length + 1);
    yield Uint8Array.from({ length }, () => random(256));
    yield Uint8Array.from({ length }, () => random(4) + 97);
    yield Uint8Array.from({ length }, (_, i) => i * i >> 7);
  }
  const text = Deno.readTextFileSync(new URL(import.meta.url));
  yield new TextEncoder().encode(text.repeat(30));
}

Deno.test("zlib: what is compressed is what others read, and the reverse", () => {
  for (const input of samples()) {
    for (const format of FORMATS) {
      for (const level of [-1, 0]) {
        const compressed = compress(input, format, level);
        assertLess(compressed.length, input.length + 40);
        assertEquals(new Uint8Array(HOST[format].decompress(compressed)), input);
        assertEquals(decompress(compressed, format, LIMIT), input);
      }
      for (const level of [0, 1, 6, 9]) {
        const compressed = new Uint8Array(HOST[format].compress(input, { level }));
        assertEquals(decompress(compressed, format, LIMIT), input);
      }
    }
  }
});

Deno.test("zlib: repetition becomes small", () => {
  assertLess(compress(new Uint8Array(100_000), "raw", -1).length, 1000);
});

Deno.test("zlib: checksums are those of the formats", () => {
  const digits = new TextEncoder().encode("123456789");
  assertEquals(crc32(digits), 0xcbf43926);
  assertEquals(crc32(digits.subarray(4), crc32(digits.subarray(0, 4))), 0xcbf43926);
  assertEquals(adler32(new TextEncoder().encode("Wikipedia")), 0x11e60398);
  const many = new Uint8Array(100_000).fill(255);
  assertEquals(
    adler32(many),
    zlib.deflateSync(many).readUInt32BE(zlib.deflateSync(many).length - 4),
  );
});

Deno.test("zlib: members of gzip stand behind each other, with names and comments", () => {
  const [one, two] = ["one", "two"].map((text) => new Uint8Array(zlib.gzipSync(text)));
  const both = new Uint8Array([...one ?? [], ...two ?? [], 0, 0]);
  assertEquals(new TextDecoder().decode(decompress(both, "gzip", LIMIT)), "onetwo");
  const named = new Uint8Array([...one?.slice(0, 3) ?? [], 8 | 16 | 4, ...one?.slice(4, 10) ?? []]);
  const full = [...named, 2, 0, 1, 2, ...new TextEncoder().encode("name\0comment\0")];
  const whole = new Uint8Array([...full, ...one?.slice(10) ?? []]);
  assertEquals(new TextDecoder().decode(decompress(whole, "gzip or zlib", LIMIT)), "one");
});

Deno.test("zlib: there is never more output than was asked for", () => {
  const bomb = new Uint8Array(zlib.deflateRawSync(new Uint8Array(1_000_000)));
  assertThrows(() => decompress(bomb, "raw", 999_999), TooLarge);
  assertEquals(decompress(bomb, "raw", 1_000_000).length, 1_000_000);
  const members = new Uint8Array(Array(10).fill([...zlib.gzipSync(new Uint8Array(1000))]).flat());
  assertThrows(() => decompress(members, "gzip", 9_999), TooLarge);
});

Deno.test("zlib: damaged data are refused, or come out as the host has them", () => {
  const random = randomNumbers(5);
  const good = new Uint8Array(
    zlib.deflateRawSync("some text, some more text, more of it ".repeat(9)),
  );
  for (let i = 0; i < 3000; i++) {
    const bad = good.slice(0, random(3) === 0 ? random(good.length) : good.length);
    for (let n = random(4); n >= 0; n--) bad[random(bad.length || 1)] = random(256);
    let ours: string, theirs: string;
    try {
      ours = decompress(bad, "raw", LIMIT).toHex();
    } catch (error) {
      if (!(error instanceof BadData)) throw error;
      ours = error.message;
    }
    try {
      theirs = zlib.inflateRawSync(bad).toString("hex");
    } catch (error) {
      theirs = error instanceof Error ? error.message : "";
    }
    assertEquals(ours, theirs);
  }
});
