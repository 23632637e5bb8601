import { assert, assertEquals } from "@std/assert";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { type FarRuntime, NearEnd, serveFar, withFarSandbox } from "./ends.ts";

const EARLIER = "stdin is not supported by binding 'PYTHON': its runtime is of an earlier version";

/** A runtime that notes the bodies of stateless runs. */
function noting(runtime: FakeRuntime, bodies: unknown[]): FarRuntime {
  return {
    fetch: async (request) => {
      if (!request.url.endsWith("/execute")) return await runtime.fetch(request);
      const { code, stdin } = await request.json();
      bodies.push(stdin);
      const logs = { stdout: [], stderr: [] };
      const result = { code, language: "python", engine: "Fake 1", durationMs: 1, logs };
      return Response.json({ ...result, results: [] });
    },
    executeInContext: (key, args, getFiles) => runtime.executeInContext(key, args, getFiles),
  };
}

/** A stateless run; gives status and message. */
async function stateless({ binding }: NearEnd, fields: object) {
  const answer = await binding.fetch(
    new Request("http://runtime.internal/execute", {
      method: "POST",
      headers: { "content-type": "application/json", "x-belljar-tenant": "default" },
      body: JSON.stringify({ code: "1", ...fields }),
    }),
  ).catch((thrown) => Response.json(thrown.toBody(Date.now), { status: thrown.status }));
  return [answer.status, (await answer.json()).message];
}

Deno.test("remote stdin: any text arrives, in a context and without one", async () => {
  const runtime = new FakeRuntime("python");
  const bodies: unknown[] = [];
  await using far = serveFar(noting(runtime, bodies));
  using near = new NearEnd(far.url);
  await near.create();
  const texts = ["x", "a\r\n\0\ufeff𝄞\u2028", ",[{:".repeat(16_384), "\n".repeat(40_000)];
  for (const stdin of texts) {
    assert((await near.run("x = 1", { stdin })).ok);
    assertEquals(await stateless(near, { stdin }), [200, undefined]);
  }
  assert((await near.run("x = 1")).ok);
  assertEquals(await stateless(near, {}), [200, undefined]);
  assertEquals(runtime.runs.map(({ stdin }) => stdin), [...texts, undefined]);
  assertEquals(bodies, [...texts, undefined]);
});

Deno.test("remote stdin: the gateway reports an invalid value", async () => {
  const bodies: unknown[] = [];
  await using far = serveFar(noting(new FakeRuntime("python"), bodies));
  using near = new NearEnd(far.url);
  assertEquals(await stateless(near, { stdin: 1 }), [400, "stdin must be a string"]);
  assertEquals(await stateless(near, { stdin: "x".repeat(65_537) }), [
    413,
    "stdin is larger than 65536 bytes",
  ]);
  assertEquals(bodies, []);
});

Deno.test("remote stdin: a runtime refuses a text over the limit from any caller", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  const outcome = await near.run("x = 1", { stdin: "x".repeat(65_537) });
  assertEquals(outcome.ok ? 200 : outcome.status, 502);
  assertEquals(runtime.runs, []);
});

Deno.test("remote stdin: a runtime of an earlier version is not given such a run", async () => {
  for (const protocol of [1, 2, undefined]) {
    const runtime = new FakeRuntime("python");
    Object.assign(runtime, { protocol });
    const bodies: unknown[] = [];
    await using far = serveFar(noting(runtime, bodies));
    using near = new NearEnd(far.url);
    await near.create();
    for (let again = 0; again < 2; again++) {
      const outcome = await near.run("x = 1", { stdin: "x" });
      assertEquals(outcome.ok ? [] : [outcome.status, outcome.body.message], [400, EARLIER]);
      assertEquals(await stateless(near, { stdin: "x" }), [400, EARLIER]);
    }
    assertEquals([runtime.runs, bodies], [[], []]);
    assert((await near.run("x = 1", { stdin: "" })).ok, "an empty one is none");
    assertEquals(await stateless(near, { stdin: "" }), [200, undefined]);
    const limited = await near.run("x = 1", { limits: { fuel: 10 } });
    assertEquals(limited.ok, protocol === 2, "limits have a version of their own");
  }
});

Deno.test("remote stdin: a runtime that is replaced by one of this version gets it at once", async () => {
  const runtime = new FakeRuntime("python");
  runtime.protocol = 2;
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  assertEquals((await near.run("x = 1", { stdin: "x" })).ok, false);
  runtime.protocol = 3;
  assert((await near.run("x = 1", { stdin: "x" })).ok);
});

Deno.test("remote stdin: sandboxes hand it on", () =>
  withFarSandbox(async ({ runtime, box }) => {
    const body = { code: "x = 1", binding: "PYTHON" };
    await box.ok("POST", "/execute", { ...body, stdin: "given" });
    await box.ok("POST", "/execute", body);
    await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", { ...body, stdin: 1 });
    assertEquals(runtime.runs.map((args) => args.stdin), ["given", undefined]);
  }));
