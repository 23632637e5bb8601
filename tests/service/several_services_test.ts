// test: long
/**
 * Two and four services on one PostgreSQL behind Caddy, which sends each sandbox to one of them, with
 * the configuration of docs/operating.md. Services are killed.
 */
import { assert, assertEquals, assertGreater } from "@std/assert";
import { hasCaddy, startCaddy } from "../support/caddy.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";
import { postgresStorm, type StormServices } from "../support/postgres_storm.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { callJson, startProgram } from "../support/program.ts";
import type { Service } from "../support/service.ts";
import { pause, until } from "../support/wait.ts";

const SANDBOXES = 12;
const RUNS = 3;
const ROUTE = "/languages/:language/sandboxes/:sandbox/execute";
/** Longer than the proxy needs to see that a service is gone. */
const HEALTH_MS = 3_000;

function servicesTest(name: string, fn: (test: Deno.TestContext) => Promise<void>): void {
  if (hasCaddy()) postgresTest(name, fn);
  else Deno.test({ name: `${name} (needs caddy)`, ignore: true, fn });
}

/** Runs that each service has answered, by its access log. */
function runsOf(services: readonly Service[]): readonly number[] {
  return services.map((service) => service.output().split(`"route":"${ROUTE}"`).length - 1);
}

servicesTest(
  "several services: each sandbox stays with one service, and several have some",
  async () => {
    await using server = await PostgresServer.start({ fsync: "off" });
    await using running = new AsyncDisposableStack();
    const services: Service[] = [];
    for (let n = 0; n < 4; n++) {
      const env = { KV_PATH: server.url(), LANGUAGES: "javascript", ACCESS_LOG: "1" };
      services.push(running.use(await startProgram({ env })));
    }
    await using proxy = await startCaddy(services.map(({ url }) => url));
    const step = async (box: number) => {
      const code = "globalThis.n = (globalThis.n ?? 0) + 1";
      const url = `${proxy.url}/languages/javascript/sandboxes/box-${box}/execute`;
      const { status, body } = await callJson(url, { code });
      assertEquals(status, 200);
      return Number(JSON.parse(JSON.stringify(body))["results"][0]["text"]);
    };
    let before = runsOf(services);
    for (let box = 0; box < SANDBOXES; box++) {
      for (let run = 1; run <= RUNS; run++) assertEquals(await step(box), run);
      const sum = () => runsOf(services).reduce((total, count) => total + count, 0);
      await until(() => sum() === RUNS * (box + 1));
      const now = runsOf(services);
      const added = now.map((count, at) => count - (before[at] ?? 0)).filter((count) => count > 0);
      assertEquals(added, [RUNS]);
      before = now;
    }
    assert(before.filter((count) => count > 0).length > 1, JSON.stringify(before));

    // the others answer for a service that is gone, with the state that it stored
    await services[0]?.end("SIGKILL");
    await pause(HEALTH_MS);
    for (let box = 0; box < SANDBOXES; box++) assertEquals(await step(box), RUNS + 1);
  },
);

for (const count of [2, 4]) {
  servicesTest(
    `several services: one of ${count} is killed: nothing is lost or done twice`,
    async () => {
      const below = seededBelow(printedSeed(`${count} services`));
      await using server = await PostgresServer.start();
      const nothing = () => Promise.resolve();
      const kill = (services: StormServices) => services.kill(below(services.count));
      const { wrong, answered } = await postgresStorm({
        url: server.url(),
        services: count,
        proxy: startCaddy,
        below,
        events: [nothing, kill, nothing, nothing],
        repeats: true,
      });
      assertEquals(wrong, []);
      assertGreater(answered, 0);
    },
  );
}
