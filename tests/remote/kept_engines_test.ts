/** Contexts of a runtime on another machine that outlive the module that they were created with. */
import { assertEquals } from "@std/assert";
import type { BuiltIsolate } from "../../runtimes/build/cache.ts";
import { METERING_VERSION } from "../../runtimes/build/engine_names.ts";
import { openStore } from "../../store/open.ts";
import { startBuilt } from "../runtimes/contexts/test_host.ts";
import { Caller, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { markedBuild, presentBuild } from "../support/other_build.ts";
import { NearEnd, serveFar } from "./ends.ts";

Deno.test("remote: a context continues on its kept module; a module of unsafe metering is 409 and changes nothing", async () => {
  const own = await presentBuild("python");
  const safe = await markedBuild(own, "another");
  const lowestMetering = METERING_VERSION + 1;
  const strict = { ...safe, versions: { ...safe.versions, lowestMetering } };
  const kept = await openStore(":memory:");
  using ends = new DisposableStack();
  let box: Caller | undefined;
  let port = 0;
  const next = "n += 1; open('a.txt', 'w').write(str(n)); n";
  try {
    await withStore(async (store) => {
      /** Calls the sandbox while the runtime, always at the same address, is of a build. */
      const under = async (built: BuiltIsolate, work: (box: Caller) => Promise<void>) => {
        await using host = await startBuilt(built, { store: kept });
        await using far = serveFar(host.runtime.binding, { port });
        port = far.port;
        if (box === undefined) {
          const bindings = new Map([["PYTHON", ends.use(new NearEnd(far.url)).binding]]);
          box = new Caller(sandboxProcess(store, { bindings }));
        }
        await work(box);
      };
      await under(own, async (box) => {
        assertEquals((await box.run(`n = 0\n${next}`))["results"], [{ text: "1" }]);
      });
      await under(strict, async (box) => {
        const request = { code: next, binding: "PYTHON" };
        for (let turn = 0; turn < 2; turn++) {
          await box.fails(409, "SNAPSHOT_INCOMPATIBLE", "POST", "/execute", request);
        }
        assertEquals(await box.text("a.txt"), "1");
      });
      await under(safe, async (box) => {
        assertEquals((await box.run(next))["results"], [{ text: "2" }]);
        assertEquals(await box.text("a.txt"), "2");
      });
    });
  } finally {
    kept.close();
  }
});
