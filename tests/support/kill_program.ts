/**
 * The service as `main.ts` starts it, but for a switch that kills it: each line of standard input
 * is a moment, and is answered with `armed`. The first argument is the lease time in milliseconds.
 * It ends when standard input does.
 *
 * @module
 */
import {
  AVAILABLE_LANGUAGES,
  buildEngines,
  createRuntimes,
} from "../../runtimes/create_runtimes.ts";
import { runProgram } from "../../service/program.ts";
import { KillSwitch, readMoment, SwitchedStore } from "./kill_switch.ts";

const killSwitch = new KillSwitch();

async function obey(): Promise<void> {
  const lines = Deno.stdin.readable.pipeThrough(new TextDecoderStream());
  let rest = "";
  for await (const text of lines) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      killSwitch.arm(readMoment(line));
      await Deno.stdout.write(new TextEncoder().encode("armed\n"));
    }
  }
  Deno.kill(Deno.pid, "SIGTERM");
}

if (import.meta.main) {
  const [leaseMs, ...args] = Deno.args;
  obey();
  await runProgram({
    args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    createRuntimes,
    buildEngines,
    hooks: {
      wrapStore: (store) => new SwitchedStore(store, killSwitch),
      onStep: (step) => killSwitch.step(step),
      housekeeping: { leaseMs: Number(leaseMs), periodMs: 600_000 },
    },
  });
}
