/** Two services over one data file, each with languages of its own. */
import { assertEquals, assertMatch } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { ContextCaller, TEST_LEASE_MS } from "../support/context_caller.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";
import { KillableService } from "../support/kill_service.ts";
import { startProgram } from "../support/program.ts";

Deno.test("languages by service: each serves its own languages of a shared sandbox", async (t) => {
  const folder = await Deno.makeTempDir();
  const kvPath = `${folder}/data.sqlite3`;
  const start = (LANGUAGES: string) =>
    KillableService.start({ kvPath, leaseMs: TEST_LEASE_MS, env: { LANGUAGES } });
  {
    await using python = await start("python");
    await using others = await start("javascript,perl");
    const served = new ContextCaller(python.url, "python");
    const elsewhere = new ContextCaller(others.url, "python");
    const script = new ContextCaller(others.url, "javascript");
    const contextsAt = async (caller: ContextCaller) => (await caller.info()).contexts;
    const failure = async (sent: Promise<Response>) => {
      const answer = await sent;
      const { code, message } = await answer.json();
      return [answer.status, code, message];
    };

    assertEquals(await served.value("n = 1; open('a.txt', 'w').write('from python'); n"), "1");
    assertEquals(await script.value("require('fs').readFileSync('a.txt', 'utf8').length"), "11");
    const [first, second] = await contextsAt(script);
    assertEquals([first?.binding, second?.binding], ["PYTHON", "JAVASCRIPT"]);
    const id = first?.id ?? "";

    await t.step(
      "a path with the language is 400 at a service that does not enable it",
      async () => {
        const notEnabled = [400, "VALIDATION_FAILED", "Language 'python' is not enabled"];
        assertEquals(
          await failure(elsewhere.send("/execute", { body: { code: "n = 2" } })),
          notEnabled,
        );
        assertEquals(await failure(elsewhere.send("/contexts", { body: {} })), notEnabled);
      },
    );
    await t.step(
      "so is a run in its context, a fork and a checkpoint, by another path",
      async () => {
        const unknown = [400, "VALIDATION_FAILED", "Unknown binding 'PYTHON'"];
        const calls = {
          "/execute": { code: "n = 2", contextId: id },
          [`/contexts/${id}/fork`]: {},
          "/fork": { to: "copy" },
          "/checkpoints": { name: "c" },
        };
        for (const [path, body] of Object.entries(calls)) {
          assertEquals(await failure(script.send(path, { body })), unknown, path);
        }
        assertEquals((await contextsAt(script)).length, 2);
        assertEquals(await served.value("n"), "1");
      },
    );
    await t.step("its contexts are deleted anywhere, and with them their state", async () => {
      assertEquals(await script.remove(`/contexts/${id}`), 200);
      assertEquals((await contextsAt(served)).map(({ binding }) => binding), ["JAVASCRIPT"]);
      assertEquals(await served.value("'n' in globals()"), "False");
    });
    await t.step("the sandbox is deleted, too", async () => {
      assertEquals(await script.remove(), 200);
      assertEquals(await contextsAt(served), []);
      assertEquals(await served.value("import os; os.listdir()"), []);
      assertEquals(await script.remove(), 200);
    });
  }
  const kv = await openStore(kvPath);
  await sweep(kv, TEST_LEASE_MS);
  assertEquals(await wrongKeys(kv), []);
  kv.close();
  await Deno.remove(folder, { recursive: true });
});

Deno.test("languages by service: an address of a runtime is refused at the start", async () => {
  const started = await startProgram({ env: { PYTHON_URL: "http://10.0.0.2:8000" } })
    .then((program) => program.end("SIGTERM"), (thrown: unknown) => String(thrown));
  assertMatch(String(started), /PYTHON_URL is not supported: run a service with LANGUAGES on each/);
});
