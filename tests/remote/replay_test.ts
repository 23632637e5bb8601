/** `seed` and `clock` of runs on a runtime on another machine. */
import { assert, assertEquals } from "@std/assert";
import { FakeRuntime } from "../sandbox/fake_runtime.ts";
import { NearEnd, serveFar, withFarSandbox } from "./ends.ts";

const FIELDS = ["seed", "clock"] as const;

Deno.test("remote replay: sandboxes hand both on, each by itself too", () =>
  withFarSandbox(async ({ runtime, box }) => {
    const body = { code: "x = 1", binding: "PYTHON" };
    const given = [{ seed: 0, clock: 0 }, { seed: 2 ** 53 - 1 }, { clock: 8.64e15 }, {}];
    for (const fields of given) await box.ok("POST", "/execute", { ...body, ...fields });
    for (const field of FIELDS) {
      await box.fails(400, "VALIDATION_FAILED", "POST", "/execute", { ...body, [field]: -1 });
    }
    const seen = runtime.runs.map(({ seed, clock }) => [seed, clock]);
    assertEquals(seen, given.map(({ seed, clock }) => [seed, clock]));
  }));

Deno.test("remote replay: a runtime refuses values out of range from any caller", async () => {
  const runtime = new FakeRuntime("python");
  await using far = serveFar(runtime);
  using near = new NearEnd(far.url);
  await near.create();
  for (const field of FIELDS) {
    const outcome = await near.run("x = 1", { [field]: 2 ** 60 });
    assertEquals(outcome.ok ? 200 : outcome.status, 502);
  }
  assertEquals(runtime.runs, []);
});

Deno.test("remote replay: a runtime of an earlier version is not given such a run", async () => {
  for (const field of FIELDS) {
    const runtime = new FakeRuntime("python");
    runtime.protocol = 4;
    await using far = serveFar(runtime);
    using near = new NearEnd(far.url);
    await near.create();
    const refused = await near.run("x = 1", { [field]: 0 });
    assertEquals(refused.ok ? [] : [refused.status, refused.body.message], [
      400,
      `${field} is not supported by binding 'PYTHON': its runtime is of an earlier version`,
    ]);
    assertEquals(runtime.runs, []);
    runtime.protocol = 5;
    assert((await near.run("x = 1", { [field]: 0 })).ok);
  }
});
