/**
 * Each route under attack: one tenant sends its worst requests over eight connections, one after the
 * other, while another asks for health every 20 ms and runs a program every 100 ms. By itself:
 * `deno run --allow-all bench/attack.ts [seconds] [part of a route] [folder of another version]`.
 *
 * @module
 */
import { sendWorst, stayCalm } from "../tests/attack/connections.ts";
import { type AttackedRoute, BOX, FILL_BOX, ROUTES } from "../tests/attack/routes.ts";
import { ATTACKER, TENANTS, tokenHeader } from "../tests/attack/tokens.ts";
import { worstRequests } from "../tests/attack/worst_requests.ts";
import { processorMs } from "../tests/support/process.ts";
import { type Program, startProgram } from "../tests/support/program.ts";
import { pause } from "../tests/support/wait.ts";
import { ms, quantile, table } from "./stats.ts";
import { jsonPost } from "../tests/support/json_post.ts";

const SECONDS = 4;
const CONNECTIONS = 8;
/** How long a request is held whose answer is not read. */
const HOLD_MS = 1_000;
/** The longest time that the attackers have to end. */
const END_MS = 30_000;

async function started(project: string | undefined): Promise<Program> {
  const service = await startProgram({
    env: { LANGUAGES: "javascript", ISOLATES: "2", ...TENANTS },
    ...(project === undefined ? {} : { project }),
  });
  const filled = await fetch(
    `${service.url}${BOX}/execute`,
    jsonPost({ code: FILL_BOX }, tokenHeader(ATTACKER)),
  );
  await filled.body?.cancel();
  return service;
}

/** Sends the worst requests of a route in turn, until it is over. */
async function again(
  service: Program,
  route: AttackedRoute,
  first: number,
  over: AbortSignal,
): Promise<void> {
  const requests = worstRequests(route, ATTACKER);
  for (let turn = first; !over.aborted; turn++) {
    const request = requests[turn % requests.length];
    if (request === undefined) return;
    const ends = request.then === "wait" ? [over, AbortSignal.timeout(HOLD_MS)] : [over];
    await sendWorst(service.url, request, AbortSignal.any(ends));
  }
}

async function memoryMiB({ pid }: Program): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmRSS:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

/** The other tenant beside a route's attack, or beside none. */
async function rowOf(
  service: Program,
  seconds: number,
  route?: AttackedRoute,
): Promise<(string | number)[]> {
  const over = new AbortController();
  const attacks = route === undefined ? [] : Array.from(
    { length: CONNECTIONS },
    (_, at) => again(service, route, at, over.signal),
  );
  const ended = new AbortController();
  const used = await processorMs([service.pid]);
  const calm = stayCalm(service.url, ended.signal);
  let mostMiB = 0;
  for (let half = 0; half < 2 * seconds; half++) {
    await pause(500);
    mostMiB = Math.max(mostMiB, await memoryMiB(service));
  }
  ended.abort();
  const { health, runs, refused } = await calm;
  const busy = (await processorMs([service.pid]) - used) / 1000;
  over.abort();
  await Promise.race([Promise.all(attacks), pause(END_MS)]);
  return [
    route === undefined ? "quiet" : route.route,
    ...[health, runs].flatMap((times) => [
      ms(quantile(times, 0.5)),
      ms(quantile(times, 0.99)),
      ms(Math.max(...times)),
    ]),
    refused.length,
    busy.toFixed(1),
    Math.round(mostMiB),
  ];
}

/** A table of the routes whose names hold `part`. */
export async function attackTable(
  seconds = SECONDS,
  part = "",
  project?: string,
): Promise<string> {
  const service = await started(project);
  const rows = [await rowOf(service, seconds)];
  for (const route of ROUTES.filter(({ route }) => route.includes(part))) {
    rows.push(await rowOf(service, seconds, route));
  }
  await service.end("SIGKILL");
  return table([
    "route",
    "health p50, ms",
    "p99",
    "most",
    "run p50, ms",
    "p99",
    "most",
    "not 200",
    "processor, s",
    "memory, MiB",
  ], rows);
}

if (import.meta.main) {
  const [seconds = SECONDS, part, project] = Deno.args;
  const text = await attackTable(Number(seconds), part, project);
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
