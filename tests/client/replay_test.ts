// test: long
import { assertEquals, assertRejects } from "@std/assert";
import { connect, getSandbox, runCode, ValidationFailedError } from "../../client/mod.ts";

Deno.test("client replay: seed and clock are sent; a value out of range is refused before", async () => {
  const bodies: unknown[] = [];
  const env = connect("http://service.test", {
    fetch: async (...args) => {
      const { seed, clock } = await new Request(...args).json();
      bodies.push([seed, clock]);
      const logs = { stdout: [], stderr: [] };
      const result = { code: "1", language: "python", engine: "Fake 1", durationMs: 1, logs };
      return Response.json({ ...result, results: [] });
    },
  });
  const { interpreter } = getSandbox<typeof env>(env.Sandbox, "replay");
  const ways = [
    (fields: object) => runCode(env.PYTHON, "1", fields),
    (fields: object) => interpreter.runCode("1", { binding: "PYTHON", ...fields }),
  ];
  for (const way of ways) {
    bodies.length = 0;
    await way({ seed: 0, clock: 8.64e15 });
    await way({ clock: 0 });
    await way({ seed: undefined });
    assertEquals(bodies, [[0, 8.64e15], [undefined, 0], [undefined, undefined]]);
    for (const [field, most] of [["seed", Number.MAX_SAFE_INTEGER], ["clock", 8.64e15]] as const) {
      for (const value of [-1, 0.5, NaN, most + 2, "1", null]) {
        await assertRejects(
          () => way({ [field]: value }),
          ValidationFailedError,
          `${field} must be an integer from 0 to ${most}`,
        );
      }
    }
    assertEquals(bodies.length, 3);
  }
});
