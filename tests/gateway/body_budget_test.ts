import { assertEquals, assertThrows } from "@std/assert";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { type BodyAccount, BodyBudget } from "../../gateway/body_budget.ts";
import { ServiceError } from "../../shared/errors.ts";
import { ADMISSION_LIMITS, BODY_BUDGET, SHARED_LIMITS } from "../../shared/limits.ts";
import { assertError } from "../contract/assertions.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { runRequest, testGateway } from "./test_gateway.ts";

const LIMITS = { bodyBytes: 1_000, bodyBytesPerTenant: 600 };

function refusal(account: BodyAccount, bytes: number): string {
  const error = assertThrows(() => account.take(bytes), ServiceError);
  assertEquals(error.headers["retry-after"], "1");
  assertEquals(error.context["limit"], "request bytes");
  return `${error.status} ${error.code}`;
}

Deno.test("body budget: over the tenant's share is 429, over the total is 503, and both are released", () => {
  const budget = new BodyBudget(LIMITS);
  const first = budget.open("a");
  first.take(600);
  assertEquals(refusal(budget.open("a"), 1), "429 RATE_LIMITED");
  const second = budget.open("b");
  second.take(400);
  assertEquals(refusal(second, 1), "503 OVERLOADED");
  assertEquals(budget.bytesInUse, 1_000);
  first[Symbol.dispose]();
  first[Symbol.dispose]();
  second.take(200);
  assertEquals(refusal(second, 1), "429 RATE_LIMITED");
  second[Symbol.dispose]();
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("body budget: bytes after the end are not counted", () => {
  const budget = new BodyBudget(LIMITS);
  const account = budget.open("a");
  account[Symbol.dispose]();
  account.take(100);
  assertEquals(budget.bytesInUse, 0);
});

Deno.test("body budget: a tenant's share has space for all its runs at their maximum length", () => {
  const { runsPerTenant, waitingPerTenant } = ADMISSION_LIMITS;
  const most = (runsPerTenant + waitingPerTenant) * SHARED_LIMITS.requestBytes;
  assertEquals(most <= BODY_BUDGET.bodyBytesPerTenant, true);
});

Deno.test("gateway: bodies count against the tenant's share until they are answered", async () => {
  const entered = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  const before = () => {
    entered.resolve();
    return goOn.promise;
  };
  const bodies = new BodyBudget(LIMITS);
  const gateway = testGateway({
    bodies,
    runtimes: new Map([["javascript", echoRuntime("javascript", { before })]]),
    authenticate: createAuthenticator([
      { tenant: "a", token: "alpha" },
      { tenant: "b", token: "beta" },
    ]),
  });
  const run = (token: string, length: number) =>
    gateway(runRequest("/execute", { code: "1".repeat(length) }, {
      headers: { authorization: `Bearer ${token}` },
    }));
  const going = run("alpha", 500);
  await entered.promise;
  const refused = await run("alpha", 500);
  assertEquals(refused.headers.get("retry-after"), "1");
  await assertError(refused, 429, "RATE_LIMITED");
  await assertError(await run("beta", 550), 503, "OVERLOADED");
  const other = run("beta", 300);
  goOn.resolve();
  assertEquals([(await going).status, (await other).status], [200, 200]);
  assertEquals(bodies.bytesInUse, 0);
});

Deno.test("body budget: each tenant has a part that any number of other tenants cannot use", () => {
  const budget = new BodyBudget({ ...LIMITS, ownBodyBytes: 100 });
  const others = ["a", "b", "c", "d"].map((tenant) => {
    const account = budget.open(tenant);
    account.take(100);
    return account;
  });
  const [first, second, third] = others;
  first?.take(500);
  second?.take(500);
  if (third !== undefined) assertEquals(refusal(third, 1), "503 OVERLOADED");
  const calm = budget.open("e");
  calm.take(60);
  calm.take(40);
  assertEquals(refusal(calm, 1), "503 OVERLOADED");
  second?.[Symbol.dispose]();
  calm.take(500);
  assertEquals(refusal(calm, 1), "429 RATE_LIMITED");
  for (const account of [...others, calm]) account[Symbol.dispose]();
  assertEquals(budget.bytesInUse, 0);
  const after = budget.open("a");
  after.take(600);
  assertEquals(refusal(budget.open("b"), 601), "429 RATE_LIMITED");
  budget.open("b").take(600);
});
