import { assert, assertEquals } from "@std/assert";
import type { RunLimits } from "../../client/protocol/types.ts";
import { limitsByLanguage } from "../../wire/limits.ts";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { type FarRuntime, NearEnd, serveFar, withFarSandbox } from "./ends.ts";

const { python: MOST } = limitsByLanguage();
const LIMITS = { fuel: 10, wallMs: 20 };
const EARLIER =
  "limits are not supported by binding 'PYTHON': its runtime is of an earlier version";
const UNREACHABLE = "Binding 'PYTHON' could not be called";

/** A stateless run; gives status and body. */
async function stateless({ binding }: NearEnd, fields: object) {
  const answer = await binding.fetch(
    new Request("http://runtime.internal/execute", {
      method: "POST",
      headers: { "content-type": "application/json", "x-belljar-tenant": "default" },
      body: JSON.stringify({ code: "1", ...fields }),
    }),
  ).catch((thrown) => Response.json(thrown.toBody(Date.now), { status: thrown.status }));
  return { status: answer.status, body: await answer.json() };
}

/** A runtime whose stateless results tell this limit, whatever is asked for. */
function telling(runtime: FakeRuntime, fuelLimit: number, asked: unknown[] = []): FarRuntime {
  return {
    fetch: async (request) => {
      if (!request.url.endsWith("/execute")) return await runtime.fetch(request);
      const { code, limits } = await request.json();
      asked.push(limits);
      return Response.json({
        code,
        language: "python",
        engine: "Fake 1",
        durationMs: 1,
        logs: { stdout: [], stderr: [] },
        results: [],
        usage: { fuelConsumed: 1, fuelLimit, memoryBytes: 1 },
      });
    },
    executeInContext: async (key, args, getFiles) => {
      const outcome = await runtime.executeInContext(key, args, getFiles);
      if (!outcome.ok) return outcome;
      const usage = { fuelConsumed: 1, fuelLimit, memoryBytes: 1 };
      return { ok: true, result: { ...outcome.result, usage } };
    },
  };
}

Deno.test("remote limits: a run has the limits of its request, in a context and without one", async () => {
  const runtime = new FakeRuntime("python");
  const asked: unknown[] = [];
  await using far = serveFar(telling(runtime, 10, asked));
  using near = new NearEnd(far.url);
  await near.create();
  assert((await near.run("x = 1", { limits: LIMITS })).ok);
  assert((await near.run("x = 1")).ok);
  assertEquals(runtime.runs.map(({ limits }) => limits), [LIMITS, undefined]);
  assertEquals((await stateless(near, { limits: LIMITS })).status, 200);
  assertEquals((await stateless(near, {})).status, 200);
  assertEquals(asked, [LIMITS, undefined]);
});

Deno.test("remote limits: more than this end's most never gets there", async () => {
  const asked: unknown[] = [];
  await using far = serveFar(telling(new FakeRuntime("python"), 10, asked));
  using near = new NearEnd(far.url);
  assertEquals(near.binding.mostRunLimits?.wallMs, MOST.wallMs);
  const over = await stateless(near, { limits: { wallMs: MOST.wallMs + 1 } });
  assertEquals([over.status, over.body.code], [400, "VALIDATION_FAILED"]);
  assertEquals(over.body.message, `limits.wallMs must be at most ${MOST.wallMs}`);
  assertEquals((await stateless(near, { limits: null })).body.message, "limits must be an object");
  assertEquals(
    (await stateless(near, { limits: null, code: "" })).body.message,
    "code must not be empty",
  );
  assertEquals(asked, []);
});

Deno.test("remote limits: a refusal of the remote runtime is passed on in its words", async () => {
  const runtime = new FakeRuntime("python");
  runtime.mostRunLimits = { fuel: 5, wallMs: 20 };
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  const outcome = await near.run("x = 1", { limits: LIMITS });
  assert(!outcome.ok);
  assertEquals([outcome.status, outcome.body.message], [400, "limits.fuel must be at most 5"]);
  assert((await near.run("x = 1", { limits: { fuel: 5, wallMs: 20 } })).ok);
});

Deno.test("remote limits: a runtime of an earlier version is not given such a run", async () => {
  for (const protocol of [1, undefined]) {
    const runtime = new FakeRuntime("python");
    Object.assign(runtime, { protocol });
    const asked: unknown[] = [];
    await using far = serveFar(telling(runtime, 10, asked));
    using near = new NearEnd(far.url);
    await near.create();
    for (let again = 0; again < 2; again++) {
      const outcome = await near.run("x = 1", { limits: LIMITS });
      assertEquals(outcome.ok ? "" : outcome.body.message, EARLIER);
      assertEquals(outcome.ok ? 200 : outcome.status, 400);
      const { status, body } = await stateless(near, { limits: LIMITS });
      assertEquals([status, body.message], [400, EARLIER]);
    }
    assertEquals([runtime.runs, asked], [[], []]);
    assert((await near.run("x = 1")).ok);
    assertEquals((await stateless(near, {})).status, 200);
  }
});

Deno.test("remote limits: an answer with a higher fuel limit than requested is refused", async () => {
  await using far = serveFar(telling(new FakeRuntime("python"), 11));
  using near = new NearEnd(far.url);
  await near.create();
  const refused = async (limits?: RunLimits) => {
    const asked = limits === undefined ? {} : { limits };
    const outcome = await near.run("x = 1", asked);
    const { status, body } = await stateless(near, asked);
    return [outcome.ok ? "ok" : outcome.body.message, status === 200 ? "ok" : body.message];
  };
  assertEquals(await refused(LIMITS), [UNREACHABLE, UNREACHABLE]);
  assertEquals(await refused({ fuel: 11 }), ["ok", "ok"]);
  assertEquals(await refused(), ["ok", "ok"]);
});

Deno.test("remote limits: sandboxes hold a run to them over it", () =>
  withFarSandbox(async ({ runtime, box }) => {
    const body = { code: "x = 1", binding: "PYTHON" };
    await box.ok("POST", "/execute", { ...body, limits: LIMITS });
    const limits = { fuel: MOST.fuel + 1 };
    await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", { ...body, limits });
    assertEquals(runtime.runs.map((args) => args.limits), [LIMITS]);
  }));
