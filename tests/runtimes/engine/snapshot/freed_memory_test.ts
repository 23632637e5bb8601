/** Memory that a run frees is not part of a context's state, and is usable after a restore. */
import { assert, assertEquals } from "@std/assert";
import { type ContextLanguage, EngineBench, stateOf } from "./engine_bench.ts";

const MOST_BYTES = 2 << 20;

interface FreeingPrograms {
  /** Each fills some 12 to 40 MiB with noise, keeps `kept`, and lets the rest go. */
  readonly programs: readonly string[];
  /** Fills freed memory again and reports whether `kept` is unchanged. */
  readonly again: string;
}

const LANGUAGES: Readonly<Record<ContextLanguage, FreeingPrograms>> = {
  python: {
    programs: [
      "import os\nx = os.urandom(40 << 20); del x",
      "import os\nd = [os.urandom(1000) for i in range(40000)]\ndel d",
      "import os\nd = [os.urandom(100) for i in range(150000)]\ndel d",
      "import os\ndef f():\n x = os.urandom(36 << 20)\n raise KeyError\ntry: f()\nexcept KeyError: pass",
    ].map((code) => `kept = 'kept-through-it-all ' * 500\n${code}\n1`),
    again: "import os\nz = [os.urandom(1 << 20) for i in range(12)]\n" +
      "kept == 'kept-through-it-all ' * 500 and len(set(z)) == 12",
  },
  javascript: {
    programs: [
      "x = new Uint8Array(24 << 20); for (let i = 0; i < x.length; i += 65536) crypto.getRandomValues(x.subarray(i, i + 65536)); x = null;",
      "for (let i = 0; i < 60; i++) y = crypto.getRandomValues(new Uint32Array(16384)).join(); y = 0;",
    ].map((code) => `kept = 'kept-through-it-all '.repeat(500); ${code} 1`),
    again: "z = Array.from({ length: 20 }, () => new Uint8Array(1 << 20).fill(7)); " +
      "kept === 'kept-through-it-all '.repeat(500) && z.every((b) => b[99] === 7)",
  },
  perl: {
    programs: [
      "open my $f, '<', '/dev/urandom'; binmode $f; our $x = ''; read $f, $x, 12 << 20; undef $x;",
    ].map((code) => `our $kept = 'kept-through-it-all ' x 500; ${code} 1`),
    again: "our $z = 'z' x (10 << 20); " +
      "($kept eq 'kept-through-it-all ' x 500 and length $z == 10 << 20) ? 'True' : 'False'",
  },
  ruby: {
    programs: [
      "x = Random.urandom(12 << 20); x = nil; GC.start;",
      "d = Array.new(12_000) { Random.urandom(1000) }; d = nil; GC.start;",
    ].map((code) => `$kept = 'kept-through-it-all ' * 500; ${code} 1`),
    again: "$z = 'z' * (10 << 20); $kept == 'kept-through-it-all ' * 500 && $z.size == 10 << 20",
  },
};

for (const [language, { programs, again }] of Object.entries(LANGUAGES)) {
  Deno.test(`contexts of ${language}: memory that was freed is not kept`, async () => {
    const bench = await EngineBench.create(language as ContextLanguage);
    for (const code of programs) {
      const ran = bench.run(code);
      assertEquals(ran.shown, "1", code);
      const kept = stateOf(ran);
      const bytes = kept.snapshot.segments.reduce((sum, { length }) => sum + length, 0);
      assert(bytes < MOST_BYTES, `${bytes} bytes after ${code}`);
      const resumed = bench.run(again, { from: "resume" }).shown.toLowerCase();
      const restored = bench.run(again, { from: kept }).shown.toLowerCase();
      assertEquals([resumed, restored].map((text) => text.replaceAll("'", "")), ["true", "true"]);
    }
  });
}
