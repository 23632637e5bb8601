// test: long
/** The shell over HTTP: stateless, in contexts, in forks, by E2B's protocol, MCP and the client. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect, getSandbox } from "../../client/mod.ts";
import { jsonPost } from "../support/json_post.ts";
import { startService } from "../support/service.ts";
import { shellTest } from "../support/shell_engine.ts";

const ENV = { LANGUAGES: "python,shell", ISOLATES: "2" };

async function post(url: string, body: unknown) {
  const response = await fetch(url, jsonPost(body));
  return { status: response.status, body: await response.json() };
}

Deno.test("shell: a service without the module says how to get it", async () => {
  await using service = await startService({ LANGUAGES: "python" });
  const { status, body } = await post(`${service.url}/execute/shell`, { code: "ls" });
  assertEquals([status, body.code], [400, "VALIDATION_FAILED"]);
  assertStringIncludes(body.message, "deno task shell build");
  const { languages } = await (await fetch(`${service.url}/languages`)).json();
  assertEquals(languages.map(({ id }: { id: string }) => id), [
    "javascript",
    "python",
    "perl",
    "ruby",
  ]);
});

shellTest("over HTTP, statelessly and in contexts", async (t) => {
  await using service = await startService(ENV);
  const box = `${service.url}/languages/shell/sandboxes/ada`;
  await t.step("the list has it", async () => {
    const { languages } = await (await fetch(`${service.url}/languages`)).json();
    const listed = languages.find(({ id }: { id: string }) => id === "shell");
    assertEquals([listed.enabled, listed.contexts, listed.aliases], [true, true, ["bash", "sh"]]);
  });
  await t.step("a stateless run has an exit code and no error", async () => {
    const { body } = await post(`${service.url}/execute/shell`, {
      code: "cat; printf '%s' $A; exit 4",
      language: "bash",
      stdin: "in\n",
      envVars: { A: "b" },
    });
    assertEquals(body.logs, { stdout: ["in", "b"], stderr: [] });
    assertEquals([body.exitCode, body.unterminated, body.error], [4, ["stdout"], undefined]);
    assertEquals(body.results, []);
  });
  await t.step("a limit is an error without an exit code", async () => {
    const { body } = await post(`${service.url}/execute/shell`, { code: "while :; do :; done" });
    assertEquals([body.error.name, body.exitCode], ["ExecutionLimitError", undefined]);
    assertStringIncludes(body.error.message, "Fuel");
  });
  await t.step("a context keeps its state, and shares files with other languages", async () => {
    await post(`${box}/execute`, { code: "x=1; f() { echo f$1; }; mkdir -p d; cd d; echo hi > a" });
    const python = `${service.url}/languages/python/sandboxes/ada/execute`;
    const read = await post(python, { code: "open('/workspace/d/a').read()" });
    assertEquals(read.body.results, [{ text: "'hi\\n'" }]);
    const { body } = await post(`${box}/execute`, { code: "f $x; pwd; cat a" });
    assertEquals(body.logs.stdout, ["f1", "/workspace/d", "hi"]);
    assertEquals(body.context.cwd, "/workspace/d");
  });
  await t.step("a fork goes on from the same state", async () => {
    assertEquals((await post(`${box}/fork`, { to: "eve" })).status, 201);
    await post(`${box}/execute`, { code: "x=2" });
    const eve = `${service.url}/languages/shell/sandboxes/eve/execute`;
    assertEquals((await post(eve, { code: "f $x" })).body.logs.stdout, ["f1"]);
  });
  await t.step("a run that a limit ends leaves the context as it was", async () => {
    const { body } = await post(`${box}/execute`, { code: "x=9; while :; do :; done" });
    assertEquals(body.context.rolledBack, true);
    assertEquals((await post(`${box}/execute`, { code: "echo $x" })).body.logs.stdout, ["2"]);
  });
  await t.step("seed and clock make a run repeatable", async () => {
    const run = { code: "echo $RANDOM; date +%s", seed: 1, clock: 1_700_000_000_000 };
    const [one, two] = [
      await post(`${service.url}/execute/shell`, run),
      await post(`${service.url}/execute/shell`, run),
    ];
    assertEquals(one.body.logs, two.body.logs);
    assertEquals(one.body.usage, two.body.usage);
    assertEquals(one.body.logs.stdout[1], "1700000000");
  });
});

shellTest("a context goes on in another process of the service", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { ...ENV, LANGUAGES: "shell", KV_PATH: `${folder}/kv` };
    const at = (url: string) => `${url}/languages/shell/sandboxes/ada/execute`;
    {
      await using service = await startService(env);
      await post(at(service.url), { code: "a=(1 2); g() { echo g; }; cd /tmp" });
      await service.end("SIGKILL");
    }
    await using service = await startService(env);
    const { body } = await post(at(service.url), { code: "g; echo ${#a[@]}" });
    assertEquals(body.logs.stdout, ["g", "2"]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

shellTest("the client runs commands", async () => {
  await using service = await startService(ENV);
  const env = connect(service.url);
  const sandbox = getSandbox<typeof env>(env.Sandbox, "ada");
  const one = await sandbox.exec("mkdir src; x=1; cd src; echo it\\'s; printf end >&2; exit 3");
  assertEquals(one, { stdout: "it's\n", stderr: "end", exitCode: 3 });
  const lines: string[] = [];
  const two = await sandbox.exec('cat; echo "[$x] $PWD $A"', {
    cwd: "/workspace/src",
    stdin: "in\n",
    envVars: { A: "b" },
    onStdout: ({ text }) => void lines.push(text),
  });
  assertEquals(two.stdout, "in\n[] /workspace/src b\n");
  assertEquals(lines, ["in", "[] /workspace/src b"]);
  const { exitCode, error } = await sandbox.exec("while :; do :; done", {
    limits: { fuel: 50_000_000 },
  });
  assertEquals([exitCode, error?.name], [137, "ExecutionLimitError"]);
  await sandbox.destroy();
});

shellTest("MCP has a tool for commands", async () => {
  await using service = await startService(ENV);
  const call = async (method: string, params: unknown) => {
    const response = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
    });
    const text = await response.text();
    return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
  };
  const run = async (args: unknown) =>
    (await call("tools/call", { name: "run_command", arguments: args })).structuredContent;
  const { tools } = await call("tools/list", {});
  assert(tools.some(({ name }: { name: string }) => name === "run_command"));
  assertEquals(await run({ command: "echo a; printf b >&2; exit 2" }), {
    stdout: "a\n",
    stderr: "b",
    exitCode: 2,
  });
  await run({ command: "echo hi > f", sandbox: "ada" });
  assertEquals((await run({ command: "cat f", sandbox: "ada" })).stdout, "hi\n");
});
