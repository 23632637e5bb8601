// test: long
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { bootImage } from "../../../../runtimes/languages/python/build/boot.ts";
import { PythonEngine } from "../../../../runtimes/languages/python/engine.ts";
import {
  packLibrary,
  WheelError,
} from "../../../../runtimes/languages/python/build/pack_library.ts";
import { trampolineBytes } from "../../../../runtimes/languages/python/host/trampoline.ts";
import {
  driverSources,
  libraryParts,
} from "../../../../runtimes/languages/python/build/builder.ts";
import { bootableModule, runIn, show } from "./support.ts";
import { GREETER, makeWheel } from "./wheel_maker.ts";

async function machineParts() {
  return {
    module: await bootableModule(),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
  };
}

Deno.test("wheels: pure wheels are importable, with their data, sources and metadata", async () => {
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
    "No module named 'numpy'. Installed here: the standard library and Greeter 1.2.3. " +
      "The operator of the service adds packages: deno task wheels add numpy",
  );
});

Deno.test("wheels: a wheel that contains native code, or leaves its folder, is refused by name", async () => {
  const parts = await machineParts();
  const cases: readonly (readonly [name: string, files: Record<string, string>, says: string])[] = [
    ["sly-1.0-py3-none-any.whl", { "sly/_fast.so": "x" }, "holds native code (sly/_fast.so)"],
    ["win-1.0-py3-none-any.whl", { "win.pyd": "x" }, "holds code for another system (win.pyd)"],
    [
      "odd-1.0-cp314-cp314-x.whl",
      { "odd.so": "x" },
      "holds native code (odd.so) that cannot be read",
    ],
    ["rude-1.0-py3-none-any.whl", { "../evil.py": "x" }, "holds a path that leaves it"],
    ["bare-1.0-py3-none-any.whl", { "bare.py": "x = 1" }, "has no metadata"],
  ];
  for (const [name, files, says] of cases) {
    const given = await libraryParts([await makeWheel(name, files)]);
    const error = assertThrows(() => packLibrary(parts, given), WheelError);
    assert(error.message.startsWith(`${name} `), error.message);
    assertStringIncludes(error.message, says);
  }
  const broken = { name: "broken-1.0-py3-none-any.whl", bytes: new Uint8Array(100) };
  const given = await libraryParts([broken]);
  const error = assertThrows(() => packLibrary(parts, given), WheelError);
  assertEquals(error.message, `${broken.name} cannot be unpacked: File is not a zip file`);
});
