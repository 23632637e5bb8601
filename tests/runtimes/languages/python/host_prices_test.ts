/**
 * The price of the work that Python's calls cause in the host: per byte, part, buffer, entry and
 * frame. Only lower bounds of prices are asserted, because prices follow measurements.
 */
import { assert, assertEquals } from "@std/assert";
import { run } from "./support.ts";

const TURNS = 200;

/** Fuel of one iteration of a loop, without the code before it. */
async function turn(before: string, repeated: string): Promise<number> {
  const program = (turns: number) =>
    `import os, select\n${before}\nfor _ in range(${turns}):\n  try: ${repeated}\n  except OSError: pass`;
  const none = await run(program(0));
  const some = await run(program(TURNS));
  assertEquals([none.ending.kind, some.ending.kind], ["none", "none"], some.stderr);
  return (some.fuelConsumed - none.fuelConsumed) / TURNS;
}

/** Fuel per unit by which the second program does more than the first. */
async function slope(
  write: (size: number) => readonly [before: string, repeated: string],
  [small, large]: readonly [number, number],
): Promise<number> {
  const [less, more] = [await turn(...write(small)), await turn(...write(large))];
  return (more - less) / (large - small);
}

const PRICES: readonly (readonly [
  name: string,
  least: number,
  write: (size: number) => readonly [before: string, repeated: string],
  sizes: readonly [number, number],
])[] = [
  ["byte copied", 2.9, (n) => [`x = bytes(${n})`, "bytearray(x)"], [10_000, 500_000]],
  ["byte filled", 2.9, (n) => ["", `bytearray(${n})`], [10_000, 500_000]],
  ["byte moved within", 2.9, (n) => [
    `m = memoryview(bytearray(${n}))`,
    "m[1:] = m[:-1]",
  ], [10_000, 500_000]],
  ["byte of a path", 80, (n) => [`p = '/' + 'x' * ${n}`, "os.stat(p)"], [10, 200]],
  ["slash of a path", 80, (n) => [`p = '/' * ${n}`, "os.stat(p)"], [10, 1000]],
  ["byte of a path that is no text", 80, (n) => [
    `p = b'\\xff' * ${n}`,
    "os.stat(p)",
  ], [10, 1000]],
  ["part of a path", 4_000, (n) => [
    `p = '/workspace' + '/a' * ${n}\nos.makedirs(p)`,
    "os.stat(p)",
  ], [10, 400]],
  ["directory above the working one", 250, (n) => [
    `p = '/workspace' + '/a' * ${n}\nos.makedirs(p)\nos.chdir(p)`,
    "os.getcwd()",
  ], [10, 400]],
  ["buffer read into", 6_000, (n) => [
    `f = os.open('a', os.O_RDWR | os.O_CREAT)\nv = [bytearray(1) for _ in range(${n})]`,
    "os.readv(f, v)",
  ], [10, 1000]],
  ["buffer written", 6_000, (n) => [
    `f = os.open('a', os.O_RDWR | os.O_CREAT)\nv = [b'x'] * ${n}`,
    "os.writev(f, v)",
  ], [10, 1000]],
  ["descriptor polled", 1_500, (n) => [
    `p = select.poll()\nfor _ in range(${n}): p.register(os.dup(1))`,
    "p.poll(0)",
  ], [10, 200]],
  ["entry of a directory", 9_000, (n) => [
    `for i in range(${n}): open('/tmp/%04d' % i, 'w').close()`,
    "os.listdir('/tmp')",
  ], [10, 300]],
];

for (const [name, least, write, sizes] of PRICES) {
  Deno.test(`host prices: Python pays for each ${name}`, async () => {
    const units = await slope(write, sizes);
    assert(units >= least, `${units} units, at least ${least} expected`);
  });
}

Deno.test("host prices: Python pays for each frame of output, a byte or more", async () => {
  for (const repeated of ["os.write(1, b'x')", "os.writev(1, [b'x'])", "print('x', flush=True)"]) {
    const units = await turn("", repeated);
    assert(units >= 80_000, `${repeated}: ${units} units`);
  }
  const [one, ten] = [
    await turn("v = [b'x']", "os.writev(1, v)"),
    await turn("v = [b'x'] * 10", "os.writev(1, v)"),
  ];
  assert(ten - one >= 9 * 80_000, `${one} and ${ten} units`);
});

Deno.test("host prices: a path that is not text uses as much fuel as a valid one", async () => {
  const [text, other] = [
    await turn("p = b'x' * 200", "os.stat(p)"),
    await turn("p = b'\\xff' * 200", "os.stat(p)"),
  ];
  assert(Math.abs(text - other) < text * 0.6, `${text} and ${other} units`);
});

Deno.test("host prices: errors that the host words are paid for", async () => {
  const units = await turn("", "os.strerror(2)");
  assert(units >= 6_000, `${units} units`);
});
