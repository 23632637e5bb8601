// test: long
/**
 * Each route gets the worst request of each of its limits, with a token and without, while another
 * tenant asks for health every 20 ms and runs a program every 100 ms. All of those are answered, and
 * the service's thread is never busy in one piece for long: in processor time, so that a busy machine
 * changes nothing.
 */
import { assert, assertEquals } from "@std/assert";
import { count } from "../support/counts.ts";
import { type Program, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";
import { sendWorst, stayCalm } from "./connections.ts";
import { BOX, DESCRIBED, FILL_BOX, ROUTES } from "./routes.ts";
import { ATTACKER, TENANTS, tokenHeader } from "./tokens.ts";
import { type WorstRequest, worstRequests } from "./worst_requests.ts";
import { jsonPost } from "../support/json_post.ts";

/** Most processor time between two turns of the event loop, in milliseconds. */
const MOST_BUSY_MS = 400;
/** Time for the requests whose answers are not read or do not come, in milliseconds. */
const WAIT_MS = 300;
/** Most memory that the service takes for itself, in MiB. */
const MOST_MIB = 1_200;
/** Requests of a kind at the same time. */
const AT_ONCE = count(1, 8);

/** The longest stretch in which the thread was busy since the last call, in milliseconds. */
async function longestBusy(service: Program): Promise<number> {
  const told = () => [...service.output().matchAll(/^longest (\d+)$/gm)];
  const before = told().length;
  Deno.kill(service.pid, "SIGUSR2");
  await until(() => told().length > before);
  return Number(told().at(-1)?.[1]);
}

async function peakMiB({ pid }: Program): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

async function startAttacked(): Promise<Program> {
  const service = await startProgram({
    module: "tests/attack/stall_program.ts",
    env: { LANGUAGES: "javascript", ISOLATES: "2", ...TENANTS },
  });
  const filled = await fetch(
    `${service.url}${BOX}/execute`,
    jsonPost({ code: FILL_BOX }, tokenHeader(ATTACKER)),
  );
  assertEquals((await filled.json()).error, undefined);
  return service;
}

/** Sends a request several times at once, beside the other tenant. */
async function attacked(service: Program, request: WorstRequest): Promise<readonly string[]> {
  const over = new AbortController();
  const ended = new AbortController();
  const calm = stayCalm(service.url, ended.signal);
  if (request.then === "wait") setTimeout(() => over.abort(), WAIT_MS);
  await Promise.all(
    Array.from({ length: AT_ONCE }, () => sendWorst(service.url, request, over.signal)),
  );
  ended.abort();
  return (await calm).refused;
}

Deno.test("attack: all routes of the description are in the table, and the server serves others", async () => {
  await using service = await startProgram({ env: { LANGUAGES: "javascript" } });
  const { paths } = await (await fetch(`${service.url}/openapi.json`)).json();
  const described = Object.entries(paths).flatMap(([path, operations]) =>
    Object.keys(Object(operations)).filter((key) => /^(?:get|put|post|delete)$/.test(key))
      .map((method) => `${method.toUpperCase()} ${path}`)
  );
  assertEquals(DESCRIBED.map(({ route }) => route).sort(), described.sort());
});

Deno.test("attack: no request of one tenant keeps another waiting", async (t) => {
  await using service = await startAttacked();
  await longestBusy(service);
  for (const route of ROUTES) {
    await t.step(route.route, async () => {
      const wrong: string[] = [];
      for (const token of [ATTACKER, "wrong"]) {
        for (const request of worstRequests(route, token)) {
          const refused = await attacked(service, request);
          const busy = await longestBusy(service);
          const name = `${request.name}, ${token === ATTACKER ? "" : "no "}token`;
          if (busy > MOST_BUSY_MS) wrong.push(`${name}: busy for ${busy} ms`);
          if (refused.length > 0) wrong.push(`${name}: ${refused[0]}`);
        }
      }
      assertEquals(wrong, []);
    });
  }
  assert(await peakMiB(service) < MOST_MIB);
  const lines = service.output().split("\n").filter((line) => !/^(?:longest |\{"|$)/.test(line));
  assertEquals(lines.filter((line) => !line.startsWith("Belljar listening")), []);
  assertEquals(service.output().split("\n").filter((line) => line.includes('"level":"error"')), []);
});
