// test: long
/**
 * A service is killed while it performs calls of the operator's tools: before the server gets one, while
 * it works, and before the outcome is stored. An idempotent call is repeated, another one is not, and an
 * outcome that nobody knows is told as such. `ROUNDS` says how many kills.
 */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { count } from "../support/counts.ts";
import { KillableService } from "../support/kill_service.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { textsInStore } from "../support/stored_texts.ts";
import { pause } from "../support/wait.ts";
import { serveTools } from "./fixture.ts";

const ROUNDS = Number(Deno.env.get("ROUNDS") ?? count(6, 200));
const LEASE_MS = 1_000;
const BOX = "/languages/javascript/sandboxes/box";
const CALLS = 6;
/** A secret of the requests, with which the server answers. */
const CANARY = "k4n4ry_of_kills_q7z";
/** How long after the answer of a call the service lives at most, in milliseconds. */
const LATEST_MS = 30;

const CODE = `const out = [];
for (let n = 0; n < ${CALLS}; n++) {
  const kind = n % 2 === 0 ? "again" : "once";
  try { out.push((await tools.bank[kind]({ round: ROUND, n })).kind); }
  catch (error) { out.push(error.unknown ? "unknown" : error.message); }
}
out`;

const stateSchema = z.looseObject({
  error: z.unknown().optional(),
  results: z.array(z.object({ json: z.array(z.string()) })),
});
const runsSchema = z.object({ runs: z.array(z.object({ id: z.string() })) });
const journalSchema = z.object({ calls: z.array(z.object({ outcome: z.string() })) });

const MOMENTS = ["before", "while", "after"] as const;

Deno.test("tools: killed in a call, an idempotent one is repeated, and another one is unknown at most", async () => {
  const below = seededBelow(printedSeed("kills in calls"));
  const folder = await Deno.makeTempDir();
  /** How often each call was performed. */
  const performed = new Map<string, number>();
  /** The call at which the service is killed next, and when. */
  let planned: { readonly call: string; readonly moment: typeof MOMENTS[number] } | undefined;
  let kills = 0;
  let unknown = 0;
  const killing: Promise<void>[] = [];
  const kill = async () => {
    planned = undefined;
    kills++;
    const ended = service.kill(true);
    killing.push(ended);
    await ended;
  };
  await using server = serveTools(async ({ target, body, headers }) => {
    const input: { readonly round: number; readonly n: number } = JSON.parse(body);
    const call = `${input.round}/${input.n}`;
    const moment = planned?.call === call ? planned.moment : undefined;
    if (moment === "before") {
      await kill();
      return new Response(null, { status: 500 });
    }
    performed.set(call, (performed.get(call) ?? 0) + 1);
    if (moment === "while") await kill();
    if (moment === "after") killing.push(pause(below(LATEST_MS)).then(kill)); // in this round
    return Response.json({ kind: target.slice(1), seen: headers.get("x-key") });
  });
  const path = `${folder}/tools.json`;
  const operation = {
    method: "POST",
    inputSchema: { type: "object" },
    headers: { "x-key": "${BANK_KEY}" },
  };
  await Deno.writeTextFile(
    path,
    JSON.stringify({
      operations: {
        "bank.again": { ...operation, url: `${server.url}/again`, idempotent: true },
        "bank.once": { ...operation, url: `${server.url}/once` },
      },
      tenants: { "*": ["bank.*"] },
      privateAddresses: [server.address],
    }),
  );
  const start = () =>
    KillableService.start({
      kvPath: `${folder}/data.sqlite3`,
      leaseMs: LEASE_MS,
      env: { LANGUAGES: "javascript", TOOLS: path, BANK_KEY: CANARY },
    });
  let service = await start();

  /** Sends the same request until it is answered, to the service that is there. */
  const send = async (target: string, body?: unknown, key?: string): Promise<unknown> => {
    for (;;) {
      try {
        const answer = await fetch(`${service.url}${target}`, {
          method: body === undefined ? "GET" : "POST",
          headers: {
            "content-type": "application/json",
            ...(key === undefined ? {} : { "idempotency-key": key }),
          },
          body: body === undefined ? null : JSON.stringify(body),
        });
        const value: unknown = await answer.json();
        if (answer.status === 200) return value;
        assert(answer.status === 503 || answer.status === 409, JSON.stringify(value));
        await pause(100);
      } catch (thrown) {
        if (!(thrown instanceof TypeError)) throw thrown;
        await Promise.all(killing.splice(0));
        await service.ended();
        service = await start();
      }
    }
  };

  for (let round = 0; round < ROUNDS; round++) {
    const n = below(CALLS);
    const moment = MOMENTS[round % MOMENTS.length] ?? "while";
    planned = { call: `${round}/${n}`, moment };
    const code = CODE.replace("ROUND", `${round}`);
    const request = { code, tools: ["bank.*"] };
    const { error, results } = stateSchema.parse(
      await send(`${BOX}/execute`, request, `round-${round}`),
    );
    // the kill may come after the last answer
    await Promise.all(killing.splice(0));
    const about = `round ${round}, ${moment} call ${n}`;
    assertEquals(error, undefined, about);
    const out = results[0]?.json ?? [];
    const disturbed: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      const times = performed.get(`${round}/${call}`) ?? 0;
      const kind = call % 2 === 0 ? "again" : "once";
      const isUnknown = kind === "once" && out[call] === "unknown";
      if (times !== 1 || isUnknown) disturbed.push(call);
      if (isUnknown) assert(times <= 1, `${about}: call ${call} was made ${times} times`);
      else assertEquals(out[call], kind, about);
      if (kind === "again") assert(times >= 1, about);
      else assert(times <= 1, about);
    }
    // a kill after the answer may come in a later call
    const isExpected = disturbed.every((call) => call === n || (moment === "after" && call > n));
    assert(disturbed.length <= 1 && isExpected, `${about}: ${disturbed} were disturbed`);
    const { runs } = runsSchema.parse(await send(`${BOX}/runs`));
    const { calls } = journalSchema.parse(await send(`/journal/${runs[0]?.id}`));
    assertEquals(
      calls.map(({ outcome }) => outcome),
      out.map((value) => value === "unknown" ? "unknown" : "value"),
      about,
    );
    unknown += out.filter((value) => value === "unknown").length;
  }
  assertEquals(kills, ROUNDS);
  const told = `${kills} kills, ${unknown} calls of an unknown outcome\n`;
  await Deno.stdout.write(new TextEncoder().encode(told));
  await service[Symbol.asyncDispose]();
  for (const { headers } of server.seen) assertEquals(headers.get("x-key"), CANARY);
  const { plain, inflated } = await textsInStore(`${folder}/data.sqlite3`, [CANARY, "[secret]"]);
  assertEquals([...plain, ...inflated].includes(CANARY), false);
  assert([...plain, ...inflated].includes("[secret]")); // the search finds a text that is there
  await Deno.remove(folder, { recursive: true });
});
