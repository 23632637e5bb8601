import { assertEquals, assertRejects } from "@std/assert";
import type { RunLimits } from "../../client/protocol/types.ts";
import { ServiceError } from "../../shared/errors.ts";
import { executeReader } from "../../shared/execute_request.ts";
import { SHARED_LIMITS } from "../../shared/limits.ts";

const MOST = { fuel: 1_000, wallMs: 500 };
const reader = executeReader({ language: "python", limits: { ...SHARED_LIMITS, ...MOST } });

async function readText(body: string): Promise<RunLimits | undefined> {
  const headers = { "content-type": "application/json" };
  const request = new Request("http://test/execute", { method: "POST", headers, body });
  return (await reader.read(request)).limits;
}

function limitsOf(limits: unknown): Promise<RunLimits | undefined> {
  return readText(JSON.stringify({ code: "1", limits }));
}

async function refusal(body: string): Promise<string> {
  const error = await assertRejects(() => readText(body), ServiceError);
  assertEquals([error.code, error.status], ["VALIDATION_FAILED", 400]);
  return error.message;
}

Deno.test("run limits: requested limits are accepted, up to the maximum", async () => {
  assertEquals(await limitsOf(undefined), undefined);
  assertEquals(await limitsOf({}), {});
  assertEquals(await limitsOf({ fuel: 1 }), { fuel: 1 });
  assertEquals(await limitsOf({ wallMs: 1 }), { wallMs: 1 });
  assertEquals(await limitsOf(MOST), MOST);
  assertEquals(await readText('{"code":"1","limits":{"fuel":1e2,"wallMs":20.0}}'), {
    fuel: 100,
    wallMs: 20,
  });
});

Deno.test("run limits: the error above a maximum names the field and the maximum", async () => {
  const over = (limits: object) => refusal(JSON.stringify({ code: "1", limits }));
  assertEquals(await over({ fuel: 1_001 }), "limits.fuel must be at most 1000");
  assertEquals(await over({ wallMs: 501 }), "limits.wallMs must be at most 500");
  assertEquals(await over({ fuel: 1, wallMs: 1e300 }), "limits.wallMs must be at most 500");
});

Deno.test("run limits: the error for a value that is not a positive integer names the field", async () => {
  for (const value of ["0", "-1", "-0", "1.5", "null", '"1"', "true", "[1]", "{}", "1e400"]) {
    assertEquals(
      await refusal(`{"code":"1","limits":{"fuel":${value}}}`),
      "limits.fuel must be a positive integer",
      value,
    );
  }
});

Deno.test("run limits: a value that is not an object is refused", async () => {
  for (const value of ["null", "1", '"x"', "[]", "true"]) {
    assertEquals(await refusal(`{"code":"1","limits":${value}}`), "limits must be an object");
  }
});

Deno.test("run limits: any other key is refused by its name", async () => {
  for (const name of ["memoryBytes", "Fuel", "", "__proto__", "constructor", "wall_ms"]) {
    assertEquals(
      await refusal(`{"code":"1","limits":{"fuel":1,${JSON.stringify(name)}:1}}`),
      `Unknown limit '${name}': limits takes fuel and wallMs`,
    );
  }
});

Deno.test("run limits: limits are checked last", async () => {
  assertEquals(await refusal('{"limits":1}'), "code must be a string");
  assertEquals(
    await refusal('{"limits":1,"code":"1","input":1}').then((m) => m.slice(0, 5)),
    "input",
  );
  assertEquals(await refusal('{"limits":1,"code":"1","envVars":1}'), "envVars must be an object");
});
