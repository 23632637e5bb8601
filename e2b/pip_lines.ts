/**
 * `!pip install` in Python, as notebooks have it: programs for E2B begin with it. Nothing is
 * installed. The answer says what is there already and what the operator has to add, as output: pip
 * raises nothing in a notebook either.
 *
 * @module
 */
import type { InstalledPackage } from "../client/protocol/types.ts";

const INSTALL = /^[!%]\s*pip3?\s+install\b(.*)$/;
/** The name at the beginning of a requirement. */
const NAME = /^["']?([A-Za-z0-9][A-Za-z0-9._-]*)/;

/**
 * What a program prints that does nothing but install packages, line by line; undefined for any
 * other program.
 */
export function pipOutput(
  code: string,
  packages: readonly InstalledPackage[],
): readonly string[] | undefined {
  const lines = code.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const installs = lines.map((line) => INSTALL.exec(line)?.[1]);
  if (lines.length === 0 || installs.includes(undefined)) return undefined;
  return installs.flatMap((rest = "") => namesIn(rest).map((name) => outcome(name, packages)));
}

function namesIn(text: string): readonly string[] {
  return text.split(/\s+/).flatMap((word) => {
    const [, name] = NAME.exec(word) ?? [];
    return name === undefined ? [] : [name];
  });
}

function outcome(wanted: string, packages: readonly InstalledPackage[]): string {
  const name = normalised(wanted);
  const found = packages.find((known) => normalised(known.name) === name);
  return found === undefined
    ? `ERROR: ${wanted} is not there. The operator of the service adds packages: deno task wheels add ${name}`
    : `Requirement already satisfied: ${found.name} (${found.version})`;
}

function normalised(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
