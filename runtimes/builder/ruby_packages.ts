/**
 * The operator's gems as files of the Ruby guest.
 *
 * @module
 */
import { RuntimesRefused } from "../../shared/binding.ts";
import type { OperatorPackages } from "./operator_packages.ts";
import { findFiles, readFound } from "./package_folder.ts";

const VARIABLE = "RUBY_PACKAGES";
/** Where the guest finds gems: its driver puts the `lib` of each one on the load path. */
const PLACE = "/lib/gems";
const LIMITS = { files: 20_000, bytes: 64 * 1024 * 1024 } as const;
const GEM = /^([A-Za-z0-9_][A-Za-z0-9._-]*)-(\d[0-9A-Za-z.]*)$/;
const NATIVE = /\.(?:so|bundle|dll|dylib|o)$|(?:^|\/)extconf\.rb$/i;
/** Code for Ruby in Java, which gems for all platforms carry besides their Ruby. */
const JAVA = /\.(?:jar|java)$/i;
/** Folders of a gem that no program loads. */
const UNUSED = new Set(
  "test tests spec features bench benchmark benchmarks doc docs example examples sig rbi".split(
    " ",
  ),
);

/** Reads a folder with a folder for each gem. Throws a RuntimesRefused. */
export async function readRubyPackages(folder: string): Promise<OperatorPackages> {
  const refuse = (reason: string) => new RuntimesRefused(`${VARIABLE}: ${reason}`);
  const found = (await findFiles(folder, VARIABLE, LIMITS)).filter(({ file }) =>
    file.includes("/")
  );
  const gems = Map.groupBy(found, ({ file }) => file.slice(0, file.indexOf("/")));
  const versions = new Map<string, string>();
  for (const [gem, files] of gems) {
    const [, name, version] = GEM.exec(gem) ?? [];
    if (name === undefined || version === undefined) {
      throw refuse(
        `${gem} is not the folder of a gem for all platforms, such as rack-3.1.8`,
      );
    }
    const native = files.find(({ file }) => NATIVE.test(file));
    if (native !== undefined) {
      throw refuse(
        `${native.file} belongs to native code, which cannot run here: only gems in Ruby can be added`,
      );
    }
    if (!files.some(({ file }) => file.startsWith(`${gem}/lib/`))) {
      throw refuse(`${gem} has no folder lib`);
    }
    const other = versions.get(name);
    if (other !== undefined) throw refuse(`${name} is there twice: ${other} and ${version}`);
    versions.set(name, version);
  }
  const used = found.filter(({ file }) =>
    !UNUSED.has(file.split("/")[1] ?? "") && !JAVA.test(file)
  );
  const files = await readFound(folder, VARIABLE, used);
  return {
    installed: [...versions].map(([name, version]) => ({ name, version }))
      .sort((a, b) => a.name < b.name ? -1 : 1),
    files: files.map(({ file, bytes }) => [`${PLACE}/${file}`, bytes]),
    preload: [],
  };
}
