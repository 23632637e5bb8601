// test: long
/**
 * Random requests for runs in a context, to two processes over one store: streams from any position,
 * `respond-async`, answers and cancellations. None causes a fault, and each run ends. `ROUNDS` says how
 * many runs.
 */
import { assert, assertEquals } from "@std/assert";
import { fakeRuntimes } from "../sandbox/fixture.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { until } from "../support/wait.ts";
import { ContextCaller } from "./context_caller.ts";
import { withProcesses } from "./context_processes.ts";
import { TOOLS } from "./gateway_fixture.ts";

const ROUNDS = Number(Deno.env.get("ROUNDS") ?? count(40, 2_000));
const REQUESTS = 8;
const STATUSES: readonly number[] = [200, 202, 400, 404, 406, 409, 413, 415, 429];
const OVER: readonly unknown[] = ["ended", "failed", "cancelled", "expired"];

const PROGRAMS = [
  ["print a", "call ping {}", "print b"],
  ["start ping {}", 'start crm.find {"q":"a"}', "gather", "call ping {}"],
  ["prompt Name? ", "ask", "print end"],
  ["print only", "x = 1"],
  ["x"],
];
const ACCEPTS = [
  "application/json",
  "application/x-ndjson",
  "text/event-stream",
  "text/html",
  "*/*",
  "application/x-ndjson;q=0, text/event-stream",
  ",;=",
];
const PREFERS = [
  "respond-async",
  "respond-async, wait=1",
  "RESPOND-ASYNC",
  "wait=x",
  ",,",
  "respond",
];
const POSITIONS = [
  "0",
  "1",
  "2",
  "7",
  "-1",
  "x",
  "1e3",
  " 1",
  "9007199254740993",
  "",
  "NaN",
  "%00",
];
const QUERIES = [
  "?limit=1",
  "?limit=0",
  "?limit=x",
  "?cursor=x",
  "?state=waiting",
  "?state=x",
  "?",
];

interface Sent {
  readonly status: number;
  readonly value: Record<string, unknown>;
}

/** Sends a request and reads its answer, of a stream the first piece. */
async function send(
  box: ContextCaller,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
  headers: Record<string, string> = {},
): Promise<Sent> {
  const answer = await box.send(method, path, body, { headers });
  const about = `${method} ${path} ${JSON.stringify([body, headers])}: ${answer.status}`;
  if (!STATUSES.includes(answer.status)) throw new Error(`${about} ${await answer.text()}`);
  const type = answer.headers.get("content-type") ?? "";
  if (!type.startsWith("application/json")) {
    const reader = answer.body?.getReader();
    await reader?.read();
    await reader?.cancel();
    return { status: answer.status, value: {} };
  }
  const value = await answer.json();
  if (answer.status >= 400) assertEquals(typeof value.code, "string", about);
  return { status: answer.status, value };
}

Deno.test("runs fuzz: requests for runs cause no fault, and each run ends", () =>
  withProcesses(async (start) => {
    const below = seededBelow(printedSeed("requests for runs"));
    const one = <T>(list: readonly T[]): T => {
      const item = list[below(list.length)];
      assert(item !== undefined);
      return item;
    };
    const runtimes = fakeRuntimes();
    const boxes = [1, 2].map(() => new ContextCaller(start({ runtimes })));
    const statuses = new Map<number, number>();
    for (let round = 0; round < ROUNDS; round++) {
      const fields = { ...TOOLS, interactive: below(2) === 0 };
      const code = one(PROGRAMS).join("\n");
      const begin = ["POST", "/execute", { binding: "PYTHON", code, ...fields }] as const;
      const prefer = below(2) === 0 ? { prefer: one(PREFERS) } : undefined;
      const accept = one(ACCEPTS.slice(0, 3));
      await send(one(boxes), begin, { accept, ...prefer });
      const { value: { runs } } = await send(one(boxes), ["GET", "/runs"]);
      assert(Array.isArray(runs));
      const id: string = runs[0]?.id ?? "r0";
      const request = (): readonly [string, string, unknown?] => {
        const key = `${id}/${below(4)}`;
        const answer = one([{ value: { id: 1 } }, { value: null }, { deny: "no" }, {}]);
        const others = [
          ["GET", `/runs/${id}?after=${one(POSITIONS)}`],
          ["GET", `/runs${one(QUERIES)}`],
          ["GET", `/runs/${id}`],
          ["POST", `/runs/${id}/answers`, { answers: [{ key, ...answer }] }],
          ["POST", `/runs/${id}/answers`, { answers: [] }],
          ["DELETE", `/runs/${below(2) === 0 ? id : "r0"}`],
          begin,
        ] as const;
        return one(others);
      };
      for (let left = below(REQUESTS); left > 0; left--) {
        const headers = {
          accept: one(ACCEPTS),
          ...(below(3) === 0 ? { "last-event-id": one(POSITIONS.slice(0, 9)) } : {}),
          ...(below(3) === 0 ? { prefer: one(PREFERS) } : {}),
        };
        const { status } = await send(one(boxes), request(), headers);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      const { value } = await send(one(boxes), ["GET", "/runs"]);
      assert(Array.isArray(value["runs"]));
      for (const run of value["runs"]) {
        if (!OVER.includes(run.state)) await send(one(boxes), ["DELETE", `/runs/${run.id}`]);
      }
      await until(async () => {
        const left = await send(one(boxes), ["GET", "/runs"]);
        const { runs } = left.value;
        return Array.isArray(runs) && runs.every(({ state }) => OVER.includes(state));
      });
    }
    for (const status of [200, 400, 404]) assert(statuses.has(status), `no ${status}`);
    assertEquals(
      (await send(one(boxes), ["POST", "/execute", {
        binding: "PYTHON",
        code: "print still",
      }])).status,
      200,
    );
  }));
