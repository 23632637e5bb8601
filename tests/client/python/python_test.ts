// test: long
/** The Python client: its types, answers that no service should give, and the programs of its page. */
import { assert, assertEquals } from "@std/assert";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
import { serveTools } from "../../tools/fixture.ts";
import { run, temporaryFolder } from "../deno_command.ts";

const FOLDER = new URL(".", import.meta.url).pathname;
const PACKAGE = new URL("../../../clients/python/", import.meta.url).pathname;
const README = `${PACKAGE}README.md`;
const DOCUMENTED_URL = "http://127.0.0.1:8000";

function python(...args: string[]) {
  const path = `PYTHONPATH=${PACKAGE}:${FOLDER}`;
  return run("env", path, "PYTHONDONTWRITEBYTECODE=1", PYTHON, ...args);
}

Deno.test("Python client: the package has the licence of the project", async () => {
  const [own, project] = await Promise.all([
    Deno.readTextFile(`${PACKAGE}LICENSE`),
    Deno.readTextFile(new URL("../../../LICENSE", import.meta.url)),
  ]);
  assertEquals(own, project);
});

clientTest(
  "Python client: each unexpected answer is a clear error",
  "Python packages",
  async () => {
    const tests = ["-m", "unittest", "--buffer", "test_answers"];
    const { code, output } = await python("-W", "error", ...tests);
    assertEquals(code, 0, output);
  },
);

clientTest(
  "Python client: its types pass mypy --strict, for callers too",
  "Python packages",
  async () => {
    await using folder = await temporaryFolder();
    const cache = `--cache-dir=${folder.path}`;
    const config = `--config-file=${PACKAGE}pyproject.toml`;
    const own = await python("-m", "mypy", cache, config);
    assertEquals(own.code, 0, own.output);
    const program = `${FOLDER}typed_program.py`;
    const caller = await python("-m", "mypy", "--strict", "--warn-unused-ignores", cache, program);
    assertEquals(caller.code, 0, caller.output);
  },
);

const OPERATOR_TOOLS = `
import asyncio, sys
from belljar import AsyncClient, connect
url = sys.argv[1]
client = connect(url)
print([(tool.name, tool.approval) for tool in client.tools()])
program = "print(await tools.crm.find({}), await tools.crm.pay({ sum: 5 }).catch(String), await tools.own())"
program = program.replace("print", "console.log")
options = {"operator_tools": ["crm.*"], "tools": {"own": lambda: "mine"}}
for said in (True, "too much"):
    asked = []
    decide = lambda call: asked.append((call.name, dict(call.arguments))) or said
    result = client.run_code("javascript", program, on_approval=decide, **options)
    print(result.stdout.strip(), asked)

async def main():
    async def decide(call):
        return False
    async with AsyncClient(url) as client:
        result = await client.run_code("javascript", program, on_approval=decide, **options)
        print(result.stdout.strip())

asyncio.run(main())
`;

clientTest(
  "Python client: programs call tools of the operator, and the caller approves calls",
  "Python packages",
  async () => {
    await using folder = await temporaryFolder();
    await using server = serveTools(({ target }) => Response.json(target));
    const operations = {
      "crm.find": { method: "GET", url: `${server.url}/find` },
      "crm.pay": { method: "POST", url: `${server.url}/pay`, approval: "always" },
    };
    const file = { operations, tenants: { "*": ["*"] }, privateAddresses: [server.address] };
    const path = `${folder.path}/tools.json`;
    await Deno.writeTextFile(path, JSON.stringify(file));
    await using service = await startService({ LANGUAGES: "javascript", TOOLS: path });
    const { code, output } = await python("-c", OPERATOR_TOOLS, service.url);
    assertEquals([code, output.trimEnd().split("\n")], [0, [
      "[('crm.find', 'never'), ('crm.pay', 'always')]",
      "/find /pay mine [('crm.pay', {'sum': 5})]",
      "/find ToolDenied: too much mine [('crm.pay', {'sum': 5})]",
      "/find ToolDenied: The call was not approved mine",
    ]]);
  },
);

clientTest(
  "Python client: the programs of its page print what their comments say",
  "Python packages",
  async (test) => {
    await using folder = await temporaryFolder();
    await using service = await startService({ LANGUAGES: "javascript,python" });
    const text = await Deno.readTextFile(README);
    const blocks = [...text.matchAll(/^```python\n([\s\S]*?)^```$/gm)].map(([, block = ""]) =>
      block
    );
    assert(blocks.length >= 4);
    for (const [at, block] of blocks.entries()) {
      await test.step(`block ${at + 1}`, async () => {
        const path = `${folder.path}/${at}.py`;
        // the first run on a busy machine may take longer than the page's time-out
        const program = block.replaceAll(DOCUMENTED_URL, service.url)
          .replace("timeout=5", "timeout=120");
        await Deno.writeTextFile(path, program);
        const promised = [...block.matchAll(/print\b.*?[)] {2}# (.+)$/gm)].map(([, line]) => line);
        assert(promised.length > 0);
        assertEquals(await python(path), { code: 0, output: `${promised.join("\n")}\n` });
      });
    }
  },
);
