// test: long
/**
 * The state of a context after a restart of the service: its clocks go on, its runs are counted
 * on, its files, directory and variables are there. The service is started here, also when
 * `CONTRACT_URL` names another.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { startService } from "../support/service.ts";
import { CONTEXT_LANGUAGES, TargetSandbox } from "./sandbox_target.ts";

/** Makes a state; then `[counter, wall clock in ms, steady clock in ms, file, random]`. */
const WORDS = {
  javascript: {
    make:
      "var fs = require('fs'); fs.mkdirSync('d'); process.chdir('d'); fs.writeFileSync('f', process.env.WHO); var n = 0; await new Promise((done) => setTimeout(done, 9000)); 1",
    show: "[++n, Date.now(), performance.now(), fs.readFileSync('f', 'utf8'), Math.random()]",
  },
  python: {
    make:
      "import os, time, random\nos.mkdir('d')\nos.chdir('d')\nwith open('f', 'w') as file: file.write(os.environ['WHO'])\nn = 0\ntime.sleep(9)\n1",
    show:
      "n += 1\n[n, time.time() * 1000, time.monotonic() * 1000, open('f').read(), random.random()]",
  },
  perl: {
    make:
      "use Time::HiRes; mkdir 'd'; chdir 'd'; open my $f, '>', 'f'; print $f $ENV{WHO}; close $f; my $n = 0; sleep 9; 1",
    show:
      "my $t = Time::HiRes::time() * 1000; [++$n, $t, $t, do { open my $r, '<', 'f'; <$r> }, rand()]",
  },
} as const;

type Shown = readonly [number, number, number, string, number];

Deno.test("contexts continue after a restart of the service", async () => {
  const directory = await Deno.makeTempDir();
  const env = { ISOLATES: "1", KV_PATH: `${directory}/kv`, LANGUAGES: CONTEXT_LANGUAGES.join() };
  const id = crypto.randomUUID();
  const last = new Map<string, Shown>();
  try {
    for (let start = 0; start < 3; start++) {
      await using service = await startService(env);
      const { url } = service;
      for (const language of CONTEXT_LANGUAGES) {
        const { make, show } = WORDS[language];
        const box = new TargetSandbox((path, init) => fetch(url + path, init), `${language}-${id}`);
        if (start === 0) await box.ok("POST", "/env", { envVars: { WHO: "me" } });
        if (start === 0) assertEquals((await box.run(language, make)).error, undefined);
        for (let turn = 0; turn < 2; turn++) {
          const result = await box.run(language, show);
          const shown = result.results[0]?.json;
          assert(Array.isArray(shown), JSON.stringify(result.error));
          const [count, wall, steady, text, random] = shown as readonly unknown[] as Shown;
          const before = last.get(language) ?? [0, Date.now(), 8_000, "me", -1];
          assertEquals([count, text], [before[0] + 1, "me"]);
          assertEquals([result.executionCount, result.context?.cwd], [count + 1, "/workspace/d"]);
          assertGreater(wall, before[1] - 1);
          assertGreater(steady, before[2] - 1);
          assert(random !== before[4]);
          last.set(language, [count, wall, steady, text, random]);
        }
      }
    }
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
});
