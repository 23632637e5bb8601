/**
 * The service as `main.ts` starts it, which also tells how long its thread was busy in one piece: for
 * each SIGUSR2, a line with the longest stretch of processor time between two turns of the event loop
 * since the last line, in milliseconds. Processor time does not grow on a busy machine.
 *
 * @module
 */
import { threadCpuUsage } from "node:process";
import {
  AVAILABLE_LANGUAGES,
  buildEngines,
  createRuntimes,
  loadPage,
} from "../../runtimes/create_runtimes.ts";
import { runProgram } from "../../service/program.ts";

const TURN_MS = 2;

function busyMs(): number {
  const { user, system } = threadCpuUsage();
  return (user + system) / 1_000;
}

let longest = 0;
let last = busyMs();
function turn(): void {
  const now = busyMs();
  longest = Math.max(longest, now - last);
  last = now;
}

function tell(): void {
  turn();
  Deno.stdout.writeSync(new TextEncoder().encode(`longest ${Math.round(longest)}\n`));
  longest = 0;
}

if (import.meta.main) {
  setInterval(turn, TURN_MS);
  Deno.addSignalListener("SIGUSR2", tell);
  await runProgram({
    args: Deno.args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
    loadPage,
    buildEngines,
  });
}
