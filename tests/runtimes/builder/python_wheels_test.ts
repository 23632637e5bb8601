// test: long
/**
 * The operator's folder of wheels, from the variable to the guest.
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import { NO_INPUTS, readBuildInputs } from "../../../runtimes/builder/build_inputs.ts";
import { sourceKeys } from "../../../runtimes/builder/source_keys.ts";
import { GREETER, makeWheel } from "../languages/python/wheel_maker.ts";
import { execute, startService } from "../../support/service.ts";

const PURE = "greeter-1.2.3-py3-none-any.whl";
const NATIVE = "fast-1.0-cp314-cp314-manylinux_2_17_x86_64.whl";

/** A temporary folder with a wheel. */
async function folderWith(name: string) {
  const path = await Deno.makeTempDir();
  const { bytes } = await makeWheel(name, GREETER);
  await Deno.writeFile(`${path}/${name}`, bytes);
  return {
    path,
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}

/** The program's output when it does not start. */
async function refusal(wheels: string, cache: string): Promise<readonly [number, string]> {
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--allow-all", new URL("../../../main.ts", import.meta.url).href],
    env: { PORT: "0", LANGUAGES: "python", PYTHON_WHEELS: wheels, CACHE_DIR: cache },
    stdin: "null",
  }).output();
  const text = new TextDecoder().decode(stderr);
  return [code, text.replaceAll(/^Building .*\n/gm, "")];
}

Deno.test("wheels: only the key of Python's engine depends on them", async () => {
  await using folder = await folderWith(PURE);
  const without = sourceKeys(NO_INPUTS);
  const inputs = await readBuildInputs({ pythonWheels: folder.path });
  const having = sourceKeys(inputs);
  assertNotEquals(having.engines.get("python"), without.engines.get("python"));
  assertEquals(having.engines.get("perl"), without.engines.get("perl"));
  assertEquals(having.program, without.program);
  const { bytes } = await makeWheel(PURE, {
    ...GREETER,
    "greeter/words.py": "WORD = 'good day'\n",
  });
  const other = sourceKeys({ pythonWheels: [{ name: PURE, bytes }] });
  assertNotEquals(other.engines.get("python"), having.engines.get("python"));
  await Deno.writeTextFile(`${folder.path}/notes.txt`, "no wheel");
  assertEquals(
    sourceKeys(await readBuildInputs({ pythonWheels: folder.path })).engines,
    having.engines,
  );
});

Deno.test("wheels: a running service has them, and lists them when a module is missing", async () => {
  await using folder = await folderWith(PURE);
  const cache = `${folder.path}/cache`;
  await using service = await startService({
    LANGUAGES: "python",
    PYTHON_WHEELS: folder.path,
    CACHE_DIR: cache,
  });
  const code = "import greeter\ngreeter.greet('you')";
  const { result } = await execute(service.url, "python", code);
  assertEquals(result.results, [{ text: "'hello you'" }]);
  const { languages } = await (await fetch(`${service.url}/languages`)).json();
  const [python] = languages.filter(({ id }: { id: string }) => id === "python");
  assertEquals(python.packages, [{ name: "greeter", version: "1.2.3" }]);
  const [perl] = languages.filter(({ id }: { id: string }) => id === "perl");
  assertEquals("packages" in perl, false);
  const missing = await execute(service.url, "python", "import numpy");
  assertEquals(
    missing.result.error?.message,
    "No module named 'numpy'. Installed here: the standard library and Greeter 1.2.3. " +
      "The operator of the service adds packages: deno task wheels add numpy",
  );
});

Deno.test("wheels: a bad folder or wheel stops the start with one line that names it", async () => {
  await using folder = await folderWith(NATIVE);
  const cache = `${folder.path}/cache`;
  const begin = "Belljar cannot start:\n  PYTHON_WHEELS";
  assertEquals(await refusal(`${folder.path}/none`, cache), [
    1,
    `${begin} must name a folder that exists and can be read\n`,
  ]);
  assertEquals(await refusal(`${folder.path}/${NATIVE}`, cache), [
    1,
    `${begin} must name a folder that exists and can be read\n`,
  ]);
  assertEquals(await refusal(folder.path, cache), [
    1,
    `${begin}: ${NATIVE} is for cp314-cp314-manylinux_2_17_x86_64; this engine takes py3-none-any, ` +
    "cp314-cp314-pyemscripten_2026_0_wasm32 or cp3N-abi3-pyemscripten_2026_0_wasm32 with N up to 14\n",
  ]);
});
