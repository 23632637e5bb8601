/** Forks, checkpoints and restore of contexts whose runtime is on another machine. */
import { assert, assertEquals } from "@std/assert";
import { METERING_VERSION } from "../../runtimes/build/engine_names.ts";
import type { BuiltIsolate } from "../../runtimes/build/cache.ts";
import { openStore } from "../../store/open.ts";
import { startBuilt } from "../runtimes/contexts/test_host.ts";
import { Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { StoredRuntime } from "../sandbox/stored_runtime.ts";
import { markedBuild, presentBuild } from "../support/other_build.ts";
import { NearEnd, serveFar } from "./ends.ts";

const add = (n: number) => JSON.stringify({ add: n });

async function valueOf(box: Caller, contextId: string): Promise<unknown> {
  const { results } = await box.run(add(0), contextId);
  assert(Array.isArray(results));
  return results[0]?.json;
}

Deno.test("remote forks: states are shared at the runtime, kept apart, and removed with the last", async () => {
  const kept = await openStore(":memory:");
  try {
    await withStore(async (store) => {
      const runtime = new StoredRuntime(kept, "python", Date.now);
      await using far = serveFar(runtime);
      using near = new NearEnd(far.url);
      const bindings = new Map([["PYTHON", near.binding]]);
      const sandboxes = sandboxProcess(store, { bindings });
      const box = new Caller(sandboxes, "box");
      const context = await box.context();
      await box.run(add(1), context);
      const fork = String((await box.ok("POST", `/contexts/${context}/fork`, {}))["id"]);
      const { id } = await box.ok("POST", "/checkpoints", {});
      await box.run(add(10), fork);
      await box.ok("DELETE", `/contexts/${context}`);
      await box.ok("POST", "/fork", { to: "copy" });
      const copy = new Caller(sandboxes, "copy");
      assertEquals([await valueOf(box, fork), await valueOf(copy, fork)], [11, 11]);
      await box.ok("POST", `/checkpoints/${id}/restore`);
      assertEquals([await valueOf(box, fork), await valueOf(box, context)], [1, 1]);
      assertEquals(await valueOf(copy, fork), 11);
      for (const each of [box, copy]) await each.ok("DELETE", "/");
      await runtime.maintenance.run(new AbortController().signal);
      const left: string[] = [];
      for await (const { key } of kept.list({ prefix: [] })) {
        if (key[0] !== "interpreter_gone") left.push(key.join("/"));
      }
      assertEquals(left, []);
    });
  } finally {
    kept.close();
  }
});

Deno.test("remote forks: a checkpoint with a context whose engine is gone brings back all the rest", async () => {
  const own = await presentBuild("python");
  const safe = await markedBuild(own, "another");
  const lowestMetering = METERING_VERSION + 1;
  const strict = { ...safe, versions: { ...safe.versions, lowestMetering } };
  const kept = await openStore(":memory:");
  try {
    await withStore(async (store) => {
      const under = async (built: BuiltIsolate, work: (box: Caller) => Promise<void>) => {
        await using host = await startBuilt(built, { store: kept });
        await using far = serveFar(host.runtime.binding);
        using near = new NearEnd(far.url);
        await work(
          new Caller(sandboxProcess(store, { bindings: new Map([["PYTHON", near.binding]]) })),
        );
      };
      let checkpoint: unknown;
      let old = "";
      await under(own, async (box) => {
        old = await box.context();
        await box.run("n = 41; open('a.txt', 'w').write('before')", old);
        checkpoint = (await box.ok("POST", "/checkpoints", {}))["id"];
        await box.run("open('a.txt', 'w').write('after')", old);
      });
      await under(strict, async (box) => {
        await box.ok("POST", `/checkpoints/${checkpoint}/restore`);
        assertEquals(await box.text("a.txt"), "before");
        const request = { code: "n", contextId: old };
        await box.fails(409, "SNAPSHOT_INCOMPATIBLE", "POST", "/execute", request);
        const fresh = await box.context();
        assertEquals((await box.run("open('a.txt').read()", fresh))["results"], [{
          text: "'before'",
        }]);
        const fork = String((await box.ok("POST", `/contexts/${old}/fork`, {}))["id"]);
        await box.fails(409, "SNAPSHOT_INCOMPATIBLE", "POST", "/execute", {
          code: "n",
          contextId: fork,
        });
      });
      await under(own, async (box) => {
        assertEquals((await box.run("n + 1", old))["results"], [{ text: "42" }]);
      });
    });
  } finally {
    kept.close();
  }
});
