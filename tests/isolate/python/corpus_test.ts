import { assert, assertEquals } from "@std/assert";
import { type Ran, run } from "./support.ts";

interface Expected {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const CORPUS = new URL("../../corpus/python/", import.meta.url);
const MINIMUM_PROGRAMS = 120;
/** Where library frames point to is not ours to keep: place and lines differ between versions. */
const LIBRARY_FRAME = /File "[^"]*\/(?:python3\.\d+|python\d+\.zip)\/([^"]+)", line \d+/g;
const LIBRARY_PATH = /\([^()]*\/(?:python3\.\d+|python\d+\.zip)\/([^()]+?)c?\)/g;
/** The line that our ModuleNotFoundError has more than CPython's. */
const INSTALLED = /^(?:Only the standard library is installed here|Installed here: .*)\.\n/gm;

function comparable(text: string): string {
  return text.replaceAll(LIBRARY_FRAME, 'File "$1"').replaceAll(LIBRARY_PATH, "($1)")
    .replaceAll(INSTALLED, "");
}

/** What a shell would have shown of a run. */
function asProcess({ ending, stdout, stderr }: Ran): Expected {
  if (ending.kind === "error" && ending.error.name === "SystemExit") {
    return { stdout, stderr, status: Number(ending.error.message.split(" ").at(-1)) };
  }
  if (ending.kind === "error") {
    const printed = `${ending.error.traceback.join("\n")}\n`;
    return { stdout, stderr: stderr + printed, status: 1 };
  }
  const ended = ending.kind !== "limit" && ending.kind !== "crash";
  return { stdout, stderr, status: ended ? 0 : -1 };
}

const { programs }: { programs: Record<string, Expected> } = JSON.parse(
  await Deno.readTextFile(new URL("expected.json", CORPUS)),
);

Deno.test("corpus: there are enough programs, and each has been recorded", async () => {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("programs/", CORPUS))) {
    names.push(name.replace(/\.py$/, ""));
  }
  assertEquals(names.sort(), Object.keys(programs).sort());
  assert(names.length >= MINIMUM_PROGRAMS);
});

for (const [name, expected] of Object.entries(programs)) {
  Deno.test(`corpus: ${name} does what it does under CPython`, async () => {
    const code = await Deno.readTextFile(new URL(`programs/${name}.py`, CORPUS));
    const got = asProcess(await run(code));
    assertEquals(
      { ...got, stderr: comparable(got.stderr) },
      { ...expected, stderr: comparable(expected.stderr) },
    );
  });
}
