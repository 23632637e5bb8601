// test: long
/** Real native wheels in the interpreter: what works, and how what does not end ends. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { Ending } from "../../../../runtimes/engine/engine.ts";
import {
  anotherEngineRuns,
  builtWithWheels,
  engineWithWheels,
  errorWithWheels as errorOf,
  runWithWheels,
  valueWithWheels as valueOf,
  wheelTest,
} from "../../../support/native_wheels.ts";
import { runOn, WIDE_LIMITS } from "../../../support/engine_runs.ts";
import { show } from "./support.ts";

function json(ending: Ending): unknown {
  assert(ending.kind === "json", show(ending));
  return JSON.parse(ending.json);
}

wheelTest("native: numpy computes", ["numpy"], async () => {
  const value = await valueOf(`
import numpy as np
a = np.arange(6.).reshape(2, 3)
[a.sum(), (a @ a.T).tolist(), np.linalg.solve([[2., 0.], [0., 4.]], [2., 4.]).tolist(),
 str(np.float32(1.5)), np.fft.fft([1, 0, 0, 0]).real.tolist(), np.strings.upper(["a"]).tolist(),
 np.sort([3, 1, 2]).tolist(), np.frombuffer(b"\\x01\\x02", np.uint8).tolist()]`);
  assertEquals(value, [
    15,
    [[5, 14], [14, 50]],
    [1, 1],
    "1.5",
    [1, 1, 1, 1],
    ["A"],
    [1, 2, 3],
    [1, 2],
  ]);
});

wheelTest(
  "native: a preloaded module is imported in a small part of the fuel",
  ["numpy"],
  async () => {
    const { fuelConsumed } = await runWithWheels("import numpy");
    const { fuelConsumed: nothing } = await runWithWheels("1");
    assert(fuelConsumed < 4 * nothing, `${fuelConsumed} against ${nothing}`);
  },
);

wheelTest(
  "native: preloaded numpy.random differs from run to run, and can be seeded",
  ["numpy"],
  async () => {
    const draw = "import numpy as np\nnp.random.rand(4).tolist()";
    const draws = [await valueOf(draw), await valueOf(draw), await valueOf(draw)];
    assertEquals(new Set(draws.map((each) => JSON.stringify(each))).size, 3);
    const seeded = "import numpy as np\nnp.random.seed(7)\nnp.random.rand(4).tolist()";
    assertEquals(await valueOf(seeded), await valueOf(seeded));
    const fresh = "import numpy as np\nnp.random.default_rng().random(3).tolist()";
    assertNotEquals(await valueOf(fresh), await valueOf(fresh));
  },
);

wheelTest(
  "native: in a context numpy.random goes on where the last run left it",
  ["numpy"],
  async () => {
    const engine = await engineWithWheels();
    const next = (code: string) =>
      json(runOn(engine, { code, inContext: true, limits: WIDE_LIMITS }).ending);
    engine.reset();
    const whole = next("import numpy as np\nnp.random.seed(3)\nnp.random.rand(4).tolist()");
    engine.reset();
    const first = next("import numpy as np\nnp.random.seed(3)\nnp.random.rand(2).tolist()");
    const second = next("np.random.rand(2).tolist()");
    assert(Array.isArray(first) && Array.isArray(second));
    assertEquals([...first, ...second], whole);
  },
);

wheelTest("native: no other module can be loaded", ["numpy"], async () => {
  const refused = "native extension modules cannot be loaded here";
  const copied = `
import shutil, numpy
shutil.copy(numpy._core._multiarray_umath.__file__, "/workspace/evil.so")
import evil`;
  assertEquals(await errorOf(copied), ["ImportError", refused]);
  assertEquals(await errorOf(`open("evil.so", "wb").write(b"\\0asm\\1\\0\\0\\0")\nimport evil`), [
    "ImportError",
    refused,
  ]);
  const forged = `
import _imp, importlib.machinery, numpy
path = numpy._core._multiarray_umath.__file__
_imp.create_dynamic(importlib.machinery.ModuleSpec("evil", None, origin=path))`;
  assertEquals((await errorOf(forged))[0], "ImportError");
  const fresh = (path: string) => `
import _imp, importlib.machinery as m, importlib.util
fresh = _imp.create_builtin(importlib.util.spec_from_loader("_imp", m.BuiltinImporter))
open("/workspace/evil.so", "wb").write(b"\\0asm\\1\\0\\0\\0")
fresh.create_dynamic(m.ModuleSpec("evil", None, origin=${JSON.stringify(path)}))`;
  for (
    const path of [
      "/workspace/evil.so",
      "/lib/python3.14/site-packages/../evil.so",
      "",
      "x".repeat(70_000),
    ]
  ) {
    const [name] = await errorOf(fresh(path));
    assert(["ImportError", "OSError", "FileNotFoundError"].includes(name), name);
  }
});

wheelTest(
  "native: the file of a module says what it is, and cannot be written",
  ["numpy"],
  async () => {
    assertEquals(
      await valueOf(`
import numpy._core._multiarray_umath as m
text = open(m.__file__).read()
try: open(m.__file__, "w")
except OSError as error: text += error.strerror
[text]`),
      ["linked into the interpreter\nRead-only file system"],
    );
  },
);

wheelTest(
  "native: endless work in native code ends by fuel, also under except",
  ["numpy"],
  async () => {
    const long = (body: string) => `
import numpy as np
a = np.ones((300, 300)); b = np.arange(200_000.)
while True:
    try: ${body}
    except BaseException: pass`;
    for (
      const body of ["a @ a", "np.sort(b[::-1])", "np.fft.fft(b)", "np.linalg.inv(a + np.eye(300))"]
    ) {
      const { ending, fuelConsumed, intact } = await runWithWheels(long(body), 300_000_000);
      assert(ending.kind === "limit" && ending.limit === "fuel", `${body}: ${show(ending)}`);
      assertEquals([fuelConsumed, intact], [300_000_000, false]);
    }
  },
);

wheelTest(
  "native: memory that is refused is a MemoryError, and the run goes on",
  ["numpy"],
  async () => {
    assertEquals(
      await valueOf(`
import numpy as np
kept = []
try:
    while True: kept.append(np.ones(1_000_000))
except MemoryError as error:
    name = type(error).__mro__[1].__name__
n = len(kept); kept.clear()
[name, n > 10, np.ones(1000).sum()]`),
      ["MemoryError", true, 1000],
    );
  },
);

wheelTest(
  "native: equal programs take equal fuel, in 20 runs and two engines",
  ["numpy"],
  async () => {
    const code = `
import numpy as np
a = np.linspace(0, 1, 400).reshape(20, 20)
[float(np.linalg.det(a + np.eye(20))), np.sort(a, axis=None)[:3].tolist(), str(a.mean())]`;
    const runs: (readonly [number, unknown])[] = [];
    for (let index = 0; index < 20; index++) {
      const { fuelConsumed, ending } = await runWithWheels(code);
      runs.push([fuelConsumed, json(ending)]);
    }
    runs.push(...await anotherEngineRuns(code));
    for (const run of runs) assertEquals(run, runs[0]);
  },
);

wheelTest("native: a reset leaves nothing: memory is the image's again", ["numpy"], async () => {
  const engine = await engineWithWheels();
  const digest = async () =>
    new Uint8Array(await crypto.subtle.digest("SHA-256", engine.state.memory())).toHex();
  engine.reset();
  const before = await digest();
  await runWithWheels("import numpy as np\nnp.arange(10) @ np.arange(10); np.random.rand()");
  assertNotEquals(await digest(), before);
  engine.reset();
  assertEquals(await digest(), before);
});

wheelTest(
  "native: the linked module imports what the interpreter imports, and keeps four globals",
  ["numpy"],
  async () => {
    const { module } = await builtWithWheels();
    const names = WebAssembly.Module.exports(new WebAssembly.Module(module));
    assertEquals(names.filter(({ name }) => /^__g\d/.test(name)).map(({ name }) => name), [
      "__g281",
      "__g282",
      "__g283",
    ]);
  },
);
