import zlib from "node:zlib";
import { assertEquals, assertLess, assertThrows } from "@std/assert";
import { crc32 } from "../../../../../runtimes/languages/javascript/guest/node/zlib.ts";
import {
  BadData,
  compress as compressWith,
  decompress as decompressWith,
  type Format,
  TooLarge,
} from "../../../../../runtimes/languages/javascript/guest/node/zlib_codec.ts";

const FORMATS: readonly Format[] = ["raw", "zlib", "gzip"];
const LIMIT = 1 << 22;
/** The host's codecs: each must read the other's output. */
const HOST = {
  raw: { compress: zlib.deflateRawSync, decompress: zlib.inflateRawSync },
  zlib: { compress: zlib.deflateSync, decompress: zlib.inflateSync },
  gzip: { compress: zlib.gzipSync, decompress: zlib.gunzipSync },
};

function compress(input: Uint8Array, format: Format, level = -1): Uint8Array {
  const rest = { windowBits: 15, memLevel: 8, strategy: 0, dictionary: undefined } as const;
  return compressWith(input, format, { level, ...rest });
}

function decompress(
  input: Uint8Array,
  format: Format | "gzip or zlib",
  maxBytes = LIMIT,
): Uint8Array {
  const rest = { windowBits: 15, dictionary: undefined, mayEndEarly: false };
  return decompressWith(input, format, { ...rest, maxBytes });
}

/** Pseudo-random numbers that are the same in every process. */
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

Deno.test("zlib: other implementations read its output, and it reads theirs", () => {
  for (const input of samples()) {
    for (const format of FORMATS) {
      for (const level of [-1, 0]) {
        const compressed = compress(input, format, level);
        assertLess(compressed.length, input.length * 1.001 + 64);
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

Deno.test("zlib: other implementations read output of every window, memory level and strategy", () => {
  const input = new TextEncoder().encode("one two three four ".repeat(200));
  for (const format of FORMATS) {
    for (const windowBits of [8, 9, 12, 15]) {
      for (const strategy of [0, 1, 2, 3, 4] as const) {
        const options = { windowBits, strategy, memLevel: 1, level: 6, dictionary: undefined };
        const packed = compressWith(input, format, options);
        assertEquals(new Uint8Array(HOST[format].decompress(packed)), input);
      }
    }
  }
});

Deno.test("zlib: repetitive data become small", () => {
  assertLess(compress(new Uint8Array(100_000), "raw", -1).length, 1000);
});

Deno.test("zlib: the checksum is that of gzip", () => {
  const digits = new TextEncoder().encode("123456789");
  assertEquals(crc32(digits), 0xcbf43926);
  assertEquals(crc32(digits.subarray(4), crc32(digits.subarray(0, 4))), 0xcbf43926);
});

Deno.test("zlib: gzip members may follow each other, with names and comments", () => {
  const [one, two] = ["one", "two"].map((text) => new Uint8Array(zlib.gzipSync(text)));
  const both = new Uint8Array([...one ?? [], ...two ?? [], 0, 0]);
  assertEquals(new TextDecoder().decode(decompress(both, "gzip", LIMIT)), "onetwo");
  const named = new Uint8Array([...one?.slice(0, 3) ?? [], 8 | 16 | 4, ...one?.slice(4, 10) ?? []]);
  const full = [...named, 2, 0, 1, 2, ...new TextEncoder().encode("name\0comment\0")];
  const whole = new Uint8Array([...full, ...one?.slice(10) ?? []]);
  assertEquals(new TextDecoder().decode(decompress(whole, "gzip or zlib", LIMIT)), "one");
});

Deno.test("zlib: a gzip member may be followed by another member, or by zeros", () => {
  const one = new Uint8Array(zlib.gzipSync("one"));
  const behind = (...bytes: number[]) => () =>
    decompress(new Uint8Array([...one, ...bytes]), "gzip");
  assertEquals(new TextDecoder().decode(behind(0, 0, 9)()), "one");
  assertThrows(behind(0x50, 0x4b), BadData, "incorrect header check");
  assertThrows(behind(0x1f), BadData, "unexpected end of file");
  assertThrows(behind(0x1f, 0x8b, 0xff, 0xff), BadData, "unknown compression method");
});

Deno.test("zlib: a dictionary is required, and must be the right one", () => {
  const dictionary = new TextEncoder().encode("hello");
  const input = new TextEncoder().encode("hello hello");
  const rest = { windowBits: 15, memLevel: 8, strategy: 0, level: -1 } as const;
  const read = { windowBits: 15, mayEndEarly: false, maxBytes: LIMIT };
  for (const format of ["zlib", "raw"] as const) {
    const packed = compressWith(input, format, { ...rest, dictionary });
    assertEquals(decompressWith(packed, format, { ...read, dictionary }), input);
  }
  const packed = compressWith(input, "zlib", { ...rest, dictionary });
  assertThrows(() => decompress(packed, "zlib"), BadData, "Missing dictionary");
  const other = new TextEncoder().encode("hellx");
  const wrong = { ...read, dictionary: other };
  assertThrows(() => decompressWith(packed, "zlib", wrong), BadData, "Bad dictionary");
});

Deno.test("zlib: truncated data give partial output, if requested", () => {
  const input = new TextEncoder().encode("one two three ".repeat(50));
  const cut = compress(input, "zlib").subarray(0, -6);
  assertThrows(() => decompress(cut, "zlib"), BadData, "unexpected end of file");
  const read = { windowBits: 15, dictionary: undefined, maxBytes: LIMIT, mayEndEarly: true };
  const some = decompressWith(cut, "zlib", read);
  assertLess(0, some.length);
  assertEquals(some, input.subarray(0, some.length));
});

Deno.test("zlib: output never exceeds its limit", () => {
  const bomb = new Uint8Array(zlib.deflateRawSync(new Uint8Array(1_000_000)));
  assertThrows(() => decompress(bomb, "raw", 999_999), TooLarge);
  assertEquals(decompress(bomb, "raw", 1_000_000).length, 1_000_000);
  const members = new Uint8Array(Array(10).fill([...zlib.gzipSync(new Uint8Array(1000))]).flat());
  assertThrows(() => decompress(members, "gzip", 9_999), TooLarge);
});

Deno.test("zlib: damaged data are refused, or decompressed as the host does", () => {
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
