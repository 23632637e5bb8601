// test: long
/** A service whose store does not answer, from start to stop. */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { AVAILABLE_LANGUAGES, createRuntimes } from "../../runtimes/create_runtimes.ts";
import { readConfig } from "../../service/config.ts";
import { startService } from "../../service/service.ts";
import { STOP_GRACE_MS } from "../../shared/limits.ts";
import { SilentStore } from "../store/silent_store.ts";
import { NotStarted, startProgram } from "../support/program.ts";
import { until } from "../support/wait.ts";

const ANSWER_TIMES = { readMs: 300, writeMs: 500 };

/** Does something with a service whose store can fall silent. */
async function withSilent(
  work: (url: string, silent: SilentStore, stop: () => Promise<void>) => Promise<void>,
): Promise<void> {
  const env = { PORT: "0", KV_PATH: ":memory:", LANGUAGES: "javascript" };
  const config = readConfig(env, { available: AVAILABLE_LANGUAGES, cores: 2 });
  const made: { readonly silent: SilentStore; readonly close: () => void }[] = [];
  const service = await startService(config, {
    createRuntimes,
    hooks: {
      answerTimes: ANSWER_TIMES,
      wrapStore: (kv) => {
        const silent = new SilentStore(kv);
        made.push({ silent, close: () => kv.close() });
        return silent;
      },
    },
  }, () => undefined);
  const [store] = made;
  assert(store !== undefined);
  const { silent, close } = store;
  try {
    await work(service.server.url, silent, () => service.stop());
  } finally {
    await service.stop();
    await silent.comeBack();
    close();
  }
}

async function healthOf(url: string): Promise<readonly [number, unknown, unknown]> {
  const answer = await fetch(`${url}/healthz`);
  const { status, failing } = await answer.json();
  return [answer.status, status, failing];
}

Deno.test("store outage: contexts are refused immediately, the rest continues, and its return is noticed", () =>
  withSilent(async (url, silent) => {
    const env = connect(url);
    const { interpreter } = getSandbox(env.Sandbox, "box", { retry: false });
    const add = () =>
      interpreter.runCode("globalThis.n = (globalThis.n ?? 0) + 1; n", { binding: "JAVASCRIPT" });
    await add();
    assertEquals(await healthOf(url), [200, "ok", undefined]);
    silent.fallSilent(0, "done late");
    const refusals = async (count: number) => {
      const runs = await Promise.allSettled(Array.from({ length: count }, add));
      for (const run of runs) {
        assert(run.status === "rejected" && run.reason instanceof SandboxError);
        assertEquals([run.reason.httpStatus, run.reason.retryable], [503, true]);
        assertEquals(run.reason.context["limit"], "store");
      }
    };
    await refusals(40);
    assertEquals(await healthOf(url), [200, "degraded", ["store"]]);
    const { asked } = silent;
    await refusals(40);
    assertLess(silent.asked - asked, 10); // those that probe whether the store is back
    for (let n = 0; n < 5; n++) {
      assertEquals((await runCode(env.JAVASCRIPT, `${n}`)).results[0]?.text, String(n));
    }
    await silent.comeBack();
    await until(async () => (await healthOf(url))[1] === "ok");
    assertEquals((await add()).results[0]?.text, "2");
  }));

Deno.test("store outage: a service that stops meanwhile stops in time", () =>
  withSilent(async (url, silent, stop) => {
    const box = getSandbox(connect(url).Sandbox, "box", { retry: false });
    await box.files.write("a", "a");
    silent.fallSilent(0, "never done");
    const waiting = box.files.read("a").catch((thrown) => thrown);
    const began = performance.now();
    await stop();
    assertLess(performance.now() - began, STOP_GRACE_MS + 30_000); // on a busy machine
    assert(await waiting instanceof SandboxError);
  }));

Deno.test("store outage: a service does not start on a KV server that does not answer, and reports that", async () => {
  const server = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const accepted: Deno.Conn[] = [];
  const accepting = (async () => {
    for await (const connection of server) accepted.push(connection);
  })();
  const env = {
    KV_PATH: `http://127.0.0.1:${server.addr.port}`,
    DENO_KV_ACCESS_TOKEN: "a token of some length",
    MAX_WAIT_MS: "1",
  };
  const failure = await startProgram({ env }).catch((thrown) => thrown);
  server.close();
  for (const connection of accepted) connection.close();
  await accepting;
  assert(failure instanceof NotStarted);
  assertEquals(failure.code, 1);
  assertStringIncludes(
    failure.message,
    "KV_PATH cannot be opened: the KV server did not answer within 2 s",
  );
});
