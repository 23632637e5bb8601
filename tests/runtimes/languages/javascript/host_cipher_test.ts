import { Buffer } from "node:buffer";
import { createCipheriv } from "node:crypto";
import { assertEquals, assertLess } from "@std/assert";
import type { HostArguments } from "../../../../runtimes/languages/javascript/host/host_calls.ts";
import { CIPHER_SERVICE } from "../../../../runtimes/languages/javascript/host/host_cipher.ts";
import { leastWorkMs } from "../../../support/figures.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** Fuel for a nanosecond of the host's time. */
const FUEL_PER_NS = 12;
const VECTOR = new Uint8Array(16).fill(9);
const MESSAGE = new Uint8Array(64).map((_, index) => index);
const NONE = new Uint8Array();

function keyOf(bits: number): Bytes {
  return new Uint8Array(bits / 8).fill(7);
}

function ask(request: string, data: readonly Bytes[], fuel = Infinity) {
  let paid = 0;
  const bytes = (index: number) => data[index - 2] ?? NONE;
  const args: HostArguments = {
    count: 2 + data.length,
    text: () => request,
    utf8: bytes,
    bytes,
    data: bytes,
  };
  const reply = CIPHER_SERVICE.serve(args, (units) => {
    paid += units;
    return paid <= fuel;
  });
  return { paid, bytes: reply instanceof Uint8Array ? reply : undefined };
}

function expected(name: string, bits: number, vector: Bytes): Bytes {
  const cipher = createCipheriv(name, keyOf(bits), vector.length === 0 ? null : vector);
  cipher.setAutoPadding(false);
  return new Uint8Array(Buffer.concat([cipher.update(MESSAGE), cipher.final()]));
}

Deno.test("ciphers: blocks are encrypted and decrypted by the named cipher", () => {
  for (const bits of [128, 192, 256]) {
    for (const mode of ["cbc", "ctr", "ecb"]) {
      const name = `aes-${bits}-${mode}`;
      const vector = mode === "ecb" ? NONE : VECTOR;
      const sealed = ask(`encrypt ${name}`, [keyOf(bits), vector, MESSAGE]).bytes;
      // Deno's own has no CBC with 192 bits
      if (name !== "aes-192-cbc") assertEquals(sealed, expected(name, bits, vector), name);
      const opened = ask(`decrypt ${name}`, [keyOf(bits), vector, sealed ?? NONE]).bytes;
      assertEquals(opened, MESSAGE, name);
    }
  }
  const nist = ask("encrypt aes-192-cbc", [
    Uint8Array.fromHex("8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b"),
    Uint8Array.fromHex("000102030405060708090a0b0c0d0e0f"),
    Uint8Array.fromHex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51"),
  ]).bytes;
  const wanted = "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a";
  assertEquals(nist?.toHex(), wanted);
});

Deno.test("ciphers: the tag must match message and additional data, or there is no reply", () => {
  const more = new Uint8Array([1, 2, 3]);
  const sealed = ask("encrypt aes-256-gcm", [keyOf(256), VECTOR, MESSAGE, more]).bytes ?? NONE;
  assertEquals(sealed.length, MESSAGE.length + 16);
  const [body, tag] = [sealed.slice(0, -16), sealed.slice(-16)];
  const open = (data: readonly Bytes[]) => ask("decrypt aes-256-gcm", data).bytes;
  assertEquals(open([keyOf(256), VECTOR, body, more]), MESSAGE);
  assertEquals(open([keyOf(256), VECTOR, body, more, tag]), NONE);
  assertEquals(open([keyOf(256), VECTOR, body, NONE, tag]), undefined);
  assertEquals(open([keyOf(256), VECTOR, body, more, tag.map((byte) => byte ^ 1)]), undefined);
});

Deno.test("ciphers: a request out of bounds gets no reply", () => {
  const key = keyOf(256);
  const odd: [string, Bytes[]][] = [
    ["", []],
    ["encrypt", [key, VECTOR, MESSAGE]],
    ["encrypt aes-256-ccm", [key, VECTOR, MESSAGE]],
    ["encrypt aes-256-cbc ", [key, VECTOR, MESSAGE]],
    ["encrypt aes-128-cbc", [key, VECTOR, MESSAGE]],
    ["encrypt aes-256-cbc", [key, VECTOR.slice(1), MESSAGE]],
    ["encrypt aes-256-cbc", [key, VECTOR, MESSAGE.slice(1)]],
    ["encrypt aes-256-ecb", [key, VECTOR, MESSAGE]],
    ["decrypt aes-256-ecb", [key, NONE, MESSAGE.slice(1)]],
    ["encrypt aes-256-gcm", [key, NONE, MESSAGE]],
    ["encrypt aes-192-gcm", [keyOf(192), VECTOR, MESSAGE]],
    ["decrypt aes-256-gcm", [key, VECTOR, MESSAGE, NONE, new Uint8Array(17)]],
    ["decrypt aes-256-gcm", [key, new Uint8Array(2000), MESSAGE]],
  ];
  for (const [request, data] of odd) assertEquals(ask(request, data).bytes, undefined, request);
});

Deno.test("ciphers: unpaid work is not done, and the price covers the host's time", async () => {
  const bytes = new Uint8Array(1 << 20);
  for (const mode of ["cbc", "ctr", "ecb", "gcm"]) {
    const vector = mode === "ecb" ? NONE : VECTOR;
    const data = [keyOf(256), vector, bytes];
    const request = `encrypt aes-256-${mode}`;
    assertEquals(ask(request, data, 1_000_000).bytes, undefined);
    let paid = 0;
    const least = await leastWorkMs(() => ({ paid } = ask(request, data)));
    // machines differ, and caches are shared
    assertLess(least * 1e6 * FUEL_PER_NS, 10 * paid, request);
  }
});
