import { assertEquals } from "@std/assert";
import { FrameWriter } from "../../../runtimes/isolate/frame_writer.ts";

function writerOf() {
  const written: number[][] = [];
  return { written, writer: new FrameWriter((bytes) => written.push([...bytes])) };
}

Deno.test("FrameWriter writes held frames before the next one, in one piece", () => {
  const { written, writer } = writerOf();
  writer.write(Uint8Array.of(1));
  writer.hold(Uint8Array.of(2, 3));
  writer.hold(Uint8Array.of(4));
  assertEquals(written, [[1]]);
  writer.write(Uint8Array.of(5));
  writer.hold(Uint8Array.of(6));
  writer.flush();
  writer.flush();
  writer.write(Uint8Array.of(7));
  assertEquals(written, [[1], [2, 3, 4, 5], [6], [7]]);
});

Deno.test("FrameWriter holds at most 32 KiB", () => {
  const { written, writer } = writerOf();
  const frame = new Uint8Array(10 * 1024);
  for (let count = 0; count < 4; count++) writer.hold(frame);
  writer.hold(frame);
  assertEquals(written.map(({ length }) => length), [4 * frame.length]);
});
