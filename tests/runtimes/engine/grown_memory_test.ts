/**
 * Programs that need more memory than the baseline has: their instance is put back as any other, and
 * nobody sees that it has more.
 */
import { assert, assertEquals } from "@std/assert";
import { MEMORY_BYTES } from "../../../shared/limits.ts";
import {
  type ContextLanguage,
  EngineBench,
  SNAPSHOT_LANGUAGES,
  stateOf,
} from "./snapshot/engine_bench.ts";
import { runOn, WIDE_LIMITS } from "../../support/engine_runs.ts";

interface GrowingPrograms {
  readonly small: string;
  /** Needs some 20 MiB, and fills them. */
  readonly grows: string;
  /** Needs more than an instance keeps, where a guest may have so much. */
  readonly growsMuch: string;
  /** Asks the host for things that the size of memory bounds. */
  readonly asks: string;
  /** A step of a context that keeps some 20 MiB, and one that tells whether they are there. */
  readonly keeps: string;
  readonly has: string;
  readonly there: string;
}

const PROGRAMS: Readonly<Record<ContextLanguage, GrowingPrograms>> = {
  javascript: {
    small: "1 + 1",
    grows: "new Uint8Array(20 << 20).fill(7).length",
    growsMuch: "new Uint8Array(50 << 20).fill(7).length",
    asks: "process.memoryUsage().rss",
    keeps: "globalThis.kept = new Uint8Array(20 << 20).fill(7); 1",
    has: "typeof kept === 'object' && kept[20_000_000]",
    there: "7",
  },
  python: {
    small: "1 + 1",
    grows: "len(b'x' * (20 << 20))",
    growsMuch: "len(b'x' * (90 << 20))",
    asks: `
import os
piece, null = bytes(1_000_000), os.open("/dev/null", os.O_WRONLY)
def fits(count):
    try: return os.writev(null, [piece] * count) > 0
    except OSError: return False
[fits(count) for count in range(10, 120, 10)]`,
    keeps: "kept = bytes([7]) * (20 << 20)\n1",
    has: "'kept' in globals() and kept[20_000_000]",
    there: "7",
  },
  perl: {
    small: "1 + 1",
    grows: "my $x = 'x' x (20 << 20); length $x",
    growsMuch: "my $x = 'x' x (40 << 20); length $x",
    asks:
      "my $x = 'x' x 1_000_000; open my $f, '>', '/dev/null'; my $n = 0; $n += syswrite $f, $x for 1 .. 20; $n",
    keeps: "our $kept = 'x' x (20 << 20); 1",
    has: "our $kept; substr($kept // '', 20_000_000, 1)",
    there: "x",
  },
  ruby: {
    small: "1 + 1",
    grows: "('x' * (20 << 20)).size",
    growsMuch: "('x' * (90 << 20)).size",
    asks: `
piece = "x" * 1_000_000
null = File.open("/dev/null", "w").tap { |file| file.sync = true }
(10..120).step(10).map { |count| null.write(*[piece] * count) rescue -1 }`,
    keeps: "$kept = 'x' * (20 << 20); 1",
    has: "$kept && $kept[20_000_000]",
    there: "x",
  },
};

/** The report of a run: its ending, fuel and memory. */
function told(bench: EngineBench, code: string) {
  bench.engine.reset();
  const { ending, fuelConsumed, memoryBytes } = runOn(bench.engine, { code, limits: WIDE_LIMITS });
  assert(
    ending.kind === "text" || ending.kind === "json",
    `${JSON.stringify(ending)} from ${code}`,
  );
  return { ending, fuelConsumed, memoryBytes };
}

for (const language of SNAPSHOT_LANGUAGES) {
  const { small, grows, growsMuch, asks, keeps, has, there } = PROGRAMS[language];

  Deno.test(`${language}: a program costs and sees the same in memory that another one needed`, async () => {
    const bench = await EngineBench.create(language);
    const first = [small, asks, grows, small].map((code) => told(bench, code));
    for (const code of [grows, growsMuch, grows, small]) told(bench, code);
    const again = [small, asks, grows, small].map((code) => told(bench, code));
    assertEquals(again, first);
    assertEquals(first[0], first[3]);
    assert((first[2]?.memoryBytes ?? 0) > (first[0]?.memoryBytes ?? Infinity) + (15 << 20));
    assert((first[2]?.memoryBytes ?? Infinity) < MEMORY_BYTES[language]);
    const { buffer, length } = bench.state.memory();
    assert(buffer.byteLength > length, "the instance was given up");
  });

  Deno.test(`${language}: an instance with memory to spare is at the baseline, and all else is zero`, async () => {
    const [bench, fresh] = [await EngineBench.create(language), await EngineBench.create(language)];
    told(bench, grows);
    const { buffer } = bench.state.memory();
    bench.engine.reset();
    const memory = bench.state.memory();
    assertEquals(memory.buffer, buffer, "the instance was given up");
    fresh.engine.reset();
    const expected = fresh.state.memory();
    assertEquals(memory.length, expected.length);
    assert(memory.every((byte, at) => byte === expected[at]));
    assert(new Uint8Array(buffer, memory.length).every((byte) => byte === 0));
    assert(buffer.byteLength > memory.length + (15 << 20));
  });

  Deno.test(`${language}: contexts with more and less memory take turns in one instance`, async () => {
    const bench = await EngineBench.create(language);
    let large = stateOf(bench.run(keeps));
    let little = stateOf(bench.run(small));
    const { buffer } = bench.state.memory();
    for (let turn = 0; turn < 3; turn++) {
      const found = bench.run(has, { from: large });
      assertEquals(found.shown.replaceAll(/["']/g, ""), there);
      large = stateOf(found);
      little = stateOf(bench.run(small, { from: little }));
      assert(little.snapshot.memoryBytes < large.snapshot.memoryBytes - (15 << 20));
    }
    assertEquals(bench.state.memory().buffer, buffer, "the instance was given up");
  });
}
