/**
 * Puts a chosen package and its dependencies into a temporary folder, from which it is bundled. No
 * script of a package runs.
 *
 * @module
 */
import type { Progress } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { allOf, type ChosenPackage } from "./resolver.ts";
import { integrityOf, type Registry } from "./registry.ts";
import { readTarball, writeFiles } from "./tarball.ts";

const MIB = 1024 * 1024;
/** Maximum bytes of a package and its dependencies. */
const MAX_BYTES = 1024 * MIB;
/** Files that only a compiler of native code needs. */
const NATIVE = /^binding\.gyp$|\.node$/;

/** A package in a temporary folder. */
export interface Installed extends AsyncDisposable {
  /** The folder, which has a `node_modules`. */
  readonly root: string;
  /** The folder of a chosen package. */
  folderOf(one: ChosenPackage): string;
}

/** Fetches and unpacks. Throws a CommandRefused. */
export async function install(
  first: ChosenPackage,
  registry: Registry,
  progress: Progress,
): Promise<Installed> {
  const root = await Deno.realPath(await Deno.makeTempDir({ prefix: "belljar-packages-" }));
  const dispose = () => Deno.remove(root, { recursive: true });
  const homeOf = ({ name, version }: ChosenPackage) =>
    `${root}/node_modules/.store/${name.replace("/", "+")}@${version}/node_modules`;
  const folderOf = (one: ChosenPackage) => `${homeOf(one)}/${one.name}`;
  try {
    let bytes = 0;
    for (const one of allOf(first)) {
      const label = `${one.name} ${one.version}`;
      integrityOf(one.name, one.version, one.manifest.dist);
      const tarball = await progress.file(
        `${one.name}-${one.version}.tgz`,
        (onBytes) => registry.tarball(one.name, one.manifest, onBytes),
      );
      const files = await readTarball(tarball, label);
      bytes += files.reduce((sum, file) => sum + file.bytes.length, 0);
      if (bytes > MAX_BYTES) {
        throw new CommandRefused(
          `${first.name} and its dependencies have more than ${MAX_BYTES / MIB} MiB`,
        );
      }
      const native = files.find(({ path }) => NATIVE.test(path));
      if (one === first && native !== undefined) {
        throw new CommandRefused(
          `${label} has native code (${native.path}), which cannot run here: choose a package in JavaScript`,
        );
      }
      await writeFiles(folderOf(one), files);
    }
    for (const one of allOf(first)) await link(homeOf(one), one.dependencies, folderOf);
    await link(`${root}/node_modules`, new Map([[first.name, first]]), folderOf);
    return { root, folderOf, [Symbol.asyncDispose]: dispose };
  } catch (thrown) {
    await dispose();
    throw thrown;
  }
}

async function link(
  home: string,
  packages: ReadonlyMap<string, ChosenPackage>,
  folderOf: (one: ChosenPackage) => string,
): Promise<void> {
  for (const [alias, one] of packages) {
    const place = `${home}/${alias}`;
    if (place === folderOf(one)) continue;
    await Deno.mkdir(place.slice(0, place.lastIndexOf("/")), { recursive: true });
    await Deno.symlink(folderOf(one), place, { type: "dir" });
  }
}
