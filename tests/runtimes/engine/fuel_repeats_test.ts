/**
 * The cost of a program does not depend on earlier runs on the same engine: work that the host did
 * once for a run may not be cheaper for the next run.
 */
import { assert, assertEquals } from "@std/assert";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../../../shared/languages.ts";
import type { Engine, RunLimits } from "../../../runtimes/engine/engine.ts";
import { createJavaScriptEngine } from "../../../runtimes/languages/javascript/create.ts";
import { createPerlEngine } from "../../../runtimes/languages/perl/create.ts";
import { createPythonEngine } from "../../../runtimes/languages/python/create.ts";
import { createRubyEngine } from "../../../runtimes/languages/ruby/create.ts";
import { MEMORY_BYTES, SHARED_LIMITS } from "../../../shared/limits.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../../support/built.ts";

const CREATORS = {
  javascript: createJavaScriptEngine,
  python: createPythonEngine,
  perl: createPerlEngine,
  ruby: createRubyEngine,
};
const LIMITS: RunLimits = { ...SHARED_LIMITS, fuel: 10_000_000_000 };

/**
 * Programs that make the host search, list, parse, word errors and cache. None ends in an error.
 */
const PROGRAMS: Readonly<Record<Language, readonly string[]>> = {
  python: [
    "1",
    "import os\n[len(os.listdir(p)) if os.path.isdir(p) else 0 for p in ('/', '/lib', '/usr', '/dev', '/tmp', '.')]",
    "import os\nsum(len(f) for _, _, f in os.walk('/lib'))",
    "import os\n[os.mkdir(f'd{i}') for i in range(20)]\nlen(os.listdir('.')) + len(os.listdir('.'))",
    "import zoneinfo\nlen(zoneinfo.available_timezones())",
    "import email, http.client, xml.dom.minidom, unittest.mock, sqlite3\n2",
    "try: open('none')\nexcept OSError as e: print(e)\n1 / 1",
    "import os\nos.strerror(22), len(os.urandom(100000))",
  ],
  javascript: [
    "1",
    "const fs = require('fs'); ['/', '/dev', '/tmp', '.'].map((p) => fs.readdirSync(p).length)",
    "const fs = require('fs'); for (let i = 0; i < 20; i++) fs.mkdirSync(`d${i}`); fs.readdirSync('.').length + fs.readdirSync('.').length",
    "try { null.x } catch (e) { e.stack.length }",
    "for (let i = 0; i < 5; i++) try { undefined.f() } catch (e) { e.message } 1",
    "new Intl.NumberFormat('de', { style: 'currency', currency: 'EUR' }).format(5)",
    "new Date(0).toLocaleString('en', { timeZone: 'Asia/Tokyo' })",
    "new Intl.DateTimeFormat('fr', { dateStyle: 'full' }).format(0) + 'ä'.localeCompare('z')",
    "require('fs').writeFileSync('m.mjs', 'export const a = 1'); (await import('./m.mjs')).a",
    "[...new Intl.Segmenter('en').segment('one two')].length",
    "require('crypto').createHash('sha256').update('x').digest('hex')",
  ],
  perl: [
    "1",
    "my @n; for ('/', '/dev', '/tmp', '.') { opendir my $d, $_ or next; push @n, scalar(() = readdir $d) } \"@n\"",
    'mkdir "d$_" for 1 .. 20; my @a = <*>; my @b = <*>; @a + @b',
    "eval { die { a => 1 } }; eval 'syntax error here('; length $@",
    "use POSIX; strftime('%Y', gmtime 0) . localtime(0)",
    "require Text::Balanced; require Pod::Usage; 2",
    "open my $f, '<', 'none' or \"$!\"",
  ],
  ruby: [
    "1",
    "%w[/ /usr /dev /tmp .].map { |d| Dir.exist?(d) ? Dir.children(d).size : 0 }",
    "Dir.glob('/usr/**/*').size",
    "20.times { |i| Dir.mkdir(\"d#{i}\") }; Dir.children('.').size + Dir.children('.').size",
    "require 'set'; require 'json'; require 'erb'; require 'yaml'; JSON.parse('[1]')",
    "begin; File.read('none'); rescue => e; e.message; end",
    "begin; nil.foo; rescue => e; e.full_message(highlight: false).size; end",
  ],
};

/** A set clock: the times of files are numbers that programs read. */
const CLOCK = Date.UTC(2024, 0, 1);

async function engineOf(language: Language): Promise<Engine> {
  const { artifact } = await builtIsolate(language);
  return await CREATORS[language]({
    ...artifact,
    image: artifact.image.slice(),
    memoryBytes: MEMORY_BYTES[language],
    stackBytes: TEST_STACK_BYTES,
  });
}

function fuelOf(engine: Engine, code: string): number {
  engine.reset();
  const { ending, fuelConsumed } = engine.run(
    { code, env: new Map(), typescript: false, limits: LIMITS, clock: CLOCK },
    () => true,
  );
  const failed = ending.kind !== "text" && ending.kind !== "json" && ending.kind !== "none";
  assert(!failed, `${JSON.stringify(ending)} from ${code}`);
  return fuelConsumed;
}

for (const language of LANGUAGES) {
  Deno.test(`${language}: a program costs the same after any other programs`, async () => {
    const programs = PROGRAMS[language];
    const forward = await engineOf(language);
    const first = programs.map((code) => fuelOf(forward, code));
    const again = programs.map((code) => fuelOf(forward, code));
    const backward = await engineOf(language);
    const last = programs.toReversed().map((code) => fuelOf(backward, code)).toReversed();
    const costs = (values: readonly number[]) => programs.map((code, i) => [code, values[i]]);
    assertEquals(costs(again), costs(first));
    assertEquals(costs(last), costs(first));
  });
}
