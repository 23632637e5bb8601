/**
 * The corpus of ordinary programs, and how a run of one is compared with what CPython did.
 */
import type { Ran } from "./support.ts";

/** What a shell shows of a program. */
export interface Shown {
  readonly stdout: string;
  readonly stderr: string;
  readonly status: number;
}

const CORPUS = new URL("../../corpus/python/", import.meta.url);
/** Where library frames point to is not ours to keep: place and lines differ between versions. */
const LIBRARY_FRAME = /File "[^"]*\/(?:python3\.\d+|python\d+\.zip)\/([^"]+)", line \d+/g;
const LIBRARY_PATH = /\([^()]*\/(?:python3\.\d+|python\d+\.zip)\/([^()]+?)c?\)/g;
/** The line that our ModuleNotFoundError has more than CPython's. */
const INSTALLED = /^(?:Only the standard library is installed here|Installed here: .*)\.\n/gm;

/** Names of the programs there are. */
export async function programNames(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL("programs/", CORPUS))) {
    names.push(name.replace(/\.py$/, ""));
  }
  return names.sort();
}

/** The source of a program. */
export function readProgram(name: string): Promise<string> {
  return Deno.readTextFile(new URL(`programs/${name}.py`, CORPUS));
}

/** What CPython did, by program. */
export async function readExpected(): Promise<ReadonlyMap<string, Shown>> {
  const { programs }: { programs: Record<string, Shown> } = JSON.parse(
    await Deno.readTextFile(new URL("expected.json", CORPUS)),
  );
  return new Map(Object.entries(programs));
}

/** Without what may differ. */
export function comparable(shown: Shown): Shown {
  const stderr = shown.stderr.replaceAll(LIBRARY_FRAME, 'File "$1"')
    .replaceAll(LIBRARY_PATH, "($1)").replaceAll(INSTALLED, "");
  return { ...shown, stderr };
}

/** What a shell would have shown of a run. */
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
