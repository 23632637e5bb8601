// test: long
/** The whole client against the real service over HTTP, in Deno and in Node. */
import { assertEquals, assertRejects } from "@std/assert";
import { connect, getSandbox, runCode, SandboxError } from "../../client/mod.ts";
import { count } from "../support/counts.ts";
import { FUEL } from "../../shared/limits.ts";
import { startService } from "../support/service.ts";
import { ALL_CASES } from "./conformance/all_cases.ts";
import { ENGINE_CASES } from "./conformance/engine_cases.ts";
import { nodeConformance } from "./node_conformance.ts";

const TOKEN = "a-token-of-the-tests";
const OTHER = "a-token-of-somebody-else";
const CASES = [...ALL_CASES, ...ENGINE_CASES];
const IS_WHOLE = count(0, 1) === 1;

Deno.test("client, real service", async (test) => {
  await using service = await startService({
    TOKENS: `tenant:${TOKEN},other:${OTHER}`,
    // a run that is aborted after 0.3 s must not reach its limit meanwhile, on a busy machine too
    FUEL_JAVASCRIPT: String(FUEL.javascript / 16),
  });
  const env = connect(service.url, { token: TOKEN });
  for (const { name, run } of CASES) await test.step(name, () => run(env));

  // the others pass in Node against the fake: node_test.ts
  await test.step("the same cases in Node, or those that need engines", async () => {
    const which = IS_WHOLE ? "both" : "engines";
    const { ran, failed } = await nodeConformance(service.url, TOKEN, which);
    assertEquals([ran, failed], [(IS_WHOLE ? CASES : ENGINE_CASES).length, []]);
  });

  await test.step("a missing or wrong token is UNAUTHORIZED, for runs and for sandboxes", async () => {
    for (const token of [undefined, "wrong", TOKEN.slice(1)]) {
      const { PYTHON, Sandbox } = connect(service.url, { token });
      const sandbox = getSandbox(Sandbox, "ada");
      for (const call of [() => runCode(PYTHON, "1"), () => sandbox.info()]) {
        const error = await assertRejects(call, SandboxError);
        assertEquals([error.code, error.httpStatus], ["UNAUTHORIZED", 401]);
      }
    }
  });

  await test.step("the same sandbox id of another tenant is another sandbox", async () => {
    await using own = getSandbox(env.Sandbox, "shared", { ephemeral: true });
    await own.files.write("secret.txt", "mine");
    const { id } = await own.interpreter.createCodeContext({ binding: "JAVASCRIPT" });
    const stranger = getSandbox(connect(service.url, { token: OTHER }).Sandbox, "shared");
    assertEquals((await stranger.info()).createdAt, null);
    assertEquals(await stranger.files.exists("secret.txt"), false);
    const steal = () => stranger.interpreter.deleteCodeContext(id);
    assertEquals((await assertRejects(steal, SandboxError)).code, "CONTEXT_NOT_FOUND");
    await stranger.destroy();
    assertEquals(await own.files.read("secret.txt"), "mine");
  });

  await test.step("the listing has every sandbox of the tenant once, and its usage", async () => {
    const mark = crypto.randomUUID().slice(0, 8);
    const names = ["c", "a", "b"].map((name) => `${mark}-${name}`);
    for (const name of names) await getSandbox(env.Sandbox, name).files.upload("x", "12345");
    for (const limit of [1, 2, 100, undefined]) {
      const listed = [];
      for await (const entry of env.Sandbox.list({ limit })) {
        if (entry.id.startsWith(mark)) listed.push(entry);
      }
      assertEquals(listed.map(({ id }) => id), names.toSorted());
      assertEquals(listed.map(({ contexts, files, bytes }) => [contexts, files, bytes]), [
        [0, 1, 5],
        [0, 1, 5],
        [0, 1, 5],
      ]);
      assertEquals(listed.every(({ createdAt }) => createdAt instanceof Date), true);
    }
    const { sandboxes, maxSandboxes, bytes, maxBytes } = await env.Sandbox.usage();
    assertEquals(sandboxes >= 3 && sandboxes <= maxSandboxes, true);
    assertEquals(bytes >= 15 && bytes <= maxBytes, true);
    const stranger = connect(service.url, { token: OTHER });
    for await (const { id } of stranger.Sandbox.list()) assertEquals(id.startsWith(mark), false);
    for (const name of names) await getSandbox(env.Sandbox, name).destroy();
  });

  await test.step("the probe of a language is read from the listing", async () => {
    const probe = await (await env.RUBY.fetch(new Request("http://x/interpreter"))).json();
    assertEquals([probe.language, probe.protocol], ["ruby", 1]);
  });
});
