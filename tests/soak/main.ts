/**
 * A soak: `deno task soak [minutes] [seed]`. Mixed load of all languages, stateless and in
 * contexts, with files, callers who leave, and isolates that are killed at random. Every answer is
 * checked. Ends with 1 when one was wrong, or an error was of a kind that may not be.
 *
 * @module
 */
import { processTree, treeMemory } from "../support/process.ts";
import { startProgram } from "../support/program.ts";
import { KILLS_WITHOUT_END } from "../support/run_limits.ts";
import { seededBelow } from "../support/random.ts";
import { pause } from "../support/wait.ts";
import { Actor } from "./actor.ts";
import { Tally } from "./tally.ts";

const ACTORS = 6;
const MINUTE_MS = 60_000;
const SAMPLE_MS = 5_000;
const LONGEST_KILL_PAUSE_MS = 6_000;

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

/** Kills an isolate every now and then. */
async function killIsolates(
  pid: number,
  below: (end: number) => number,
  tally: Tally,
  until: number,
) {
  while (performance.now() < until) {
    await pause(below(LONGEST_KILL_PAUSE_MS));
    const isolates = (await processTree(pid)).slice(1);
    const chosen = isolates[below(isolates.length)];
    if (chosen === undefined) continue;
    try {
      Deno.kill(chosen, "SIGKILL");
      tally.call("kill an isolate");
    } catch (thrown) {
      if (!(thrown instanceof Deno.errors.NotFound)) throw thrown; // it has ended already
    }
  }
}

async function residentMib(pid: number): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? NaN) / 1024;
}

async function sampleMemory(pid: number, tally: Tally, until: number): Promise<void> {
  const began = performance.now();
  while (performance.now() < until) {
    await pause(SAMPLE_MS);
    const minutes = (performance.now() - began) / MINUTE_MS;
    tally.memory.push({ minutes, own: await residentMib(pid), tree: await treeMemory(pid) });
  }
}

/** Lines of the log by their event. */
function eventsOf(output: string): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [, event = ""] of output.matchAll(/"event":"([^"]*)"/g)) {
    counts.set(event, (counts.get(event) ?? 0) + 1);
  }
  return counts;
}

if (import.meta.main) {
  const minutes = Number(Deno.args[0] ?? 5);
  const seed = Number(Deno.args[1] ?? Date.now() % 2 ** 32);
  print(`Soak for ${minutes} minutes, seed ${seed}`);
  const data = await Deno.makeTempDir();
  const tally = new Tally();
  {
    await using service = await startProgram({
      env: { KV_PATH: `${data}/data.sqlite3`, ...KILLS_WITHOUT_END },
    });
    const until = performance.now() + minutes * MINUTE_MS;
    const actors = Array.from(
      { length: ACTORS },
      (_, i) => new Actor(`actor${i}`, service.url, seededBelow(seed + i), tally),
    );
    await Promise.all([
      ...actors.map((actor) => actor.work(until)),
      killIsolates(service.pid, seededBelow(seed + ACTORS), tally, until),
      sampleMemory(service.pid, tally, until),
    ]);
    for (const [event, count] of eventsOf(service.output())) print(`Log: ${event}: ${count}`);
  }
  await Deno.remove(data, { recursive: true });
  print(tally.report());
  print(tally.isClean ? "Clean" : "NOT CLEAN");
  Deno.exit(tally.isClean ? 0 : 1);
}
