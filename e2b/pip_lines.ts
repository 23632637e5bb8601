/**
 * `!pip install` in Python, as in notebooks: many programs for E2B begin with it. Nothing is
 * installed. The output lists the installed packages and those that the operator has to add. It is no
 * error, because pip raises none in a notebook either.
 *
 * @module
 */
import type { InstalledPackage } from "../client/protocol/types.ts";
import { SHARED_LIMITS } from "../wire/limits.ts";

/** Most packages that are looked up: the answer is not metered as a run is. */
const MOST_NAMES = 100;
const INSTALL = /^[!%]\s*pip3?\s+install\b(.*)$/;
/** The name at the beginning of a requirement. */
const NAME = /^["']?([A-Za-z0-9][A-Za-z0-9._-]*)/;

/** The output lines of a program that only installs packages; undefined for any other program. */
export function pipOutput(
  code: string,
  packages: readonly InstalledPackage[],
): readonly string[] | undefined {
  if (code.length > SHARED_LIMITS.codeBytes) return undefined;
  const lines = code.split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const installs = lines.map((line) => INSTALL.exec(line)?.[1]);
  if (lines.length === 0 || installs.includes(undefined)) return undefined;
  const names = installs.flatMap((rest = "") => namesIn(rest));
  return names.slice(0, MOST_NAMES).map((name) => outcome(name, packages));
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
    ? `ERROR: ${wanted} is not installed. The operator of the service adds packages: deno task wheels add ${name}`
    : `Requirement already satisfied: ${found.name} (${found.version})`;
}

function normalised(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}
