/** `ripemd160` and `scrypt` of `hashlib`, with values of the standards and of OpenSSL. */
import { assertEquals } from "@std/assert";
import { errorOf, valueOf } from "./support.ts";

const VALUES: readonly (readonly [expression: string, hex: string])[] = [
  ["hashlib.new('ripemd160')", "9c1185a5c5e9fc54612808977ee8f548b2258d31"],
  ["hashlib.new('ripemd160', b'abc')", "8eb208f7e05d987a9b044a8e98c6b087f15a0bfc"],
  ["hashlib.new('ripemd160', b'1234567890' * 8)", "9b752e45573d4b39f4dbd3323cab82bf63326bfb"],
  [
    "hashlib.scrypt(b'secret', salt=b'salt', n=16, r=8, p=1, dklen=16)",
    "0ed302ff62eeaf787efc5477f9ab248b",
  ],
  [
    "hashlib.scrypt(b'', salt=b'', n=16, r=1, p=1)",
    "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442" +
    "fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906",
  ],
];

Deno.test("hashes: values are those of the standards", async () => {
  for (const [expression, hex] of VALUES) {
    const code =
      `import hashlib\nv = ${expression}\nv.hex() if isinstance(v, bytes) else v.hexdigest()`;
    assertEquals(await valueOf(code), `'${hex}'`, expression);
  }
  const parts = "import hashlib\nh = hashlib.new('ripemd160', b'a')\ng = h.copy()\n" +
    "g.update(b'bc')\ng.digest() == hashlib.new('ripemd160', b'abc').digest() != h.digest()";
  assertEquals(await valueOf(parts), "True");
});

Deno.test("hashes: memory and parameters of scrypt are bounded", async () => {
  for (
    const given of ["n=2**20, r=8, p=1", "n=15, r=8, p=1", "n=16, r=8, p=2**28", "n=16, r=0, p=1"]
  ) {
    const { name } = await errorOf(`import hashlib\nhashlib.scrypt(b'', salt=b'', ${given})`);
    assertEquals(name, "ValueError", given);
  }
});
