// test: long
/** Scripted tasks of agents' frameworks on E2B's SDKs, against a real service with the shell. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { SERVICE_LIMITS } from "../../support/run_limits.ts";
import { startService } from "../../support/service.ts";
import { shellClientTest } from "../../support/shell_engine.ts";
import { NODE_PACKAGES, PYTHON } from "../../support/test_clients.ts";

const KEY = "e2b_00ff";
const ENV = { ...SERVICE_LIMITS, LANGUAGES: "python,shell", TOKENS: `a:${KEY}` };

async function ended(command: string, ...args: readonly string[]) {
  await using service = await startService(ENV);
  const url = `${service.url}/e2b`;
  const { code, stdout, stderr } = await new Deno.Command(command, {
    args: [...args],
    env: { E2B_API_KEY: KEY, E2B_API_URL: url, E2B_SANDBOX_URL: url, LANGSMITH_TRACING: "false" },
    stdin: "null",
  }).output();
  const text = new TextDecoder();
  return { code, said: text.decode(stdout) + text.decode(stderr) };
}

function script(name: string): string {
  return new URL(name, import.meta.url).pathname;
}

shellClientTest("e2b: deepagents works on a sandbox", "package deepagents", async () => {
  const { said } = await ended(PYTHON, script("./deepagents_task.py"));
  // the SDK's own HTTP library may abort the process at its very end
  assertStringIncludes(said, "ok deepagents");
});

shellClientTest("e2b: the AI SDK's bash tool works on a sandbox", "package bash-tool", async () => {
  const { code, said } = await ended("node", script("./bash_tool_task.mjs"), NODE_PACKAGES);
  assertEquals(code, 0, said);
});
