/** The corpus of ordinary programs, and the comparison of their runs with CPython's. */
import { readArchive } from "../../../corpus/archive.ts";
import type { Ran } from "./support.ts";

/** The output of a shell for a program. */
export interface Shown {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const EXPECTED = new URL("../../../corpus/python/expected.json", import.meta.url);
const PROGRAMS = readArchive("python");
/** Positions of library frames are not compared: paths and lines differ between versions. */
const LIBRARY_FRAME = /File "[^"]*\/(?:python3\.\d+|python\d+\.zip)\/([^"]+)", line \d+/g;
const LIBRARY_PATH = /\([^()]*\/(?:python3\.\d+|python\d+\.zip)\/([^()]+?)c?\)/g;
/** The line that ModuleNotFoundError has in addition to CPython's text. */
const INSTALLED = /^(?:Only the standard library is installed here|Installed here: .*)\..*\n/gm;

/** Names of all programs. */
export function programNames(): readonly string[] {
  return [...PROGRAMS.keys()].map((name) => name.replace(/\.py$/, ""));
}

/** The source of a program. */
export function readProgram(name: string): string {
  const code = PROGRAMS.get(`${name}.py`);
  if (code === undefined) throw new Error(`There is no program ${name}`);
  return code;
}

/** CPython's recorded outcomes, by program. */
export async function readExpected(): Promise<ReadonlyMap<string, Shown>> {
  const { programs }: { programs: Record<string, Shown> } = JSON.parse(
    await Deno.readTextFile(EXPECTED),
  );
  return new Map(Object.entries(programs));
}

/** An outcome without the parts that may differ. */
export function comparable(shown: Shown): Shown {
  const stderr = shown.stderr.replaceAll(LIBRARY_FRAME, 'File "$1"')
    .replaceAll(LIBRARY_PATH, "($1)").replaceAll(INSTALLED, "");
  return { ...shown, stderr };
}

/** The output of a shell for a run. */
export function asProcess({ ending, stdout, stderr }: Ran): Shown {
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
