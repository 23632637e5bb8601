/**
 * Random bodies to the route that answers a run: none causes a fault, a refused one changes nothing,
 * and what was accepted is what the program gets. `ROUNDS` says how many bodies.
 */
import { assert, assertEquals } from "@std/assert";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { type Below, type RandomBody, randomBody } from "../support/random_answers.ts";
import { ContextCaller } from "./context_caller.ts";
import { type Answered, RunCaller, TOOLS } from "./gateway_fixture.ts";

const ROUNDS = Number(Deno.env.get("ROUNDS") ?? count(600, 20_000));
const PROGRAM = [
  'start crm.find {"q":"a"}',
  "start ping {}",
  'start crm.find {"q":"b"}',
  "prompt Name? ",
  "ask",
  "gather",
  'call ping {"last":true}',
  "ask",
];

/** The way to runs: of a tenant, or in a context. */
interface Way {
  begin(): Promise<Answered>;
  send(method: string, path: string, body?: RandomBody): Promise<Response>;
}

interface Counts {
  readonly statuses: Map<number, number>;
  ended: number;
}

function keysOf(waiting: Answered["waiting"]): readonly string[] {
  return (waiting?.calls ?? []).map(({ key }) => key).concat(waiting?.input?.key ?? []);
}

/** One run, until it has ended or the bodies are used up. */
async function fuzzRun(way: Way, below: Below, rounds: number, counts: Counts): Promise<number> {
  const first = await way.begin();
  const run = first.waiting?.run ?? "";
  let pending = keysOf(first.waiting);
  const answered = new Set<string>();
  const accepted = new Map<string, Given>();
  const foreign = [`${run.slice(0, -1)}0/1`, "r0/1", `${run}/999`];
  for (let round = 1; round <= rounds; round++) {
    const before = await (await way.send("GET", `/runs/${run}`)).text();
    const body = round % 40 === 0
      ? goodBody(below, pending)
      : randomBody(below, { pending, answered: [...answered], foreign });
    const answer = await way.send("POST", `/runs/${run}/answers`, body);
    const text = await answer.text();
    const { status } = answer;
    counts.statuses.set(status, (counts.statuses.get(status) ?? 0) + 1);
    const place = `${status} ${text.slice(0, 300)} for ${
      new TextDecoder().decode(body.bytes).slice(0, 500)
    }`;
    assert([200, 400, 404, 409, 413, 415].includes(status), place);
    const value: Answered = JSON.parse(text);
    if (status !== 200) {
      assertEquals(typeof value["code"], "string", place);
      const after = await (await way.send("GET", `/runs/${run}`)).text();
      assertEquals(after, before, place);
      continue;
    }
    for (const { key, ...given } of answersIn(body)) accepted.set(key, given);
    const now = keysOf(value.waiting);
    for (const key of pending) if (!now.includes(key)) answered.add(key);
    for (const key of now) assert(!answered.has(key), `${key} is asked for again: ${place}`);
    pending = now;
    if (value.waiting === undefined) {
      counts.ended++;
      assertEquals(answered.size, 6, place);
      // each call has one outcome, that which was accepted
      for (const number of [1, 2, 3, 4]) {
        const lines = value.logs.stdout.filter((line) => line.startsWith(`${number}: `));
        assertEquals(lines.length, 1, place);
        assertOutcome(lines[0]?.slice(3) ?? "", accepted.get(`${run}/${number}`), place);
      }
      return round;
    }
  }
  await (await way.send("DELETE", `/runs/${run}`)).body?.cancel();
  return rounds;
}

/** An answer without its key. */
type Given = { readonly value?: unknown; readonly deny?: string; readonly error?: ErrorLike };
type ErrorLike = { readonly message: string };

/** The answers of a body that was accepted. */
function answersIn({ bytes }: RandomBody): readonly (Given & { readonly key: string })[] {
  return JSON.parse(new TextDecoder().decode(bytes)).answers;
}

function assertOutcome(text: string, given: Given | undefined, place: string): void {
  const line = text.toWellFormed();
  if (given?.deny !== undefined) assertEquals(line, `denied ${firstLine(given.deny)}`, place);
  else if (given?.error !== undefined) {
    assertEquals(line, `tool ${firstLine(given.error.message)}`, place);
  } else {
    // JSON has one zero
    assertEquals(JSON.stringify(JSON.parse(line)), JSON.stringify(given?.value), place);
  }
}

function firstLine(text: string): string {
  return text.toWellFormed().split("\n")[0] ?? "";
}

/** An answer to one of the pending keys that must be taken, so that the run goes on. */
function goodBody(below: Below, pending: readonly string[]): RandomBody {
  const key = pending[below(pending.length)] ?? "";
  const answer = key.includes("input") ? { key, value: "line" } : { key, value: { id: 1 } };
  const bytes = new TextEncoder().encode(JSON.stringify({ answers: [answer] }));
  return { bytes, type: "application/json" };
}

async function fuzz(way: Way, what: string): Promise<void> {
  const below = seededBelow(printedSeed(what));
  const counts: Counts = { statuses: new Map(), ended: 0 };
  for (let left = ROUNDS; left > 0;) left -= await fuzzRun(way, below, left, counts);
  for (const status of [200, 400, 404, 409]) assert(counts.statuses.has(status), `no ${status}`);
  assert(counts.ended > 0);
}

function initOf(body: RandomBody | undefined): RequestInit {
  if (body === undefined) return {};
  return { body: body.bytes, headers: { "content-type": body.type } };
}

Deno.test("answers fuzz: of a run in memory", async () => {
  const caller = new RunCaller();
  await fuzz({
    begin: () => caller.run(PROGRAM, { ...TOOLS, interactive: true }),
    send: (method, path, body) => caller.send(method, path, undefined, initOf(body)),
  }, "bodies of answers, in memory");
});

Deno.test("answers fuzz: of a run in a context", () =>
  withStore(async (store) => {
    const sandboxes = sandboxProcess(store, { runtimes: fakeRuntimes() });
    const box = new ContextCaller(sandboxes);
    try {
      await fuzz({
        begin: () => box.start(PROGRAM, { interactive: true }),
        send: (method, path, body) => box.send(method, path, undefined, initOf(body)),
      }, "bodies of answers, in a context");
    } finally {
      await sandboxes.runs.close();
    }
  }));
