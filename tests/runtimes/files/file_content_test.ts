import { assert, assertEquals, assertThrows } from "@std/assert";
import { deflateRawSync } from "node:zlib";
import { FileContent } from "../../../runtimes/files/file_content.ts";
import { PackedBytes } from "../../../runtimes/files/packed_bytes.ts";
import { seededBelow } from "../../support/random.ts";

const MAX = 4 * 1024 * 1024;

function bytesIn(content: FileContent): number[] {
  const into = new Uint8Array(content.size);
  assertEquals(content.read(0, into), content.size);
  return [...into];
}

Deno.test("FileContent: appending byte by byte moves a fixed number of bytes per byte", () => {
  const content = new FileContent();
  let moved = 0;
  for (let i = 0; i < 200_000; i++) moved += content.write(i, Uint8Array.of(i), MAX);
  assertEquals(content.size, 200_000);
  assert(moved < 6 * 200_000, `${moved} bytes moved`);
});

Deno.test("FileContent: a gap reads as zeros, also after truncation", () => {
  const content = new FileContent();
  content.write(0, Uint8Array.of(1, 2, 3, 4, 5), MAX);
  content.resize(2, MAX);
  content.write(4, Uint8Array.of(9), MAX);
  assertEquals(bytesIn(content), [1, 2, 0, 0, 9]);
  content.resize(1, MAX);
  content.resize(4, MAX);
  assertEquals(bytesIn(content), [1, 0, 0, 0]);
});

Deno.test("FileContent: reading at or past the end returns nothing", () => {
  const content = FileContent.of(Uint8Array.of(1, 2, 3));
  const into = new Uint8Array(2);
  assertEquals([content.read(2, into), content.read(3, into), content.read(99, into)], [1, 0, 0]);
});

Deno.test("FileContent: bytes that others hold never change", () => {
  const given = Uint8Array.of(1, 2, 3);
  const content = FileContent.of(given);
  content.write(1, Uint8Array.of(8), MAX);
  const shared = content.share();
  content.write(0, Uint8Array.of(7), MAX);
  content.resize(1, MAX);
  content.resize(3, MAX);
  assertEquals([[...given], [...shared]], [[1, 2, 3], [1, 8, 3]]);
  assertEquals(bytesIn(content), [7, 0, 0]);
});

Deno.test("FileContent: random writes and truncations agree with a plain array", () => {
  const seed = 4711;
  const choose = seededBelow(seed);
  const content = new FileContent();
  let model: number[] = [];
  const held: [Uint8Array, number[]][] = [];
  for (let i = 0; i < 3000; i++) {
    const at = choose(600);
    const story = `seed ${seed}, step ${i}`;
    if (choose(4) === 0) {
      content.resize(at, MAX);
      model = Array.from({ length: at }, (_, index) => model[index] ?? 0);
    } else {
      const bytes = Array.from({ length: choose(300) }, () => choose(256));
      if (bytes.length > 0) content.write(at, Uint8Array.from(bytes), MAX);
      const length = bytes.length > 0 ? Math.max(model.length, at + bytes.length) : model.length;
      model = Array.from({ length }, (_, index) => bytes[index - at] ?? model[index] ?? 0);
    }
    assertEquals(bytesIn(content), model, story);
    if (choose(20) === 0) held.push([content.share(), [...model]]);
  }
  for (const [bytes, expected] of held) assertEquals([...bytes], expected);
});

Deno.test("FileContent: capacity never exceeds the file limit, and shrinks with the size", () => {
  const content = new FileContent();
  content.write(0, new Uint8Array(3 * 1024 * 1024), MAX);
  content.write(content.size, new Uint8Array(1), MAX);
  assertEquals(content.share().buffer.byteLength, MAX);
  content.resize(100, MAX);
  content.write(0, Uint8Array.of(1), MAX);
  assert(content.share().buffer.byteLength < 1024);
});

Deno.test("FileContent: packed bytes read like others, and a change unpacks them", () => {
  const bytes = Uint8Array.from({ length: 10_000 }, (_, at) => at % 7);
  const content = FileContent.of(new PackedBytes(deflateRawSync(bytes), bytes.length));
  assertEquals([content.size, content.isPacked], [bytes.length, true]);
  const into = new Uint8Array(5);
  assertEquals([content.read(9_998, into), ...into], [2, 9_998 % 7, 9_999 % 7, 0, 0, 0]);
  assertEquals(content.share(), bytes);
  assert(content.isPacked);
  content.write(3, Uint8Array.of(9), MAX);
  assertEquals(content.isPacked, false);
  assertEquals(bytesIn(content), [...bytes].with(3, 9));
});

Deno.test("FileContent: packed bytes of another length than said are refused", () => {
  const packed = deflateRawSync(new Uint8Array(10));
  for (const length of [9, 11]) {
    const content = FileContent.of(new PackedBytes(packed, length));
    assertThrows(() => content.share(), Error);
  }
});
