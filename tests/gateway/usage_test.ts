import { assertEquals, assertMatch } from "@std/assert";
import { createAuthenticator, Tokens } from "../../gateway/authentication.ts";
import { UsageMeter } from "../../sandbox/usage.ts";
import type { KvStore } from "../../store/kv.ts";
import { assertError } from "../contract/assertions.ts";
import { Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { FaultyKv } from "../store/faulty_kv.ts";
import { testGateway } from "./test_gateway.ts";

const NEVER = { after: () => () => {} };

function meterOf(store: KvStore): UsageMeter {
  return new UsageMeter(store, () => Date.UTC(2026, 0, 31), NEVER);
}

function get(path: string, token?: string): Request {
  const headers: Record<string, string> = token === undefined
    ? {}
    : { authorization: `Bearer ${token}` };
  return new Request(`http://localhost:8000${path}`, { headers });
}

Deno.test("usage: a tenant reads its own, an admin all, and metrics are for admins only", () =>
  withStore(async (store) => {
    const usage = meterOf(store);
    await new Caller(sandboxProcess(store), "box", "ann").file("write", "a", { content: "abc" });
    for (const [tenant, fuel] of [["ann", 5], ["bob", 7], ["ann", 11]] as const) {
      usage.record(tenant, fuel);
    }
    const tokens = new Tokens([
      { tenant: "ann", token: "a" },
      { tenant: "carl", token: "c" },
      { tenant: "admin", token: "x", role: "admin" },
    ]);
    const gateway = testGateway({
      usage,
      authenticate: createAuthenticator(tokens),
      isAdmin: (headers) => tokens.isAdmin(headers),
    });
    const ask = async (token: string) => await (await gateway(get("/usage", token))).json();
    const since = "2026-01-31T00:00:00.000Z";
    const { bytes, ...ann } = await ask("a");
    assertEquals(ann, { tenant: "ann", since, runs: 2, fuelConsumed: 16, sandboxes: 1 });
    const bob = { tenant: "bob", since, runs: 1, fuelConsumed: 7, sandboxes: 0, bytes: 0 };
    assertEquals(await ask("x"), { tenants: [{ ...ann, bytes }, bob] });
    assertEquals((await ask("c")).runs, 0);
    for (const path of ["/usage", "/metrics"]) {
      await assertError(await gateway(get(path)), 401, "UNAUTHORIZED");
      await assertError(await gateway(get(path, "wrong")), 401, "UNAUTHORIZED");
    }
    await assertError(await gateway(get("/metrics", "a")), 403, "FORBIDDEN");
    for (const path of ["/languages", "/sandboxes", "/nothing"]) {
      await assertError(await gateway(get(path, "x")), 403, "FORBIDDEN");
    }
    const metrics = await gateway(get("/metrics", "x"));
    assertMatch(metrics.headers.get("content-type") ?? "", /^text\/plain; version=0\.0\.4/);
    const lines = (await metrics.text()).trim().split("\n");
    const digits = new Uint8Array(
      await crypto.subtle.digest("SHA-256", new TextEncoder().encode("ann")),
    ).toHex().slice(0, 12);
    assertEquals(lines.includes(`belljar_fuel_total{tenant="${digits}"} 16`), true);
    for (const line of lines) assertMatch(line, /^(?:# (?:HELP|TYPE) )?belljar_\w+(?:\{|\s)/);
  }));

for (const fault of ["broken", "crash after"] as const) {
  Deno.test(`usage: a write that is ${fault === "broken" ? "refused" : "done without an answer"} counts once`, () =>
    withStore(async (store) => {
      let failing = false;
      const faulty = new FaultyKv(store, {
        faultAt: (_, kind) => failing && kind === "write" ? fault : undefined,
      });
      const usage = meterOf(faulty);
      usage.record("ann", 5);
      await usage.flush();
      failing = true;
      usage.record("ann", 7);
      await usage.flush().then(() => {
        throw new Error("the write did not fail");
      }, () => undefined);
      failing = false;
      faulty.crashed = false;
      usage.record("ann", 11);
      const { runs, fuelConsumed } = await usage.read("ann");
      assertEquals([runs, fuelConsumed], [3, 23]);
      await usage.close();
      const again = await meterOf(store).read("ann");
      assertEquals([again.runs, again.fuelConsumed], [3, 23]);
    }));
}

Deno.test("usage: the record of a killed process goes after a day, and one that counts stays right", () =>
  withStore(async (store) => {
    let now = Date.UTC(2026, 0, 31);
    const meter = () => new UsageMeter(store, () => now, NEVER);
    const [killed, other] = [meter(), meter()];
    killed.record("ann", 5);
    await killed.flush();
    const sweep = () => other.maintenance.run(new AbortController().signal);
    assertEquals(await sweep(), 0);
    now += 24 * 60 * 60 * 1000;
    other.record("ann", 7);
    await other.flush();
    assertEquals([await sweep(), await sweep()], [1, 0]);
    // it was not killed, only idle
    killed.record("ann", 11);
    await killed.flush();
    const { runs, fuelConsumed } = await other.read("ann");
    assertEquals([runs, fuelConsumed], [3, 23]);
  }));
