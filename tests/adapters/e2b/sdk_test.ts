// test: long
/** E2B's own SDKs, unmodified, against a real service. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { startLines } from "../../support/line_program.ts";
import { freePort, startOnPort, startProgram } from "../../support/program.ts";
import { type Service, startService } from "../../support/service.ts";
import { clientTest, NODE_PACKAGES, PYTHON } from "../../support/test_clients.ts";

const PROGRAM = new URL("./python_sdk.py", import.meta.url).pathname;
const NODE_PROGRAM = new URL("./node_sdk.mjs", import.meta.url).pathname;
const KEY = "e2b_00ff";
const LANGUAGES = "javascript,python";

function environment({ url }: Service, key: string = KEY): Record<string, string> {
  return { E2B_API_KEY: key, E2B_API_URL: `${url}/e2b`, E2B_SANDBOX_URL: `${url}/e2b` };
}

async function ended(
  service: Service,
  command: string,
  args: readonly string[],
): Promise<{ readonly code: number; readonly said: string }> {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: environment(service),
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, said: text.decode(stdout) + text.decode(stderr) };
}

clientTest(
  "e2b: the Python SDK does what its users do with it",
  "Python packages",
  async (test) => {
    await using service = await startService({ LANGUAGES, TOKENS: `a:${KEY},b:e2b_00ee` });
    for (
      const name of [
        "whole",
        "long_output",
        "figure",
        "many",
        "wrong_key",
        "whole_async",
        "tenants",
      ]
    ) {
      await test.step(name, async () => {
        const { said } = await ended(service, PYTHON, [PROGRAM, name]);
        // the SDK's own HTTP library may abort the process at its very end
        assertStringIncludes(said, `ok ${name}`);
      });
    }
  },
);

clientTest(
  "e2b: a tenant at its quota reads why there is no sandbox",
  "Python packages",
  async () => {
    await using service = await startService({ LANGUAGES, MAX_SANDBOXES: "1" });
    const { said } = await ended(service, PYTHON, [PROGRAM, "quota"]);
    assertStringIncludes(said, "quota of 1 sandboxes");
    assertStringIncludes(said, "ok quota");
  },
);

clientTest(
  "e2b: an SDK without E2B_SANDBOX_URL fails, with the cure",
  "Python packages",
  async () => {
    await using service = await startService({ LANGUAGES });
    const { E2B_SANDBOX_URL: _, ...env } = environment(service);
    const { stdout, stderr } = await new Deno.Command(PYTHON, {
      args: [PROGRAM, "without_url"],
      env,
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    assertStringIncludes(text.decode(stdout) + text.decode(stderr), "ok without_url");
  },
);

clientTest("e2b: state survives a kill of the service", "Python packages", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const PORT = String(freePort());
    const start = () =>
      startOnPort(() => startProgram({ env: { PORT, LANGUAGES, KV_PATH: `${folder}/kv` } }));
    const first = await start();
    await using client = startLines(PYTHON, [PROGRAM, "restarted"], environment(first));
    assertEquals(await client.next(), "ready");
    await first.end("SIGKILL");
    await using _again = await start();
    assertEquals(await client.ask({}), "ok restarted");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

clientTest("e2b: the npm SDK runs the programs of its users", "npm packages", async () => {
  await using service = await startService({ LANGUAGES, TOKENS: `a:${KEY}` });
  const { code, said } = await ended(service, "node", [NODE_PROGRAM, NODE_PACKAGES]);
  assertEquals(code, 0, said);
});
