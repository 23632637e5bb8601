// test: long
/**
 * Tests of the corpus itself: a fault planted in the driver or in the file system must make one of
 * its programs differ. No program that a shell runs shows the mapping of values: values_test.ts
 * finds those faults.
 */
import { assertExists } from "@std/assert";
import {
  driverSources,
  libraryParts,
} from "../../../../runtimes/languages/python/build/builder.ts";
import { bootImage } from "../../../../runtimes/languages/python/build/boot.ts";
import {
  PythonEngine,
  type PythonEngineOptions,
} from "../../../../runtimes/languages/python/engine.ts";
import { packLibrary } from "../../../../runtimes/languages/python/build/pack_library.ts";
import { asProcess, comparable, readExpected, readProgram } from "./corpus.ts";
import { bootableModule, engineParts, runIn } from "./support.ts";

/** Fault, driver file, text in it, replacement. */
const DRIVER_FAULTS: readonly (readonly [string, string, string, string])[] = [
  [
    "exit functions do not run",
    "entry.py",
    "yield from attempt(_run_exit_functions)",
    "pass",
  ],
  ["streams are exchanged", "exits.py", '.get("stderr")', '.get("stdout")'],
  ["an exit status is lost", "exits.py", "int.__and__(code, 255)", "0"],
  ["no source lines", "sources.py", "_cache[FILE_NAME] =", "_unused ="],
  ["sleep does not wait", "restrictions.py", "_advise(_SLEEP", "if 0: _advise(_SLEEP"],
  [
    "statements run twice",
    "program.py",
    "yield from _evaluation(statements, session)",
    "yield from _evaluation(statements, session)\n        yield from _evaluation(statements, session)",
  ],
  [
    "only the last expression runs",
    "program.py",
    "if statements is not None",
    "if statements is None",
  ],
];

/** The first program that differs, if one does. */
async function differing(parts: PythonEngineOptions): Promise<string | undefined> {
  const engine = new PythonEngine(parts);
  for (const [name, expected] of await readExpected()) {
    engine.reset();
    const got = comparable(asProcess(runIn(engine, readProgram(name))));
    if (JSON.stringify(got) !== JSON.stringify(comparable(expected))) return name;
  }
  return undefined;
}

async function partsWithTime(): Promise<PythonEngineOptions> {
  const time = { now: () => Date.now(), monotonic: () => performance.now() };
  return { ...await engineParts(), time };
}

Deno.test("corpus: each fault planted in the driver makes programs differ", async (test) => {
  const parts = { ...await partsWithTime(), module: await bootableModule() };
  const library = packLibrary(parts, await libraryParts([]));
  const sources = await driverSources();
  for (const [fault, file, from, to] of DRIVER_FAULTS) {
    await test.step(fault, async () => {
      const sound = sources.get(file) ?? "";
      const driver = new Map(sources).set(file, sound.replace(from, to));
      if (!sound.includes(from)) throw new Error(`${file} has no ${from}`);
      assertExists(
        await differing({ ...parts, image: bootImage({ ...parts, ...library, driver }) }),
      );
    });
  }
});

Deno.test("corpus: each fault planted in the file system makes programs differ", async (test) => {
  const parts = await partsWithTime();
  const faults: readonly (readonly [string, Partial<PythonEngineOptions>])[] = [
    ["files end after ten bytes", { fileLimits: { fileBytes: 10 } }],
    ["four descriptors", { fileLimits: { descriptors: 4 } }],
    ["one entry", { fileLimits: { entries: 1 } }],
    ["no library", { readOnlyFiles: [] }],
  ];
  for (const [fault, changed] of faults) {
    await test.step(fault, async () => {
      assertExists(await differing({ ...parts, ...changed }));
    });
  }
});
