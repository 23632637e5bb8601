import { assertEquals, assertThrows } from "@std/assert";
import { ByteReader } from "../../../wasm/metering/byte_reader.ts";
import { ByteWriter } from "../../../wasm/metering/byte_writer.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";

const UNSIGNED = [
  0,
  1,
  127,
  128,
  16_383,
  16_384,
  2 ** 21,
  2 ** 28 - 1,
  2 ** 28,
  2 ** 31,
  2 ** 32 - 1,
];
const SIGNED = [
  0,
  1,
  -1,
  63,
  64,
  -64,
  -65,
  8_191,
  -8_192,
  2 ** 20,
  -(2 ** 27),
  2 ** 31 - 1,
  -(2 ** 31),
];

Deno.test("leb128: numbers are read back as they were written", () => {
  for (const value of UNSIGNED) {
    const out = new ByteWriter(1);
    out.u32(value);
    assertEquals(new ByteReader(out.toBytes()).u32(), value);
  }
  for (const value of SIGNED) {
    const out = new ByteWriter(1);
    out.s32(value);
    assertEquals(new ByteReader(out.toBytes()).s32(), value);
  }
});

Deno.test("leb128: padded forms are read; forms too long or too large are refused", () => {
  assertEquals(new ByteReader(Uint8Array.of(0x83, 0x80, 0x80, 0x80, 0x00)).u32(), 3);
  assertEquals(new ByteReader(Uint8Array.of(0xff, 0xff, 0xff, 0xff, 0x7f)).s32(), -1);
  for (
    const bytes of [[0x80, 0x80, 0x80, 0x80, 0x10], [0x80, 0x80, 0x80, 0x80, 0x80, 0x00], [
      0x80,
      0x80,
    ], []]
  ) {
    assertThrows(() => new ByteReader(Uint8Array.from(bytes)).u32(), MeterError);
  }
  const long = Uint8Array.from({ length: 11 }, () => 0x80);
  assertThrows(() => new ByteReader(long).s32(), MeterError, "longer than 5 bytes at byte 0");
  assertThrows(
    () => new ByteReader(long).skipLeb64(),
    MeterError,
    "longer than 10 bytes at byte 0",
  );
});
