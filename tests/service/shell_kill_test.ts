// test: long
/**
 * A pipe through three languages while the service is killed: the context and the files are as before
 * the run, or as after it.
 */
import { assert, assertEquals } from "@std/assert";
import { temporaryFolder } from "../client/deno_command.ts";
import { count } from "../support/counts.ts";
import { freePort, type Program, startOnPort, startProgram } from "../support/program.ts";
import { jsonPost } from "../support/json_post.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { shellTest } from "../support/shell_engine.ts";
import { pause } from "../support/wait.ts";

const LOOPS = { python: "while True: pass", perl: "1 while 1;", node: "for (;;);" } as const;
type Looping = keyof typeof LOOPS;
const LANGUAGES = ["python", "perl", "node"] as const;
/** Random kills of a pipe that ends. */
const KILLS = count(4, 40);
/** A pipe takes less on a quiet machine; a kill comes before, in, or after it. */
const LATEST_KILL_MS = 1_500;
/** Long enough for the programs before the endless one. */
const LOOP_MS = 2_000;

/** A pipe that counts in a variable, and in a file of the shell and of each program. */
function pipe(looping?: Looping): string {
  const loop = (name: Looping) => name === looping ? LOOPS[name] : "";
  return `n=$((n + 1)); echo x >> log
echo 1 | python -c 'open("one", "a").write("x\\n"); print(int(input()) + 1)
${loop("python")}' |
  perl -e 'open F, ">>two"; print F "x\\n"; close F; ${loop("perl")} print <STDIN> + 1' |
  node -e 'require("fs").appendFileSync("three", "x\\n"); ${loop("node")} console.log(3)'`;
}

shellTest(
  "a pipe through three languages is whole or not there, whenever the service is killed",
  async (t) => {
    await using folder = await temporaryFolder();
    const below = seededBelow(printedSeed("shell kill"));
    const PORT = String(freePort());
    const env = {
      ...SERVICE_LIMITS, // the loops must not end before the kill
      PORT,
      LANGUAGES: "javascript,python,perl,shell",
      KV_PATH: `${folder.path}/kv`,
    };
    const start = () => startOnPort(() => startProgram({ env }));
    const url = `http://127.0.0.1:${PORT}/languages/shell/sandboxes/ada/execute`;
    const run = async (code: string, key: string): Promise<readonly string[]> => {
      const init = jsonPost({ code });
      const headers = { ...init.headers, "idempotency-key": key };
      const response = await fetch(url, { ...init, headers });
      const { logs } = await response.json();
      assertEquals(response.status, 200);
      return logs.stdout;
    };
    let looks = 0;
    /** How often the pipe ran, by the variable and by each file. */
    const counts = async () => {
      const lines = await run(
        "echo $n; cat log one two three | wc -l; cat log | wc -l",
        `l${looks++}`,
      );
      const [n = NaN, all = NaN, shell = NaN] = lines.map(Number);
      assertEquals([all, shell], [4 * n, n]);
      return n;
    };
    let service: Program = await start();
    try {
      assertEquals(await run(pipe(), "first"), ["3"]);
      let expected = 1;
      for (const language of LANGUAGES) {
        await t.step(`${language} does not end`, async () => {
          const hanging = run(pipe(language), `loop-${language}`).catch(() => undefined);
          await pause(LOOP_MS);
          await service.end("SIGKILL");
          assertEquals(await hanging, undefined);
          service = await start();
          assertEquals(await counts(), expected);
        });
      }
      for (let kill = 0; kill < KILLS; kill++) {
        const ms = below(LATEST_KILL_MS);
        await t.step(`killed after ${ms} ms`, async () => {
          const key = `kill-${kill}`;
          const sent = run(pipe(), key).catch(() => undefined);
          await pause(ms);
          await service.end("SIGKILL");
          const answer = await sent;
          service = await start();
          const after = await counts();
          if (answer === undefined) assert([expected, expected + 1].includes(after), String(after));
          else assertEquals(after, expected + 1);
          assertEquals(await run(pipe(), key), ["3"]);
          assertEquals(await counts(), ++expected);
        });
      }
    } finally {
      await service.end("SIGTERM");
    }
  },
);
