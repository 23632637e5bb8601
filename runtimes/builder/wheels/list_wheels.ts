/**
 * `deno task wheels list`: the packages in a folder, and what needs each of them.
 *
 * @module
 */
import { fileDigest } from "../trusted_files.ts";
import { engineTags, parseWheelName, wheelRefusal } from "../wheel_name.ts";
import type { LockedWheel, WheelsLock } from "../wheels_lock.ts";
import { type FolderFile, kindOf, unknownFiles, WheelFolder } from "./folder.ts";
import { sizeWords } from "../command/progress.ts";
import { parseRequirement, type Requirement, requirementText } from "./requirement.ts";
import { requestedOf } from "./session.ts";

const NO_LOCK: WheelsLock = {
  version: 1,
  engine: { python: "", platform: "" },
  requested: [],
  packages: [],
};

/** Describes a folder, one line for each file. Reads every wheel and changes nothing. */
export async function listWheels(path: string): Promise<readonly string[]> {
  const found = await WheelFolder.look(path);
  const { lock = NO_LOCK } = found;
  const rows = await Promise.all(lock.packages.map(async (wheel) => [
    wheel.name,
    wheel.version,
    kindOf(wheel),
    sizeWords(wheel.size),
    reasonOf(wheel, lock),
    await faultOf(wheel, path, found.files),
  ]));
  const own = await Promise.all(unknownFiles(found).map(ownLine));
  if (rows.length + own.length === 0) return [`${path} has no packages`];
  return [
    ...table(rows),
    ...(own.length === 0 ? [] : ["Your own files, which no command deletes:", ...own]),
  ];
}

function reasonOf({ name }: LockedWheel, lock: WheelsLock): string {
  const asked = requestedOf(lock).get(name);
  if (asked !== undefined) {
    const text = requirementText(asked);
    return text === name ? "asked for" : `asked for as ${text}`;
  }
  const owners = [...ownersIn(lock).get(name) ?? []];
  return owners.length === 0 ? "for your own wheels" : `for ${owners.sort().join(", ")}`;
}

async function faultOf(
  { file, sha256 }: LockedWheel,
  path: string,
  files: readonly FolderFile[],
): Promise<string> {
  if (!files.some((found) => found.file === file)) return "MISSING: add fetches it";
  const isSame = await fileDigest(`${path}/${file}`) === sha256;
  return isSame ? "" : "CHANGED: add fetches it again";
}

async function ownLine({ file, size }: FolderFile): Promise<string> {
  const words = `  ${JSON.stringify(file).slice(1, -1)}  ${sizeWords(size)}`;
  if (!file.endsWith(".whl")) return `${words}  not a wheel: the build ignores it`;
  const refusal = wheelRefusal(file, await engineTags());
  if (refusal !== undefined) return `${words}  the build refuses it`;
  const { name, version } = parseWheelName(file) ?? {};
  return `${words}  ${name} ${version}`;
}

/** Pads each column to the width of its longest cell. */
function table(rows: readonly (readonly string[])[]): readonly string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  );
  return rows.map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ").trimEnd()
  );
}

/** For each package, the names of the packages that need it, with the extras in use. */
function ownersIn(lock: WheelsLock): ReadonlyMap<string, ReadonlySet<string>> {
  const packages = new Map(lock.packages.map((wheel) => [wheel.name, wheel]));
  const owners = new Map<string, Set<string>>();
  const seen = new Set<string>();
  const pending = lock.requested.flatMap(parsed);
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { name } = next;
    const wheel = packages.get(name);
    for (const extra of ["", ...next.extras]) {
      if (wheel === undefined || seen.has(`${name}[${extra}]`)) continue;
      seen.add(`${name}[${extra}]`);
      const needs = (extra === "" ? wheel.requires : wheel.extras[extra] ?? []).flatMap(parsed);
      for (const need of needs) {
        owners.set(need.name, (owners.get(need.name) ?? new Set()).add(name));
        pending.push(need);
      }
    }
  }
  return owners;
}

function parsed(text: string): readonly Requirement[] {
  const requirement = parseRequirement(text);
  return requirement === undefined ? [] : [requirement];
}
