// test: long
/** The use of two tenants adds up to the unit of fuel, over restarts (docs/operating.md). */
import { assertEquals, assertGreater } from "@std/assert";
import { connect, type ExecutionResult, getSandbox, runCode } from "../../client/mod.ts";
import { count } from "../support/counts.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { type Service, startService } from "../support/service.ts";
import { temporaryFolder } from "../client/deno_command.ts";

const RUNS = count(1_000, 10_000);
const STARTS = 2;
const CALLERS = 4;
const ADMIN = "a-token-of-an-admin";
/** Programs of different cost; some fail, and one reaches its limit of fuel. */
const PROGRAMS = [
  "1",
  "let sum = 0; for (let i = 0; i < 500; i++) sum += i; sum",
  "console.log('a'); throw new Error('no')",
  "[...'abc'].map((c) => c + c)",
  "while (true) {}",
];

/** A tenant, and the sum of the usage of all its answers. */
class Tenant {
  readonly name: string;
  runs = 0;
  fuel = 0;

  constructor(name: string) {
    this.name = name;
  }

  get token(): string {
    return `a-token-of-${this.name}`;
  }

  add({ usage }: ExecutionResult): void {
    this.runs++;
    this.fuel += usage?.fuelConsumed ?? NaN;
  }

  /** Makes runs: without a context, in contexts, streamed, and repeated with their key. */
  async work(service: Service, runs: number, below: (end: number) => number): Promise<void> {
    const env = connect(service.url, { token: this.token });
    const sandbox = getSandbox(env.Sandbox, `box-${below(3)}`);
    for (let made = 0; made < runs; made++) {
      const code = PROGRAMS[below(PROGRAMS.length)] ?? "1";
      const limits = { fuel: 20_000_000 };
      const streamed = below(3) === 0 ? { onStdout: () => undefined } : {};
      this.add(
        await (below(3) > 0
          ? runCode(env.JAVASCRIPT, code, { limits, ...streamed })
          : sandbox.interpreter.runCode(code, { binding: "JAVASCRIPT", limits, ...streamed })),
      );
    }
  }
}

async function usageFor(service: Service, token: string) {
  const headers = { authorization: `Bearer ${token}` };
  return await (await fetch(`${service.url}/usage`, { headers })).json();
}

Deno.test(`usage: ${RUNS} runs of two tenants add up to the unit, over restarts`, async () => {
  const below = seededBelow(printedSeed("usage"));
  await using folder = await temporaryFolder();
  const tenants = ["ann", "bob"].map((name) => new Tenant(name));
  const env = {
    KV_PATH: `${folder.path}/kv.sqlite3`,
    LANGUAGES: "javascript",
    TOKENS: [...tenants.map(({ name, token }) => `${name}:${token}`), `admin:${ADMIN}:admin`]
      .join(),
  };
  for (let start = 1; start <= STARTS; start++) {
    await using service = await startService(env);
    const runs = RUNS / STARTS / CALLERS;
    await Promise.all(
      Array.from(
        { length: CALLERS },
        (_, n) => tenants[n % tenants.length]?.work(service, runs, below),
      ),
    );
    for (const { name, token, runs, fuel } of tenants) {
      const { tenant, runs: counted, fuelConsumed } = await usageFor(service, token);
      assertEquals([tenant, counted, fuelConsumed], [name, runs, fuel]);
      assertGreater(fuel, 0);
    }
  }
  await using service = await startService(env);
  const { tenants: all } = await usageFor(service, ADMIN);
  assertEquals(
    all.map(({ tenant, runs, fuelConsumed }: Record<string, unknown>) => [
      tenant,
      runs,
      fuelConsumed,
    ]),
    tenants.map(({ name, runs, fuel }) => [name, runs, fuel]),
  );
  assertEquals(tenants.reduce((sum, { runs }) => sum + runs, 0), RUNS);
});
