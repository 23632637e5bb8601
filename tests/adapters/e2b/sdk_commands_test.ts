// test: long
/** Commands by E2B's own SDKs, unmodified, against a real service with the shell. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { SERVICE_LIMITS } from "../../support/run_limits.ts";
import { type Service, startService } from "../../support/service.ts";
import { shellClientTest } from "../../support/shell_engine.ts";
import { NODE_PACKAGES, PYTHON } from "../../support/test_clients.ts";

const PROGRAM = new URL("./python_commands.py", import.meta.url).pathname;
const NODE_PROGRAM = new URL("./node_commands.mjs", import.meta.url).pathname;
const KEY = "e2b_00ff";
/** Loops must not end by fuel before they are killed. */
const ENV = { ...SERVICE_LIMITS, LANGUAGES: "python,shell", TOKENS: `a:${KEY}` };

async function ended({ url }: Service, command: string, args: readonly string[]) {
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { E2B_API_KEY: KEY, E2B_API_URL: `${url}/e2b`, E2B_SANDBOX_URL: `${url}/e2b` },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, said: text.decode(stdout) + text.decode(stderr) };
}

shellClientTest("e2b: the Python SDK runs commands", "Python packages", async (t) => {
  await using service = await startService(ENV);
  for (const name of ["foreground", "languages", "background", "refused", "whole_async"]) {
    await t.step(name, async () => {
      const { said } = await ended(service, PYTHON, [PROGRAM, name]);
      // the SDK's own HTTP library may abort the process at its very end
      assertStringIncludes(said, `ok ${name}`);
    });
  }
});

shellClientTest("e2b: the npm SDK runs commands", "npm packages", async () => {
  await using service = await startService(ENV);
  const { code, said } = await ended(service, "node", [NODE_PROGRAM, NODE_PACKAGES]);
  assertEquals(code, 0, said);
});
