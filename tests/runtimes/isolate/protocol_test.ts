import { assertEquals, assertThrows } from "@std/assert";
import { decodeMessage, encodeMessage, ProtocolError } from "../../../shared/message.ts";

Deno.test("protocol: a message is read back unchanged, head and parts", () => {
  const parts = [new Uint8Array([1, 2]), new Uint8Array(), new TextEncoder().encode("é")];
  const message = decodeMessage(encodeMessage({ a: [1, "ü"] }, parts));
  assertEquals(message.head, { a: [1, "ü"] });
  assertEquals(message.parts.map((part) => [...part]), parts.map((part) => [...part]));
});

Deno.test("protocol: lengths that reach beyond the bytes are an error", () => {
  const bytes = encodeMessage({}, [new Uint8Array(4)]);
  new DataView(bytes.buffer).setUint32(0, 0xffffffff, true);
  assertThrows(() => decodeMessage(bytes), ProtocolError);
  assertThrows(() => decodeMessage(new Uint8Array()), ProtocolError);
  assertThrows(() => decodeMessage(new Uint8Array([1])), ProtocolError);
  assertThrows(() => decodeMessage(new Uint8Array([1, 0, 0, 0, 0xff])), ProtocolError);
});

Deno.test("protocol: the first part begins at a multiple of eight, for any head", () => {
  for (let length = 0; length < 20; length++) {
    const part = Uint8Array.of(1, 2, 3);
    const message = decodeMessage(encodeMessage({ text: "x".repeat(length) }, [part]));
    assertEquals(message.head, { text: "x".repeat(length) });
    assertEquals(message.parts.map(({ byteOffset }) => byteOffset % 8), [0]);
    assertEquals(message.parts, [part]);
  }
});
