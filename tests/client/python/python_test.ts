// test: slow
/** The Python client: its types, answers that no service should give, and the programs of its page. */
import { assert, assertEquals } from "@std/assert";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
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
        await Deno.writeTextFile(path, block.replaceAll(DOCUMENTED_URL, service.url));
        const promised = [...block.matchAll(/print\b.*?[)] {2}# (.+)$/gm)].map(([, line]) => line);
        assert(promised.length > 0);
        assertEquals(await python(path), { code: 0, output: `${promised.join("\n")}\n` });
      });
    }
  },
);
