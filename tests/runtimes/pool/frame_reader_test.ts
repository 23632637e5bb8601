import { assertEquals, assertThrows } from "@std/assert";
import { encodeFrame } from "../../../runtimes/isolate/protocol.ts";
import { FrameReader } from "../../../runtimes/pool/frame_reader.ts";
import { ProtocolError } from "../../../shared/message.ts";

const payload = (text: string) => new TextEncoder().encode(text);

Deno.test("frame reader: frames come out whole however the pipe cuts them", () => {
  const frames = [encodeFrame(1, 7, payload("hello")), encodeFrame(2, 7, payload(""))];
  const bytes = new Uint8Array([...frames[0] ?? [], ...frames[1] ?? []]);
  for (let cut = 0; cut <= bytes.length; cut++) {
    const reader = new FrameReader();
    const got = [...reader.push(bytes.subarray(0, cut)), ...reader.push(bytes.subarray(cut))];
    assertEquals(got, [
      { kind: 1, run: 7, payload: payload("hello") },
      { kind: 2, run: 7, payload: payload("") },
    ]);
  }
});

Deno.test("frame reader: a large frame in many small pieces takes each byte once", () => {
  const large = new Uint8Array(4 * 1024 * 1024).map((_, index) => index);
  const bytes = encodeFrame(2, 3, large);
  const reader = new FrameReader();
  const got = [];
  for (let at = 0; at < bytes.length; at += 64) {
    got.push(...reader.push(bytes.subarray(at, at + 64)));
  }
  assertEquals(got.map(({ kind, run, payload }) => [kind, run, payload.length]), [
    [2, 3, large.length],
  ]);
  assertEquals(got[0]?.payload.every((byte, index) => byte === large[index]), true);
});

Deno.test("frame reader: a frame that announces too much is refused before it arrives", () => {
  const frame = encodeFrame(1, 1, payload("x"));
  new DataView(frame.buffer).setUint32(5, 0xffffffff, true);
  assertThrows(() => new FrameReader().push(frame), ProtocolError);
});
