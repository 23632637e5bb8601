import { assertEquals, assertThrows } from "@std/assert";
import {
  captureRanges,
  decodeImage,
  encodeImage,
  ImageFormatError,
} from "../../../runtimes/engine/image.ts";

function sample() {
  const memory = new Uint8Array(65_536);
  memory.set([1, 2, 3], 10);
  memory.set([4], 60_000);
  const ranges = captureRanges(memory, [[8, 16], [60_000, 60_001]]);
  return { memory, image: { head: { name: "x" }, pages: 1, ranges } };
}

Deno.test("image: restoring it into zeroed memory gives the original memory", () => {
  const { memory, image } = sample();
  const decoded = decodeImage(encodeImage(image), (head) => head);
  const restored = new Uint8Array(65_536);
  for (const { at, data } of decoded.ranges) restored.set(data, at);
  assertEquals(restored, memory);
  assertEquals([decoded.head, decoded.pages], [{ name: "x" }, 1]);
});

Deno.test("image: other bytes, or too few, are an error", () => {
  const bytes = encodeImage(sample().image);
  assertThrows(() => decodeImage(bytes.slice(0, -1), (head) => head), ImageFormatError);
  assertThrows(() => decodeImage(bytes.slice(0, 4), (head) => head), ImageFormatError);
  bytes[0] = 0;
  assertThrows(() => decodeImage(bytes, (head) => head), ImageFormatError);
});
