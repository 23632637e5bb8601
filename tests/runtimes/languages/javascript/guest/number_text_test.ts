/** Numbers as text, compared with the engine of this process. */
import { assert, assertEquals } from "@std/assert";
import { runGuest } from "./support.ts";

const LOWEST = -1_074;
const HIGHEST = 1_023;

/** Programs for both sides, as functions without references to anything else. */
const FORMS: Readonly<Record<string, (x: number) => string>> = {
  "String": (x) => `${String(x)} ${String(-x)}`,
  "template, concatenation, JSON and join": (x) => [`${x}`, x + "", JSON.stringify(x)].join(),
  "toString and toString(10)": (x) => x.toString() + x.toString(10),
  "toExponential": (x) => x.toExponential() + (-x).toExponential(),
  "their neighbours": (x) => [x * (1 + 2 ** -52), x * (1 - 2 ** -53), x * 3].map(String).join(),
  "other forms": (x) => x.toPrecision(16) + x.toExponential(9),
};

for (const [name, form] of Object.entries(FORMS)) {
  Deno.test(`number text: powers of two by ${name}`, async () => {
    const { stdout } = await runGuest(`
      const form = ${form};
      for (let e = ${LOWEST}; e <= ${HIGHEST}; e++) console.log(form(2 ** e));`);
    const lines = stdout.split("\n");
    const differences: string[] = [];
    for (let e = LOWEST; e <= HIGHEST; e++) {
      const [got, wanted] = [lines[e - LOWEST], form(2 ** e)];
      if (got !== wanted) differences.push(`2 ** ${e}: ${got}, not ${wanted}`);
    }
    assertEquals(differences.slice(0, 5), []);
  });
}

/** Texts of special and of pseudorandom doubles. */
function texts(seed: number): string[] {
  const next = () => seed = seed * 48271 % 2147483647;
  const view = new DataView(new ArrayBuffer(8));
  const found = [0, -0, 1 / 0, -1 / 0, NaN, 5e-324, 2 ** 31, -(2 ** 31), 2 ** 53].map(String);
  for (let i = 0; i < 2_000; i++) {
    view.setUint32(0, next() * 2);
    view.setUint32(4, next() * 2);
    found.push(String(view.getFloat64(0)));
  }
  return found;
}

Deno.test("number text: zeros, infinities and random doubles", async () => {
  const seed = 1 + Math.floor(Math.random() * 1e6);
  // types are stripped before the guest sees the function
  const { stdout } = await runGuest(`${texts}; console.log(texts(${seed}).join("\\n"));`);
  const wanted = texts(seed);
  const differences = stdout.trimEnd().split("\n").filter((text, at) => text !== wanted[at]);
  assert(differences.length === 0, `seed ${seed}: ${differences.slice(0, 5)}`);
});
