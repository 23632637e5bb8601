// test: long
/**
 * Modules that are in Python's image from the start.
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { driverSources } from "../../../runtimes/languages/python/build/builder.ts";
import {
  decodePythonImage,
  encodePythonImage,
} from "../../../runtimes/languages/python/host/artifact.ts";
import { bootImage, PYTHON_PATHS } from "../../../runtimes/languages/python/build/boot.ts";
import { differenceOf } from "../../../runtimes/engine/image_difference.ts";
import { createPythonEngine } from "../../../runtimes/languages/python/create.ts";
import { PreloadError } from "../../../runtimes/languages/python/build/natives.ts";
import { makeWheel } from "../languages/python/wheel_maker.ts";
import { bootableModule } from "../languages/python/support.ts";
import { trampolineBytes } from "../../../runtimes/languages/python/host/trampoline.ts";
import { WASM_PAGE_BYTES } from "../../../wasm/metering/wasm_page.ts";
import { MEMORY_BYTES } from "../../../shared/limits.ts";
import { builtIsolate } from "../../support/built.ts";
import { startProgram } from "../../support/program.ts";
import { execute } from "../../support/service.ts";
import { runOn, WIDE_LIMITS } from "../../support/engine_runs.ts";

const SCRIPT = new URL(
  "../../../runtimes/languages/python/guest/native_modules.py",
  import.meta.url,
);

/**
 * The built engine with an image of these modules; `packages` are files of `site-packages`. `second`:
 * modules of a second baseline.
 */
async function builtWith(
  preload: readonly string[],
  packages: Readonly<Record<string, string>> = {},
  second: readonly string[] = [],
) {
  const { artifact } = await builtIsolate("python");
  const { files, libraries } = decodePythonImage(artifact.image);
  const encoder = new TextEncoder();
  const added = Object.entries(packages).map(([name, text]) =>
    [`${PYTHON_PATHS.packages}/${name}`, encoder.encode(text)] as const
  );
  const script = await Deno.readTextFile(SCRIPT);
  const boot = {
    module: await bootableModule(),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: MEMORY_BYTES.python / WASM_PAGE_BYTES,
    files: [...files, ...added],
    packages: [],
    driver: await driverSources(),
    natives: { modules: [], heapBase: undefined, preload, script },
  };
  const image = bootImage(boot);
  const natives = { ...boot.natives, preload: [...preload, ...second] };
  const preloaded = second.length === 0
    ? undefined
    : differenceOf(bootImage({ ...boot, natives }), image);
  const all = [...files, ...added];
  return { ...artifact, image: encodePythonImage({ image, preloaded, files: all, libraries }) };
}

/** The fuel of programs, none of which may fail. */
async function fuelOf(
  built: Awaited<ReturnType<typeof builtWith>>,
  ...codes: readonly string[]
): Promise<readonly number[]> {
  const engine = await createPythonEngine({ ...built, memoryBytes: MEMORY_BYTES.python });
  return codes.map((code) => {
    engine.reset();
    const { ending, fuelConsumed } = runOn(engine, { code, limits: WIDE_LIMITS });
    assertEquals(ending.kind, "none", JSON.stringify(ending));
    return fuelConsumed;
  });
}

Deno.test("preload: importing a module of the image costs almost no fuel", async () => {
  const codes = ["import xmlrpc.client", "pass"];
  const [preloaded = 0, nothing = 0] = await fuelOf(await builtWith(["xmlrpc.client"]), ...codes);
  const [imported = 0] = await fuelOf(await builtWith([]), ...codes);
  assert(preloaded < 2 * nothing, `${preloaded} against ${nothing}`);
  assert(preloaded * 20 < imported, `${preloaded} against ${imported}`);
});

Deno.test("preload: a module that fails when it is imported is refused in one line", async () => {
  const refusals = {
    "raise ValueError('one\\ntwo')": "ValueError: one two",
    "import sys; sys.exit(3)": "SystemExit: 3",
    "def f(:": "SyntaxError: invalid syntax (fails.py, line 1)",
    "import _testcapi": "ModuleNotFoundError: No module named '_testcapi'",
  };
  for (const [source, reason] of Object.entries(refusals)) {
    const build = builtWith(["json", "fails"], { "fails.py": source });
    const { message } = await assertRejects(() => build, PreloadError);
    assertEquals(message, `fails cannot be imported: ${reason}`);
  }
});

Deno.test("preload: a name that cannot be imported stops the start with one line", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--quiet", "--allow-all", new URL("../../../main.ts", import.meta.url).href],
      env: { PORT: "0", LANGUAGES: "python", PYTHON_PRELOAD: "numpyy", CACHE_DIR: cache },
      stdin: "null",
    }).output();
    assertEquals(code, 1);
    assertEquals(
      new TextDecoder().decode(stderr).replaceAll(/^Building .*\n/gm, ""),
      "Belljar cannot start:\n  PYTHON_PRELOAD: numpyy cannot be imported: " +
        "ModuleNotFoundError: No module named 'numpyy'\n",
    );
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

Deno.test("preload: a package for data work that cannot be imported is said in the log of each start", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const wheel = await makeWheel("pandas-1.0-py3-none-any.whl", {
      "pandas/__init__.py": "import absent_package\n",
      "pandas-1.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: pandas\nVersion: 1.0\n",
      "pandas-1.0.dist-info/WHEEL":
        "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    });
    await Deno.mkdir(`${folder}/wheels`);
    await Deno.writeFile(`${folder}/wheels/${wheel.name}`, wheel.bytes);
    const env = {
      LANGUAGES: "python",
      PAGE: "0",
      PYTHON_WHEELS: `${folder}/wheels`,
      CACHE_DIR: `${folder}/cache`,
    };
    for (let start = 0; start < 2; start++) {
      await using service = await startProgram({ env });
      const { result } = await execute(service.url, "python", "import pandas");
      assertEquals(result.error?.name, "ModuleNotFoundError");
      const line = service.output().split("\n").find((each) => each.includes("one_baseline"));
      const { level, event, problem } = JSON.parse(line ?? "{}");
      assertEquals([level, event], ["warn", "python.one_baseline"]);
      assertEquals(
        problem,
        "pandas cannot be imported: ModuleNotFoundError: No module named 'absent_package'",
      );
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("preload: programs that warm up the second baseline leave nothing, and fuel is the same", async () => {
  // stand-ins that count their uses, in memory and in files
  const used = `
import pathlib, sys
class DataFrame:
    def __init__(self, *_):
        sys.uses = getattr(sys, "uses", 0) + 1
        pathlib.Path("/workspace/used").write_text("x")
        pathlib.Path("/tmp/used").write_text("x")
        bytearray(40_000_000)
`;
  const built = await builtWith([], { "pandas.py": used }, ["pandas"]);
  const memoryBytes = MEMORY_BYTES.python;
  const codes = [
    "import pandas, sys, os; [sys.uses, os.listdir('.'), os.path.exists('/tmp/used')]",
    "import sys, os; ['pandas' in sys.modules, hasattr(sys, 'uses'), os.listdir('.')]",
    "import pandas, os; pandas.DataFrame(); os.listdir('.')",
  ];
  const outcomes: unknown[] = [];
  for (const warmPreloads of [false, true]) {
    const engine = await createPythonEngine({ ...built, memoryBytes, warmPreloads });
    const first = runOn(engine, { code: codes[1] ?? "", limits: WIDE_LIMITS }); // no reset before
    assertEquals(first.ending, { kind: "json", json: "[false, false, []]" });
    outcomes.push([false, true, true, false].map((preloaded) => {
      return codes.map((code) => {
        engine.reset(preloaded);
        const { ending, fuelConsumed } = runOn(engine, { code, preloaded, limits: WIDE_LIMITS });
        return { ending: ending.kind === "error" ? ending.error.message : ending, fuelConsumed };
      });
    }));
  }
  assertEquals(outcomes[1], outcomes[0]);
});
