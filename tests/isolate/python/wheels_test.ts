import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { BootError, bootImage } from "../../../runtimes/isolate/python/boot.ts";
import { PythonEngine } from "../../../runtimes/isolate/python/engine.ts";
import { packLibrary, type Wheel } from "../../../runtimes/isolate/python/pack_library.ts";
import { trampolineBytes } from "../../../runtimes/isolate/python/trampoline.ts";
import { driverSources, libraryParts } from "../../../runtimes/build/python.ts";
import { builtIsolate } from "../../support/built.ts";
import { runIn, show, valueOf } from "./support.ts";

/** Makes a wheel in the guest itself; its files are written as `path: text`. */
async function makeWheel(name: string, files: Readonly<Record<string, string>>): Promise<Wheel> {
  const code = `
import base64, io, json, zipfile
buffer = io.BytesIO()
with zipfile.ZipFile(buffer, "w") as wheel:
    for path, text in json.loads(${JSON.stringify(JSON.stringify(files))}).items():
        wheel.writestr(path, text)
base64.b64encode(buffer.getvalue()).decode()
`;
  const encoded = (await valueOf(code)).slice(1, -1);
  return { name, bytes: Uint8Array.from(atob(encoded), (char) => char.charCodeAt(0)) };
}

const METADATA = "Metadata-Version: 2.1\nName: Greeter\nVersion: 1.2.3\n";
const GREETER = {
  "greeter/__init__.py":
    "from .words import WORD\ndef greet(name):\n    return f'{WORD} {name}'\ndef fail():\n    return 1 / 0\n",
  "greeter/words.py": "WORD = 'hello'\n",
  "greeter/data.txt": "some data\n",
  "greeter-1.2.3.data/purelib/extra.py": "X = 5\n",
  "greeter-1.2.3.data/scripts/run": "#!python\n",
  "greeter-1.2.3.dist-info/METADATA": METADATA,
  "greeter-1.2.3.dist-info/WHEEL": "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
};

async function machineParts() {
  const { artifact } = await builtIsolate("python");
  return {
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
  };
}

Deno.test("wheels: pure ones are importable, with their data, sources and metadata", async () => {
  const parts = await machineParts();
  const wheel = await makeWheel("greeter-1.2.3-py3-none-any.whl", GREETER);
  const library = packLibrary(parts, await libraryParts([wheel]));
  assertEquals(library.packages, ["Greeter 1.2.3"]);
  const engine = new PythonEngine({
    ...parts,
    image: bootImage({ ...parts, ...library, driver: await driverSources() }),
    readOnlyFiles: library.files,
    time: { now: () => Date.now(), monotonic: () => performance.now() },
    random: (target) => void crypto.getRandomValues(target),
  });
  const { ending } = runIn(
    engine,
    `
import greeter, extra, importlib.metadata, importlib.resources, pathlib
[greeter.greet("you"), extra.X, importlib.metadata.version("greeter"),
 importlib.resources.files("greeter").joinpath("data.txt").read_text(),
 pathlib.Path(greeter.__file__).parent.joinpath("data.txt").read_text(), greeter.__cached__.endswith(".pyc")]
`,
  );
  const expected = '["hello you", 5, "1.2.3", "some data\\n", "some data\\n", true]';
  assertEquals(ending, { kind: "json", json: expected }, show(ending));
  engine.reset();
  const failed = runIn(engine, "import greeter\ngreeter.fail()").ending;
  assert(failed.kind === "error");
  assertStringIncludes(failed.error.traceback.join("\n"), "    return 1 / 0");
  engine.reset();
  const missing = runIn(engine, "import numpy").ending;
  assert(missing.kind === "error");
  assertEquals(
    missing.error.message,
    "No module named 'numpy'. Installed here: the standard library and Greeter 1.2.3.",
  );
});

Deno.test("wheels: what holds native code, or leaves its folder, is refused by name", async () => {
  const parts = await machineParts();
  const cases: readonly (readonly [name: string, files: Record<string, string>, says: string])[] = [
    [
      "fast-1.0-cp314-cp314-manylinux_2_17_x86_64.whl",
      GREETER,
      "holds native code: only pure-Python",
    ],
    ["sly-1.0-py3-none-any.whl", { "sly/_fast.so": "x" }, "holds native code (sly/_fast.so)"],
    ["rude-1.0-py3-none-any.whl", { "../evil.py": "x" }, "holds a path that leaves it"],
    ["bare-1.0-py3-none-any.whl", { "bare.py": "x = 1" }, "has no metadata"],
  ];
  for (const [name, files, says] of cases) {
    const given = await libraryParts([await makeWheel(name, files)]);
    const error = assertThrows(() => packLibrary(parts, given), BootError);
    assert(error.message.startsWith(`${name} `), error.message);
    assertStringIncludes(error.message, says);
  }
});
