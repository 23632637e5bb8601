/**
 * Runs that wait, in a service: the memory of many of them, a call by HTTP between an answer and the next
 * call, and the time to come back to a run whose isolate was taken back.
 *
 * `deno run --allow-all bench/waiting_runs.ts [runs] [languages]`
 *
 * A thousand runs are as many as a tenant may have. Half of them are in contexts.
 *
 * @module
 */
import { BUNDLED_LANGUAGES, type ByBundledLanguage } from "../shared/languages.ts";
import { jsonPost } from "../tests/support/json_post.ts";
import { processorMs, processTree, treeMemory } from "../tests/support/process.ts";
import { startService } from "../tests/support/service.ts";
import { SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { ms, quantile, table } from "./stats.ts";

/** Programs that make so many calls, one after the other. */
const PROGRAMS: ByBundledLanguage<(calls: number) => string> = {
  javascript: (calls) => `for (let i = 0; i < ${calls}; i++) await tools.echo({ i });`,
  python: (calls) => `for i in range(${calls}): tools.echo(i=i)`,
  perl: (calls) => `Belljar::call("echo", { i => $_ }) for 1 .. ${calls};`,
  ruby: (calls) => `${calls}.times { |i| tools.echo(i: i) }; nil`,
};
type Measured = keyof typeof PROGRAMS;

const CALLS = 300;
const RESUMED_AFTER = [1, 100];
const RESUMES = 30;
const AT_ONCE = 8;
const SETTLE_MS = 3_000;

interface State {
  readonly waiting?: {
    readonly run: string;
    readonly calls: readonly { readonly key: string }[];
  };
}

const [runsText = "1000", ...chosen] = Deno.args;
const runs = Number(runsText);
const languages = BUNDLED_LANGUAGES.filter((one) => chosen.length === 0 || chosen.includes(one));

async function post(url: string, path: string, body: object): Promise<State> {
  const answer = await fetch(`${url}${path}`, jsonPost(body));
  const value = await answer.json();
  if (!answer.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
  return value;
}

/** Begins a run of so many calls, without a context or in that of a sandbox. */
async function begin(
  url: string,
  language: Measured,
  { calls, sandbox }: { readonly calls: number; readonly sandbox?: string | undefined },
): Promise<State> {
  const path = sandbox === undefined
    ? `/execute/${language}`
    : `/languages/${language}/sandboxes/${sandbox}/execute`;
  const code = PROGRAMS[language](calls);
  return await post(url, path, { code, tools: [{ name: "echo" }] });
}

/** Answers the call for which a run waits. */
async function answer(url: string, { waiting }: State): Promise<State> {
  const [call] = waiting?.calls ?? [];
  if (waiting === undefined || call === undefined) throw new Error("The run does not wait");
  return await post(url, `/runs/${waiting.run}/answers`, {
    answers: [{ key: call.key, value: 1 }],
  });
}

/** Milliseconds from an answer to the next call. */
async function callTimes(
  url: string,
  language: Measured,
  sandbox: string | undefined,
): Promise<number[]> {
  const sample: number[] = [];
  let state = await begin(url, language, { calls: CALLS, sandbox });
  while (state.waiting !== undefined) {
    const began = performance.now();
    state = await answer(url, state);
    sample.push(performance.now() - began);
  }
  return sample.slice(CALLS / 10);
}

/**
 * Milliseconds of an answer to a run whose isolate others have had meanwhile, at the median; and the
 * processor time of one in the service and its isolates, which others on the machine do not change.
 */
async function resumeCells(
  { url, pid }: { readonly url: string; readonly pid: number },
  language: Measured,
  calls: number,
): Promise<readonly [took: number, processor: number]> {
  const waiting: State[] = [];
  for (let index = 0; index < RESUMES; index++) {
    const name = `resume-${calls}-${index}`;
    let state = await begin(url, language, { calls: calls + 1, sandbox: name });
    for (let call = 0; call < calls; call++) state = await answer(url, state);
    waiting.push(state);
  }
  const sample: number[] = [];
  const pids = await processTree(pid);
  const before = await processorMs(pids);
  for (const state of waiting) {
    const began = performance.now();
    await answer(url, state);
    sample.push(performance.now() - began);
  }
  const processor = (await processorMs(pids) - before) / RESUMES;
  // the isolates still held the last ones
  return [quantile(sample.slice(0, -4), 0.5), processor];
}

async function memoryRow(url: string, pid: number): Promise<string[]> {
  const before = await settled(pid);
  const numbers = Array.from({ length: runs }, (_, n) => n).values();
  const maker = async () => {
    for (const n of numbers) {
      const language = languages[n % languages.length] ?? "javascript";
      const sandbox = n % 2 === 0 ? `waits-${n}` : undefined;
      await begin(url, language, { calls: 1, sandbox });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, maker));
  const after = await settled(pid);
  return [String(runs), before.toFixed(0), after.toFixed(0), (after - before).toFixed(0)];
}

async function settled(pid: number): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  return await treeMemory(pid);
}

const folder = await Deno.makeTempDir();
try {
  await using service = await startService({
    ...SERVICE_LIMITS,
    LANGUAGES: languages.join(),
    KV_PATH: `${folder}/store`,
    ISOLATES: "2",
  });
  const { url, pid } = service;
  const rows: string[][] = [];
  // the code of the service is warm before the first language is measured
  for (const language of languages) {
    for (const sandbox of [undefined, "warm"]) await callTimes(url, language, sandbox);
  }
  for (const language of languages) {
    const cells = [
      quantile(await callTimes(url, language, undefined), 0.5),
      quantile(await callTimes(url, language, `calls-${language}`), 0.5),
    ];
    for (const calls of RESUMED_AFTER) {
      cells.push(...await resumeCells(service, language, calls));
    }
    rows.push([language, ...cells.map(ms)]);
  }
  const head = [
    "ms",
    "call (p50)",
    "call in a context",
    "resume after 1 call",
    "processor",
    "after 100 calls",
    "processor",
  ];
  const memory = await memoryRow(url, pid);
  const text = `${table(head, rows)}\n\n${
    table(["waiting runs", "MiB before", "MiB after", "MiB more"], [memory])
  }\n`;
  Deno.stdout.writeSync(new TextEncoder().encode(text));
} finally {
  await Deno.remove(folder, { recursive: true });
}
