/**
 * A gateway's treatment of `Idempotency-Key`, `If-Match` and stored answers.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { Admission, callPlaces, KillMeter } from "../../gateway/admission.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { sandboxAdmission } from "../../gateway/sandbox_path.ts";
import { ADMISSION_LIMITS, BODY_BUDGET } from "../../shared/limits.ts";
import { assertFailure, fakeRuntimes, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { runRequest, testGateway } from "./test_gateway.ts";

const BOX = "/languages/python/sandboxes/box";
const ORIGIN = "https://app.example";

function run(code: string, headers: Record<string, string> = {}, box = BOX): Request {
  return runRequest(`${box}/execute`, { code }, { headers });
}

const keyOf = (key: string) => ({ "idempotency-key": key });

function gatewayOver(
  store: KvStore,
  { bodies = new BodyBudget(BODY_BUDGET), killsPerMinute = 30 } = {},
) {
  const kills = new KillMeter({ ...ADMISSION_LIMITS, killsPerMinute }, Date.now);
  const admission = new Admission(ADMISSION_LIMITS);
  const deps = { admission, bodies, kills };
  const gateway = testGateway({
    ...deps,
    sandboxes: sandboxProcess(store, {
      runtimes: fakeRuntimes(),
      admission: sandboxAdmission(deps),
    }),
    runtimes: new Map([["python", echoRuntime("python")], ["perl", echoRuntime("perl")]]),
    allowedOrigins: [ORIGIN],
    calls: callPlaces(ADMISSION_LIMITS),
  });
  return { gateway, kills };
}

Deno.test("gateway repeats: the headers reach the sandbox, and a page may send and see them", () =>
  withStore(async (store) => {
    const { gateway } = gatewayOver(store);
    const headers = { ...keyOf("k"), "if-match": '"0"', origin: ORIGIN };
    for (const expected of [null, "true"]) {
      const answer = await gateway(run("x = 1", headers));
      assertEquals([answer.status, answer.headers.get("idempotency-replayed")], [200, expected]);
      const exposed = answer.headers.get("access-control-expose-headers") ?? "";
      assertStringIncludes(exposed, "idempotency-replayed");
      assertEquals(answer.headers.get("cache-control"), "no-store");
      await answer.body?.cancel();
    }
    const preflight = await gateway(
      new Request(`http://localhost:8000${BOX}/execute`, {
        method: "OPTIONS",
        headers: { origin: ORIGIN, "access-control-request-method": "POST" },
      }),
    );
    const allowed = preflight.headers.get("access-control-allow-headers") ?? "";
    for (const name of ["idempotency-key", "if-match"]) assertStringIncludes(allowed, name);
  }));

Deno.test("gateway repeats: the language of the path is part of the request", () =>
  withStore(async (store) => {
    const { gateway } = gatewayOver(store);
    await (await gateway(run("x = 1", keyOf("k")))).body?.cancel();
    const other = run("x = 1", keyOf("k"), BOX.replace("python", "perl"));
    await assertFailure(await gateway(other), 409, "CONFLICT");
  }));

Deno.test("gateway repeats: too many kills refuse runs, not stored answers", () =>
  withStore(async (store) => {
    const { gateway, kills } = gatewayOver(store, { killsPerMinute: 0 });
    const first = await (await gateway(run("x = 1", keyOf("k")))).text();
    kills.record("default", 0);
    for (const key of [{}, keyOf("other")]) {
      await assertFailure(await gateway(run("x = 1", key)), 429, "RATE_LIMITED");
    }
    const again = await gateway(run("x = 1", keyOf("k")));
    assertEquals([again.status, await again.text()], [200, first]);
  }));

Deno.test("gateway repeats: unread answers use at most the tenant's share", () =>
  withStore(async (store) => {
    const bodyBytesPerTenant = 20_000_000;
    const bodies = new BodyBudget({ bodyBytes: 100_000_000, bodyBytesPerTenant });
    const { gateway } = gatewayOver(store, { bodies });
    await (await gateway(run("fill f 1000000"))).body?.cancel();
    const first = await (await gateway(run("read f", keyOf("k")))).text();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => gateway(run("read f", keyOf("k")))),
    );
    const good = answers.filter(({ status }) => status === 200);
    assert(good.length > 0 && good.length * first.length <= bodyBytesPerTenant);
    for (const answer of answers) {
      if (answer.status === 200) assertEquals(await answer.text(), first);
      else await assertFailure(answer, 429, "RATE_LIMITED");
    }
    assertEquals(bodies.bytesInUse, 0);
    assertEquals(await (await gateway(run("read f", keyOf("k")))).text(), first);
  }));
