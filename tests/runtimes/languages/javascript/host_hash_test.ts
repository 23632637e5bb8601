// test: slow
import { createHash, createHmac, pbkdf2Sync, scryptSync } from "node:crypto";
import { assert, assertEquals, assertGreater, assertLess } from "@std/assert";
import type { HostArguments } from "../../../../runtimes/languages/javascript/host/host_calls.ts";
import { HASH_SERVICE } from "../../../../runtimes/languages/javascript/host/host_hash.ts";
import { leastWorkMs } from "../../../support/figures.ts";

type Data = string | Uint8Array<ArrayBuffer>;

const encoder = new TextEncoder();
const ALGORITHMS = [
  ...["md5", "sha1", "ripemd160", "sha224", "sha256", "sha384", "sha512"],
  ...["sha512-224", "sha512-256", "sha3-224", "sha3-256", "sha3-384", "sha3-512"],
];
/** Fuel for a nanosecond of the host's time. */
const FUEL_PER_NS = 12;

function bytesOf(data: Data | undefined): Uint8Array<ArrayBuffer> {
  return typeof data === "string" ? encoder.encode(data) : data ?? new Uint8Array();
}

/** The reply to a request with the given fuel, in hexadecimal digits, and what it paid. */
function ask(request: string, data: readonly Data[], fuel = Infinity) {
  let paid = 0;
  const args: HostArguments = {
    count: 2 + data.length,
    text: () => request,
    utf8: (index) => bytesOf(data[index - 2]),
    bytes: (index) => bytesOf(data[index - 2]),
    data: (index) => bytesOf(data[index - 2]),
  };
  const reply = HASH_SERVICE.serve(args, (units) => {
    paid += units;
    return paid <= fuel;
  });
  return { paid, hex: reply instanceof Uint8Array ? reply.toHex() : undefined };
}

Deno.test("hashes: digests and HMACs are those of the named functions", () => {
  const pieces = ["one", new Uint8Array(70_000).fill(7), "", "två"];
  for (const name of ALGORITHMS) {
    const hash = createHash(name);
    for (const piece of pieces) hash.update(bytesOf(piece));
    assertEquals(ask(`digest ${name}`, pieces).hex, hash.digest("hex"), name);
  }
  for (const key of ["", "k", "k".repeat(64), "k".repeat(65), "k".repeat(300)]) {
    const expected = createHmac("sha256", key).update("message").digest("hex");
    assertEquals(ask("hmac sha256", [key, "mess", "age"]).hex, expected);
  }
  assertEquals(ask("digest shake256 7", ["x"]).hex?.length, 14);
});

Deno.test("hashes: derived keys are those of the named functions", () => {
  const salt = new Uint8Array([1, 2, 3]);
  for (const name of ALGORITHMS) {
    const expected = pbkdf2Sync("password", salt, 3, 70, name).toString("hex");
    assertEquals(ask(`pbkdf2 ${name} 3 70`, ["password", salt]).hex, expected, name);
  }
  const expected = scryptSync("password", salt, 20, { N: 16, r: 2, p: 3 }).toString("hex");
  assertEquals(ask("scrypt 16 2 3 20", ["password", salt]).hex, expected);
});

Deno.test("hashes: unpaid work of any size is not done", async () => {
  const dear = [
    ["pbkdf2 sha512 2147483647 4194304", ["password", "salt"]],
    ["scrypt 65536 4 30 32", ["password", "salt"]],
    ["digest sm3", Array<Data>(100_000).fill(new Uint8Array(1 << 20))],
    ["hmac sha3-512", ["key", ...Array<Data>(100_000).fill(new Uint8Array(1 << 20))]],
    ["digest shake256 1048576", []],
  ] as const;
  for (const [request, data] of dear) {
    const refuse = () => assertEquals(ask(request, data, 50_000_000).hex, undefined, request);
    assertLess(await leastWorkMs(refuse), 500, request);
  }
});

Deno.test("hashes: a request out of bounds gets no reply", () => {
  const odd = [
    ...[
      "",
      "digest",
      "digest nope",
      "digest __proto__",
      "digest shake128 1e9",
      "digest shake128 -1",
    ],
    ...["hmac", "pbkdf2 sha1 0 8", "pbkdf2 sha1 1.5 8", "pbkdf2 sha1 1 0", "pbkdf2 sha1 1 1e9"],
    ...["pbkdf2 blake2b512 1 8", "pbkdf2 shake128 1 8", "scrypt 3 1 1 8", "scrypt 1 1 1 8"],
    ...["scrypt 16777216 8 1 8", "scrypt 16 1048576 1 8", "scrypt 16 1 1048576 8", "eval x"],
    ...["constructor", "scrypt NaN 8 1 8", "scrypt 16 8 1"],
  ];
  for (const request of odd) assertEquals(ask(request, ["a", "b"]).hex, undefined, request);
});

Deno.test("hashes: the price covers the host's time", async () => {
  const bytes = new Uint8Array(4 << 20).fill(9);
  const work = [
    ...ALGORITHMS.map((name) => [`digest ${name}`, [bytes]] as const),
    ["digest blake2b512", [bytes]] as const,
    ["digest blake2s256", [bytes]] as const,
    ["digest sm3", [bytes]] as const,
    ["digest shake128 1048576", [bytes]] as const,
    ["pbkdf2 md5 20000 16", ["password", "salt"]] as const,
    ["pbkdf2 sha1 20000 20", ["password", "salt"]] as const,
    ["pbkdf2 sha512 20000 64", ["password", "salt"]] as const,
    ["pbkdf2 sha3-256 20000 32", ["password", "salt"]] as const,
    ["pbkdf2 sha1 1 1048576", ["password", "salt"]] as const,
    ["scrypt 16384 8 1 64", ["password", "salt"]] as const,
    ["scrypt 2 8 4096 64", ["password", "salt"]] as const,
  ];
  for (const [request, data] of work) {
    let paid = 0;
    const least = await leastWorkMs(() => ({ paid } = ask(request, data)));
    // machines differ, and caches are shared
    assertLess(least * 1e6 * FUEL_PER_NS, 10 * paid, request);
  }
  assert(Number.isInteger(ask("scrypt 16 1 1 8", ["a", "b"]).paid));
  assertGreater(ask("digest sha1", ["x"]).paid, 10_000);
});
