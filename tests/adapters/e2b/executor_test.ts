// test: long
/** The E2B executor of smolagents, with a model that says what it is told to, against a real service. */
import { assert, assertStringIncludes } from "@std/assert";
import { zipOf } from "../../runtimes/builder/wheels/fake_index.ts";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";

const PROGRAM = new URL("./executor.py", import.meta.url).pathname;
/** Stand-ins for what the executor imports first. */
const PACKAGES = [["numpy", "numpy"], ["pillow", "PIL"]] as const;

clientTest(
  "e2b: smolagents' executor runs a task, and says what is not installed",
  "Python packages",
  async () => {
    const folder = await Deno.makeTempDir();
    try {
      for (const [name, module] of PACKAGES) {
        const info = `${name}-1.0.dist-info`;
        const wheel = zipOf({
          [`${module}/__init__.py`]: "",
          [`${module}/Image.py`]: "class Image:\n    pass\n",
          [`${info}/METADATA`]: `Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`,
          [`${info}/WHEEL`]: "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        });
        await Deno.writeFile(`${folder}/${name}-1.0-py3-none-any.whl`, wheel);
      }
      const env = { LANGUAGES: "python", PYTHON_WHEELS: folder, CACHE_DIR: `${folder}/cache` };
      await using service = await startService(env);
      const url = `${service.url}/e2b`;
      const { stdout, stderr } = await new Deno.Command(PYTHON, {
        args: [PROGRAM],
        env: { E2B_API_KEY: "e2b_00", E2B_API_URL: url, E2B_SANDBOX_URL: url },
      }).output();
      const said = new TextDecoder().decode(stdout);
      assert(said.includes("answer 121"), said + new TextDecoder().decode(stderr));
      assertStringIncludes(said, "Requirement already satisfied: numpy (1.0)");
      assertStringIncludes(said, "deno task wheels add pandas");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  },
);
