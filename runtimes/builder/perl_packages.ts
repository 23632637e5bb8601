/**
 * The operator's modules for Perl as files of the guest.
 *
 * @module
 */
import type { InstalledPackage } from "../../client/protocol/types.ts";
import { RuntimesRefused } from "../../shared/binding.ts";
import type { LibraryFile } from "../engine/packed_library.ts";
import type { OperatorPackages } from "./operator_packages.ts";
import { findFiles, readFound } from "./package_folder.ts";
import type { PackageFile } from "./packages_lock.ts";

const VARIABLE = "PERL_PACKAGES";
const FOLDER = "lib";
/** Where Perl itself looks for modules of a site: a part of `@INC`, and empty without these. */
const PLACE = "/zeroperl/lib/site_perl/5.42.0";
/** The names of the modules, for the error of a missing one. */
const LIST = "/zeroperl/lib/site_perl/modules";
const LIMITS = { files: 20_000, bytes: 64 * 1024 * 1024 } as const;
/** Files of native code, or to be made into it. */
const NATIVE = /\.(?:xs|so|bs|o|a|c|h|dll|dylib|bundle)$/i;
const MODULE = /^(?:[A-Za-z_]\w*\/)*[A-Za-z_]\w*\.pm$/;
/** The beginning of a module, in bytes, and the longest line that may have its version. */
const HEAD_BYTES = 64 * 1024;
const MAX_LINE = 200;
const VERSION =
  /\bVERSION\s*=\s*(?:version->declare\()?['"]?(v?\d[\d._]*)|^package \S+ (v?\d[\d._]*)[;\s{]/;

/** Reads a folder. Throws a RuntimesRefused. */
export async function readPerlPackages(folder: string): Promise<OperatorPackages> {
  const found = await findFiles(folder, VARIABLE, LIMITS);
  const own = found.filter(({ file }) => file.startsWith(`${FOLDER}/`));
  const native = own.find(({ file }) => NATIVE.test(file));
  if (native !== undefined) {
    throw new RuntimesRefused(
      `${VARIABLE}: ${native.file} belongs to native code, which cannot run here: ` +
        "only modules in Perl can be added",
    );
  }
  if (own.length === 0) {
    throw new RuntimesRefused(`${VARIABLE} must name a folder that has modules in its folder lib`);
  }
  const files = (await readFound(folder, VARIABLE, own))
    .map(({ file, bytes }) => ({ file: file.slice(FOLDER.length + 1), bytes }));
  const installed = modulesOf(files);
  const list = new TextEncoder().encode(installed.map(({ name }) => `${name}\n`).join(""));
  return {
    installed,
    files: [
      [LIST, list],
      ...files.map(({ file, bytes }): LibraryFile => [`${PLACE}/${file}`, bytes]),
    ],
    preload: [],
  };
}

/** The modules that are not below another one: `Moo`, and not `Moo::Role`. */
function modulesOf(files: readonly PackageFile[]): readonly InstalledPackage[] {
  const modules = new Map(
    files.filter(({ file }) => MODULE.test(file)).map(({ file, bytes }) => [
      file.slice(0, -".pm".length).replaceAll("/", "::"),
      bytes,
    ]),
  );
  const isBelow = (name: string) => {
    const parts = name.split("::");
    return parts.some((_, index) => index > 0 && modules.has(parts.slice(0, index).join("::")));
  };
  return [...modules].filter(([name]) => !isBelow(name))
    .map(([name, bytes]) => ({ name, version: versionOf(bytes) }))
    .sort((a, b) => a.name < b.name ? -1 : 1);
}

function versionOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes.subarray(0, HEAD_BYTES));
  for (const line of text.split("\n")) {
    const match = line.length > MAX_LINE ? null : VERSION.exec(line);
    const version = match?.[1] ?? match?.[2];
    if (version !== undefined) return version;
  }
  return "0";
}
