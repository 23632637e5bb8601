// test: long
import { assert, assertEquals, assertLess } from "@std/assert";
import { atWork, isAlive, processTree } from "../support/process.ts";
import { callJson, freePort, NotStarted, startOnPort } from "../support/program.ts";
import { prepareCheckout } from "./checkout.ts";

const TOKEN = "a-token-of-the-test";
const CALLER = { headers: { authorization: `Bearer ${TOKEN}` } };
/** The time that a platform gives a process to end. */
const PLATFORM_MS = 5_000;
const PROGRAMS = { javascript: "6 * 7", python: "6 * 7", perl: "6 * 7", ruby: "6 * 7" };

async function refusalOf(start: Promise<unknown>): Promise<NotStarted> {
  try {
    await start;
  } catch (thrown) {
    if (thrown instanceof NotStarted) return thrown;
    throw thrown;
  }
  throw new Error("It was started");
}

Deno.test("deploy: the service starts from a read-only checkout as a platform starts it", async (t) => {
  await using checkout = await prepareCheckout();
  const env = { DENO_DEPLOY: "1", KV_PATH: `${checkout.data}/data.sqlite3` };

  await t.step("the build needs no token and skips finished parts", async () => {
    assertEquals(await checkout.build({ DENO_DEPLOY: "1" }), "");
  });
  await t.step("without TOKENS the start is refused with a message", async () => {
    const { code, message } = await refusalOf(checkout.start(env));
    assertEquals(code, 1);
    assert(message.includes("TOKENS must be set because DENO_DEPLOY is set"), message);
  });

  let address = "";
  const one = await startOnPort(() => {
    address = `0.0.0.0:${freePort()}`;
    return checkout.start({ ...env, DENO_SERVE_ADDRESS: `tcp:${address}`, TOKENS: TOKEN });
  });
  const two = await checkout.start({ ...env, TOKENS: TOKEN });

  await t.step("the start builds nothing and listens at the platform's address", () => {
    assertEquals(one.output().includes("Building"), false);
    assertEquals(`0.0.0.0:${new URL(one.url).port}`, address);
  });
  await t.step("each language answers", async () => {
    for (const [language, code] of Object.entries(PROGRAMS)) {
      const { body } = await callJson(`${one.url}/execute/${language}`, { code }, CALLER);
      assertEquals([language, body["results"]], [language, [{ text: "42" }]]);
    }
  });
  await t.step("instances share contexts and files", async () => {
    const path = "/languages/python/sandboxes/box";
    await callJson(`${one.url}${path}/execute`, { code: "n = 0" }, CALLER);
    const add = ({ url }: { readonly url: string }) =>
      callJson(`${url}${path}/execute`, { code: "n += 1" }, CALLER);
    const runs = await Promise.all([one, two, one, two, one, two].map(add));
    assertEquals(runs.map(({ status }) => status), Array(6).fill(200));
    const { body } = await callJson(`${two.url}${path}/execute`, { code: "n" }, CALLER);
    assertEquals(body["results"], [{ text: "6" }]);
    await callJson(`${one.url}${path}/files`, { op: "write", path: "f", content: "x" }, CALLER);
    const read = await callJson(`${two.url}${path}/files`, { op: "read", path: "f" }, CALLER);
    assertEquals(read.body["content"], "x");
  });
  await t.step("SIGINT during a run ends the service in time, with all processes", async () => {
    const code = "for (let i = 0; i < 15e5; i++); 'whole'";
    const processes = await processTree(one.pid);
    const running = callJson(`${one.url}/execute`, { code }, CALLER);
    await atWork(processes.slice(1), 30);
    const began = performance.now();
    assertEquals(await one.end("SIGINT"), 0);
    assertLess(performance.now() - began, PLATFORM_MS);
    assertEquals((await running).body["results"], [{ text: "'whole'" }]);
    assert(processes.length > 1);
    for (const pid of processes) assertEquals(await isAlive(pid), false);
  });
  await t.step("other instances continue with all state", async () => {
    const path = `${two.url}/languages/python/sandboxes/box/execute`;
    assertEquals((await callJson(path, { code: "n" }, CALLER)).body["results"], [{ text: "6" }]);
  });
  assertEquals(await two.end("SIGINT"), 0);
});
