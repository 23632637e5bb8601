// test: long
/**
 * Runs with `Idempotency-Key` and `If-Match` from a seed, good and bad ones, side by side with a
 * model that says which answers there may be.
 */
import { assert, assertEquals } from "@std/assert";
import { testGateway } from "../gateway/test_gateway.ts";
import { echoRuntime } from "../gateway/echo_runtime.ts";
import { fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seeded } from "../support/random.ts";
import { assertAnswer } from "./http_answers.ts";

const CASES = count(2_000, 20_000);
const KEYS = ["", "a b", "\u00ff", "x".repeat(256), "a, b", "\u007f"];
const MATCHES = ["", "0", '"', '"-1"', '"0', '"01"', "*, *", '"1" "2"', "\u00ff", '"x"', "W/1"];

type Random = () => number;

function pick<T>(random: Random, choices: readonly T[]): T {
  const chosen = choices[Math.floor(random() * choices.length)];
  if (chosen === undefined) throw new RangeError("nothing to choose from");
  return chosen;
}

interface Call {
  /** Undefined: none; null: a bad one. */
  readonly key: string | undefined | null;
  /** Numbers that are accepted. Undefined: any; null: malformed. */
  readonly match: readonly number[] | "*" | undefined | null;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** Undefined: a bad body. */
  readonly code: string | undefined;
}

function callOf(random: Random, runs: number): Call {
  const headers: Record<string, string> = { "content-type": "application/json" };
  let key: Call["key"];
  if (random() < 0.6) key = headers["idempotency-key"] = `key-${Math.floor(random() * CASES / 20)}`;
  if (random() < 0.05) [headers["idempotency-key"], key] = [pick(random, KEYS), null];
  let match: Call["match"];
  if (random() < 0.3) {
    const numbers = Array.from(
      { length: 1 + Math.floor(random() * 3) },
      () => Math.max(0, runs + Math.floor(random() * 3) - 1),
    );
    const weak = numbers.map(() => random() < 0.1);
    match = numbers.filter((_, index) => !weak[index]);
    headers["if-match"] = numbers.map((n, index) => `${weak[index] ? "W/" : ""}"${n}"`).join(", ");
  }
  if (random() < 0.05) [headers["if-match"], match] = ["*", "*"];
  if (random() < 0.05) [headers["if-match"], match] = [pick(random, MATCHES), null];
  const code = random() < 0.97
    ? pick(random, ["n = 1", "throw no", "limit", "print é"])
    : undefined;
  const body = code === undefined
    ? pick(random, ["{", "[]", "{}", '{"code":1}'])
    : JSON.stringify({ code });
  return { key, match, headers, body, code };
}

const SEED = printedSeed("repeats");

Deno.test(`hostile http: ${CASES} runs with odd keys and conditions, each answered as a model says`, () =>
  withStore(async (store) => {
    const errors: string[] = [];
    const log = (level: string, event: string) => void (level === "error" && errors.push(event));
    const gateway = testGateway({
      sandboxes: sandboxProcess(store, { runtimes: fakeRuntimes(), log }),
      runtimes: new Map([["python", echoRuntime("python")]]),
      log,
    });
    const random = seeded(SEED);
    const kept = new Map<string, { readonly code: string; readonly text: string }>();
    const statuses = new Map<number, number>();
    let runs = 0;
    for (let index = 0; index < CASES; index++) {
      const call = callOf(random, runs);
      const { headers, body } = call;
      const url = "http://localhost:8000/languages/python/sandboxes/box/execute";
      const answer = await gateway(new Request(url, { method: "POST", headers, body }));
      const text = await answer.text();
      const { status } = answer;
      const what = `case ${index}: ${JSON.stringify(headers)} ${body}: ${text.slice(0, 300)}`;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      await assertAnswer("POST", { status, headers: answer.headers, text });
      const before = typeof call.key === "string" ? kept.get(call.key) : undefined;
      const expected = expectedStatus(call, runs, before?.code);
      assertEquals([status, errors], [expected, []], what);
      const replayed = answer.headers.get("idempotency-replayed");
      assertEquals(replayed, status === 200 && before !== undefined ? "true" : null, what);
      if (status !== 200) continue;
      if (before !== undefined) {
        assertEquals(text, before.text, what);
        continue;
      }
      assertEquals(JSON.parse(text).executionCount, ++runs, what);
      if (typeof call.key === "string") kept.set(call.key, { code: call.code ?? "", text });
    }
    for (const status of [200, 400, 409, 412]) assert((statuses.get(status) ?? 0) > CASES / 200);
  }));

function expectedStatus(
  { key, match, code }: Call,
  runs: number,
  before: string | undefined,
): number {
  if (key === null || match === null || code === undefined) return 400;
  if (before !== undefined) return before === code ? 200 : 409;
  if (match === undefined || (match === "*" && runs > 0)) return 200;
  return match !== "*" && match.includes(runs) ? 200 : 412;
}
