/**
 * The first context of each language in an empty store, whose engine is stored before its first run
 * is answered, and a step after it. Isolates are warm.
 *
 * `deno run --allow-all bench/first_contexts.ts [rounds] [folder]`; the folder is a built checkout
 * of another version, which is measured in turns with this one.
 *
 * @module
 */
import { execute } from "../tests/support/service.ts";
import { type Program, startProgram } from "../tests/support/program.ts";
import { pause } from "../tests/support/wait.ts";
import { quantile, table } from "./stats.ts";
import { TRIVIAL } from "./trivial_runs.ts";
import { jsonPost } from "../tests/support/json_post.ts";

const ROUNDS = 3;
const WARM_UP_RUNS = 5;
/** After a start the service prepares other isolates. */
const REST_MS = 3_000;
const HERE = new URL("../", import.meta.url).pathname;
const LANGUAGES = ["javascript", "python", "perl"] as const;

async function step({ url }: Program, language: string): Promise<number> {
  const began = performance.now();
  const answer = await fetch(
    `${url}/languages/${language}/sandboxes/box/execute`,
    jsonPost({ code: language === "perl" ? "our $x = 1" : "x = 1" }),
  );
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${language}: ${answer.status}`);
  return performance.now() - began;
}

/** The times of the first step and of the next one, by language, on a store of its own. */
async function steps(project: string): Promise<readonly (readonly [number, number])[]> {
  const folder = await Deno.makeTempDir();
  const env = { KV_PATH: `${folder}/kv.sqlite3`, CACHE_DIR: `${project}/.belljar/cache` };
  try {
    await using service = await startProgram({ project, env });
    for (const language of LANGUAGES) {
      for (let run = 0; run < WARM_UP_RUNS; run++) {
        await execute(service.url, language, TRIVIAL[language].code);
      }
    }
    await pause(REST_MS);
    const times: [number, number][] = [];
    for (const language of LANGUAGES) {
      times.push([await step(service, language), await step(service, language)]);
    }
    return times;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

if (import.meta.main) {
  const [rounds = ROUNDS, other] = Deno.args;
  const projects = [...other === undefined ? [] : [other], HERE];
  const found = projects.map(() => [] as (readonly (readonly [number, number])[])[]);
  for (let round = 0; round < Number(rounds); round++) {
    for (const [index, project] of projects.entries()) found[index]?.push(await steps(project));
  }
  const cell = (index: number, language: number, which: 0 | 1) =>
    Math.round(quantile((found[index] ?? []).map((times) => times[language]?.[which] ?? NaN), 0.5));
  const versions = projects.map((project) => project === HERE ? "here" : "other");
  const text = table(
    ["context in", ...versions.flatMap((name) => [`${name}: first step, ms`, "next step, ms"])],
    LANGUAGES.map((language, at) => [
      language,
      ...projects.flatMap((_, index) => [cell(index, at, 0), cell(index, at, 1)]),
    ]),
  );
  Deno.stdout.writeSync(new TextEncoder().encode(`${text}\n`));
}
