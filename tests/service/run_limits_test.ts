// test: long
/** Limits that a caller asks for, over HTTP, with real interpreters. */
import { assert, assertEquals, assertLess } from "@std/assert";
import type { ExecutionResult, RunLimits } from "../../client/protocol/types.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
  isBundled,
  languagesWithContexts,
} from "../../shared/languages.ts";
import { FUEL } from "../../shared/limits.ts";
import { callJson } from "../support/program.ts";
import { SERVICE_LIMITS } from "../support/run_limits.ts";
import { startService } from "../support/service.ts";
import { until } from "../support/wait.ts";
import { jsonPost } from "../support/json_post.ts";

interface Programs {
  readonly endless: string;
  /** Sleeps for a minute of virtual time. */
  readonly sleep: string;
  /** Keeps 1 in a variable, and returns it. */
  readonly keep: string;
  /** Changes the variable, and never ends. */
  readonly spoil: string;
  readonly show: string;
}

const PROGRAMS: Readonly<Record<Language, Programs>> = {
  javascript: {
    endless: "for (;;);",
    sleep: "await new Promise((done) => setTimeout(done, 60_000))",
    keep: "let n = 1; n",
    spoil: "n = 2; for (;;);",
    show: "n",
  },
  python: {
    endless: "while True: pass",
    sleep: "import time; time.sleep(60)",
    keep: "n = 1\nn",
    spoil: "n = 2\nwhile True: pass",
    show: "n",
  },
  perl: {
    endless: "1 while 1;",
    sleep: "sleep 60;",
    keep: "my $n = 1; $n",
    spoil: "$n = 2; 1 while 1;",
    show: "$n",
  },
  ruby: {
    endless: "loop {}",
    sleep: "sleep 60",
    keep: "n = 1",
    spoil: "n = 2; loop {}",
    show: "n",
  },
};

type Run = (code: string, limits?: RunLimits) => Promise<ExecutionResult>;

function runAt(path: string): Run {
  return async (code, limits) => {
    const answer = await fetch(path, jsonPost({ code, limits }));
    const result: ExecutionResult = await answer.json();
    assertEquals(answer.status, 200, JSON.stringify(result));
    return result;
  };
}

/** How a run ended, and the fuel that it had. */
function told({ error, usage }: ExecutionResult) {
  return [error?.name, error?.message, usage?.fuelLimit];
}

const FEW = 60_000_000;

Deno.test("service: a run ends at its requested limits, in every language", async (t) => {
  await using service = await startService({ ...SERVICE_LIMITS, ISOLATES: "1" });
  for (const language of LANGUAGES) {
    const { endless, sleep, keep } = PROGRAMS[language];
    const run = runAt(`${service.url}/execute/${language}`);
    const most = FUEL[language];

    await t.step(`${language}: fuel`, async () => {
      const ended = await run(endless, { fuel: FEW });
      assertEquals(told(ended), ["ExecutionLimitError", `Fuel limit reached: ${FEW} units`, FEW]);
      assert((ended.usage?.fuelConsumed ?? 0) <= FEW);
      assertEquals(told(await run(keep)), [undefined, undefined, most]);
    });
    await t.step(`${language}: the minimum fuel`, async () => {
      const ended = await run(keep, { fuel: 1 });
      assertEquals(told(ended), ["ExecutionLimitError", "Fuel limit reached: 1 units", 1]);
      assertEquals(told(await run(keep)), [undefined, undefined, most]);
    });
    await t.step(`${language}: the wall clock, of virtual sleep`, async () => {
      const ended = await run(sleep, { wallMs: 50_000 });
      assertEquals(
        told(ended),
        ["ExecutionLimitError", "Wall clock limit reached: 50000 ms", most],
      );
      assertLess(ended.durationMs, 50_000);
    });
    await t.step(`${language}: the wall clock, of real time`, async () => {
      const ended = await run(endless, { wallMs: 300 });
      const message = "Wall clock limit reached: 300 ms";
      assertEquals(told(ended), ["ExecutionLimitError", message, undefined]);
      assertEquals(told(await run(keep)), [undefined, undefined, most]);
    });
    await t.step(`${language}: the service's limits are the maximum`, async () => {
      const wallMs = Number(SERVICE_LIMITS["WALL_MS"]);
      const ended = await run(keep, { fuel: most, wallMs });
      assertEquals(told(ended), [undefined, undefined, most]);
      const url = `${service.url}/execute/${language}`;
      for (const [name, value] of Object.entries({ fuel: most + 1, wallMs: wallMs + 1 })) {
        const { status, body } = await callJson(url, { code: keep, limits: { [name]: value } });
        assertEquals(status, 400);
        assertEquals(body["message"], `limits.${name} must be at most ${value - 1}`);
      }
    });
  }
});

Deno.test("service: the default fuel is enough for a loop over a hundred million numbers in JavaScript", async () => {
  await using service = await startService({ ...SERVICE_LIMITS, LANGUAGES: "javascript" });
  const run = runAt(`${service.url}/execute`);
  const fuelOf = async (numbers: number) => {
    const { usage } = await run(`let sum = 0; for (let n = 0; n < ${numbers}; n++) sum += n; sum`);
    return usage?.fuelConsumed ?? NaN;
  };
  const perNumber = (await fuelOf(2_000_000) - await fuelOf(1_000_000)) / 1_000_000;
  assertLess(perNumber * 100_000_000, FUEL.javascript / 2);
});

Deno.test("service: a run in a context that reaches its requested limit is rolled back", async (t) => {
  await using service = await startService({ ...SERVICE_LIMITS, ISOLATES: "1" });
  for (const language of languagesWithContexts([]).filter(isBundled)) {
    await t.step(language, async () => {
      const { keep, spoil, show } = PROGRAMS[language];
      const path = `${service.url}/languages/${language}/sandboxes/${language}/execute`;
      const run = runAt(path);
      assertEquals((await run(keep)).results, [{ text: "1" }]);
      const byFuel = await run(spoil, { fuel: FEW });
      assertEquals(byFuel.error?.message, `Fuel limit reached: ${FEW} units`);
      assertEquals([byFuel.context?.rolledBack, byFuel.usage?.fuelLimit], [true, FEW]);
      const byTime = await run(spoil, { wallMs: 300 });
      assertEquals(byTime.error?.message, "Wall clock limit reached: 300 ms");
      assertEquals([byTime.context?.rolledBack, byTime.executionCount], [true, 3]);
      const least = await run(show, { fuel: 1 });
      assertEquals([least.error?.message, least.context?.rolledBack], [
        "Fuel limit reached: 1 units",
        true,
      ]);
      const after = await run(show);
      assertEquals([after.results, after.executionCount], [[{ text: "1" }], 5]);
      assertEquals(after.usage?.fuelLimit, FUEL[language]);
    });
  }
  await t.step("ruby, which has no contexts", async () => {
    const run = runAt(`${service.url}/languages/ruby/sandboxes/ruby/execute`);
    const ended = await run(PROGRAMS.ruby.endless, { fuel: FEW });
    assertEquals(told(ended), ["ExecutionLimitError", `Fuel limit reached: ${FEW} units`, FEW]);
  });
});

Deno.test("service: a tenant gets 429 when its killed runs took too many seconds, and no other tenant does", async () => {
  await using service = await startService({
    ...SERVICE_LIMITS,
    LANGUAGES: "javascript",
    ISOLATES: "2",
    TOKENS: "a:alpha,b:beta",
    MAX_KILLED_SECONDS_PER_MINUTE: "4",
  });
  const call = (path: string, token: string, body: object) =>
    callJson(service.url + path, body, { headers: { authorization: `Bearer ${token}` } });
  const { endless } = PROGRAMS.javascript;
  const box = "/languages/javascript/sandboxes/box/execute";
  // stateless and in a context, each a part of the seconds that are allowed
  for (const path of ["/execute", box]) {
    const { status, body } = await call(path, "alpha", { code: endless, limits: { wallMs: 500 } });
    assertEquals([status, body["usage"]], [200, undefined]);
  }
  assertEquals((await call("/execute", "alpha", { code: "1" })).status, 200);
  await until(async () =>
    (await call(box, "alpha", { code: endless, limits: { wallMs: 1_000 } })).status === 429
  );
  for (const path of ["/execute", box]) {
    const { status, body } = await call(path, "alpha", { code: "1" });
    assertEquals([status, body["code"]], [429, "RATE_LIMITED"]);
    const context = Object(body["context"]);
    assertEquals(context.limit, "killed seconds");
    assert(context.retryAfterMs > 0 && context.retryAfterMs <= 60_000);
    assertEquals((await call(path, "beta", { code: "1" })).status, 200);
  }
});
