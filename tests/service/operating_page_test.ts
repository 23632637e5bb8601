// test: long
/**
 * The commands of docs/operating.md for one machine, for several, and after a failure: each block of
 * the three sections runs, in its order.
 */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { temporaryFolder } from "../client/deno_command.ts";
import { hasCaddy, startCaddy } from "../support/caddy.ts";
import {
  commandsOf,
  exportsOf,
  type Replacements,
  runBlock,
  serveBlock,
  type Variables,
} from "../support/page_commands.ts";
import { PostgresServer, postgresTest } from "../support/postgres.ts";
import { freePort } from "../support/program.ts";
import { TcpProxy } from "../support/tcp_proxy.ts";
import { until } from "../support/wait.ts";

const ONE = "One machine, in order";
const SEVERAL = "Several machines, in order";
const FAILURE = "After a failure, in order";

/** A folder for data and one for backups, and the page's texts for one machine. */
async function oneMachine() {
  const folder = await temporaryFolder();
  for (const name of ["data", "backup"]) await Deno.mkdir(`${folder.path}/${name}`);
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const replacements: Replacements = {
    "/var/lib/belljar": `${folder.path}/data`,
    "/backup": `${folder.path}/backup`,
    "http://127.0.0.1:8000": url,
    "PORT=8000": `PORT=${port}`,
  };
  return { folder, url, replacements };
}

function hasPrograms(names: readonly string[]): boolean {
  return names.every((name) =>
    (Deno.env.get("PATH") ?? "").split(":").some((folder) => {
      try {
        return Deno.statSync(`${folder}/${name}`).isFile;
      } catch {
        return false;
      }
    })
  );
}

/** The text of the first result of an answer. */
function valueOf(answer: string): string {
  return JSON.parse(answer).results[0].text;
}

/** Runs the page's calls through the proxy, and gives the counter of the context. */
function stepThrough(calls: string, proxy: string, env: Variables) {
  const sent = calls.replaceAll("https://belljar.example", proxy);
  const [ready = "", ...call] = sent.split("\n");
  return async (services: "both ready" | "one ready") => {
    if (services === "both ready") await runBlock(ready, env);
    return valueOf(await runBlock(call.join("\n"), env));
  };
}

Deno.test({
  name: "operating page: one machine starts, is killed, and is restored from its backup",
  ignore: !hasPrograms(["bash", "curl", "openssl", "sqlite3"]),
  fn: async () => {
    const { folder, url, replacements } = await oneMachine();
    await using _ = folder;
    const [settings = "", start = "", calls = "", backup = "", ...more] = await commandsOf(
      ONE,
      replacements,
    );
    assertEquals(more, []);
    const [repeat = "", , , usage = "", restore = ""] = await commandsOf(FAILURE, replacements);
    const env = await exportsOf(settings, {});
    {
      await using service = await serveBlock(start, env, url);
      assertStringIncludes(await runBlock(calls, env), '"42"');
      const first = await runBlock(repeat, env);
      assertEquals(valueOf(first), "1");
      await runBlock(backup, env);
      await service.end("SIGKILL");
      await using again = await serveBlock(start, env, url);
      assertEquals(await runBlock(repeat, env), first);
      assertStringIncludes(await runBlock(usage, env), "box");
      await again.end("SIGTERM");
    }
    await Deno.writeTextFile(env["KV_PATH"] ?? "", "damaged");
    assertStringIncludes(await runBlock(restore, env), "0 problems");
    await using _service = await serveBlock(start, env, url);
    assertEquals(valueOf(await runBlock(repeat, env)), "1");
    const another = repeat.replace("order-17", "order-18");
    assertEquals(valueOf(await runBlock(another, env)), "2");
  },
});

const several = "operating page: several machines go on without a service and without the primary";
const programs = ["bash", "curl", "openssl", "psql", "pg_dump", "pg_restore"];

if (!hasCaddy() || !hasPrograms(programs)) {
  Deno.test({ name: `${several} (needs caddy, ${programs.join(", ")})`, ignore: true, fn() {} });
} else {
  postgresTest(several, async () => {
    const { folder, url, replacements } = await oneMachine();
    await using _ = folder;
    await using primary = await PostgresServer.start();
    await using standby = await primary.standby("one");
    await primary.sql("ALTER SYSTEM SET synchronous_standby_names = 'one'");
    await primary.sql("SELECT pg_reload_conf()");
    await using address = new TcpProxy(new URL(primary.url()), () => 0);
    const [one, two] = [freePort(), freePort()];
    const addressPort = new URL(address.url).port;
    const machines: Replacements = {
      ...replacements,
      "--host=10.0.0.10": `--host=127.0.0.1 --port=${addressPort}`,
      "--host=10.0.0.20": `--host=127.0.0.1 --port=${standby.port}`,
      "10.0.0.10:5432": `127.0.0.1:${addressPort}`,
      "HOST=10.0.0.11": `HOST=127.0.0.1 PORT=${one}`,
      "HOST=10.0.0.12": `HOST=127.0.0.1 PORT=${two}`,
      "10.0.0.11:8000": `127.0.0.1:${one}`,
      "10.0.0.12:8000": `127.0.0.1:${two}`,
    };
    const [firstUrl, secondUrl] = [`http://127.0.0.1:${one}`, `http://127.0.0.1:${two}`];

    // a service on one machine, whose data move
    const [oneSettings = "", oneStart = "", , ...others] = await commandsOf(ONE, replacements);
    assertEquals(others.length, 1);
    const oneEnv = await exportsOf(oneSettings, {});
    {
      await using service = await serveBlock(oneStart, oneEnv, url);
      const step = (await commandsOf(FAILURE, replacements))[0] ?? "";
      await runBlock(step.replaceAll("orders", "n"), oneEnv);
      await service.end("SIGTERM");
    }

    const [settings = "", database = "", first = "", second = "", calls = "", dump = "", ...more] =
      await commandsOf(SEVERAL, machines);
    assertEquals(more, []);
    const [, promote = "", connected = "", , , restore = "", ...rest] = await commandsOf(
      FAILURE,
      machines,
    );
    assertEquals(rest, []);
    const env = await exportsOf(settings, { TOKEN: oneEnv["TOKEN"] ?? "" });

    await primary.sql("DROP DATABASE belljar", "postgres");
    await runBlock(database, env);
    {
      await using machineOne = await serveBlock(first, env, firstUrl);
      await using machineTwo = await serveBlock(second, env, secondUrl);
      await using proxy = await startCaddy([firstUrl, secondUrl]);
      const step = stepThrough(calls, proxy.url, env);
      assertEquals(await step("both ready"), "2");
      await runBlock(dump, env);

      await machineOne.end("SIGKILL");
      await until(() => step("one ready").then((text) => text === "3", () => false));
      await using again = await serveBlock(first, env, firstUrl);

      await primary.stop("immediate");
      await runBlock(promote, env);
      address.move(standby.port);
      assertStringIncludes(await runBlock(connected, env), "0 problems");
      const seen = new Set<string>();
      await until(() => step("both ready").then((text) => seen.add(text).size > 0, () => false));
      assertEquals([...seen], ["4"]);
      for (const service of [machineTwo, again]) await service.end("SIGTERM");
    }
    await standby.sql("DROP DATABASE belljar WITH (FORCE)", "postgres");
    assertStringIncludes(await runBlock(restore, env), "0 problems");
    await using _one = await serveBlock(first, env, firstUrl);
    await using _two = await serveBlock(second, env, secondUrl);
    await using proxy = await startCaddy([firstUrl, secondUrl]);
    assertEquals(await stepThrough(calls, proxy.url, env)("both ready"), "3");
  });
}
