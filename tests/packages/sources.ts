/**
 * Fetches what the task needs into `.belljar`: the wheels of packages, what their tests import, and the
 * sources of packages whose wheels come without tests. Needs `tar`, and the network the first time.
 *
 * @module
 */
import { accessTo, Downloads } from "../../runtimes/builder/command/download.ts";
import { runWheels } from "../../runtimes/builder/wheels/command.ts";
import { folderNames } from "../support/folder_names.ts";

const ROOT = new URL("../../", import.meta.url);
const FOLDER = new URL(".belljar/", ROOT).pathname;
/** Where `.ci/run` and this machine may have wheels that no index carries, such as numpy's. */
const WHEELS_AT_HAND: readonly string[] = [
  Deno.env.get("TEST_WHEELS") ?? `${FOLDER}test-wheels`,
  new URL("../shared/wheels", ROOT).pathname,
  new URL("../shared/wheels/data", ROOT).pathname,
];
const MAX_BYTES = 256 * 1024 * 1024;

/** Wheels of packages under test, and of the modules that their tests import. */
interface WheelSet {
  readonly folder: string;
  /** Packages that no index carries: their wheels are taken from those at hand. */
  readonly atHand: readonly string[];
  /** Packages of the index, at exact versions. */
  readonly packages: readonly string[];
  /** Those that need the packages at hand. */
  readonly dependents: readonly string[];
}

const WHEEL_SETS = {
  native: {
    folder: "suite-wheels",
    atHand: ["numpy"],
    packages: [
      "pydantic==2.14.3",
      "uharfbuzz==0.57.0",
      "arro3-core==0.9.1",
      "pytest==9.2.0",
      "pytest-mock==3.17.0",
      "hypothesis==6.155.7",
      "dirty-equals==0.11",
      "cloudpickle==3.1.2",
      "python-dateutil==4.0.0",
      "pytz==2026.6",
      "email-validator==2.4.0",
    ],
    dependents: ["contourpy==1.4.0"],
  },
  data: {
    folder: "suite-wheels-data",
    atHand: ["numpy", "pandas", "matplotlib", "pillow", "kiwisolver"],
    packages: ["pytest==9.2.0", "hypothesis==6.155.7"],
    dependents: ["pandas==3.0.2", "matplotlib==3.10.8"],
  },
} as const satisfies Record<string, WheelSet>;

/** The name of a set of wheels. */
export type WheelSetName = keyof typeof WHEEL_SETS;

/** A source distribution. */
export interface Source {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

/** Copies the wheel of a package; returns whether there is one. */
async function copyWheel(packageName: string, to: string): Promise<boolean> {
  const isWheel = (name: string) => name.startsWith(`${packageName}-`) && name.endsWith(".whl");
  if (folderNames(to).some(isWheel)) return true;
  for (const folder of WHEELS_AT_HAND) {
    const name = folderNames(folder).find(isWheel);
    if (name === undefined) continue;
    await Deno.copyFile(`${folder}/${name}`, `${to}/${name}`);
    return true;
  }
  return false;
}

/** The folder of a set of wheels; what is missing is fetched. Throws when an index cannot be reached. */
export async function suiteWheels(set: WheelSetName): Promise<string> {
  const { folder: name, atHand, packages, dependents } = WHEEL_SETS[set];
  const folder = `${FOLDER}${name}`;
  await Deno.mkdir(folder, { recursive: true });
  const copied = await Promise.all(atHand.map((each) => copyWheel(each, folder)));
  const write = (text: string) => void Deno.stderr.writeSync(new TextEncoder().encode(text));
  const code = await runWheels({
    args: ["add", ...packages, ...copied.every(Boolean) ? dependents : []],
    folder,
    indexUrl: Deno.env.get("PIP_INDEX_URL"),
    distributionUrl: Deno.env.get("WHEELS_DISTRIBUTION_URL"),
  }, { print: write, progress: { write, isTerminal: false } });
  if (code !== 0) throw new Error("The wheels cannot be fetched");
  return folder;
}

/** Names of the packages of which a folder has wheels, as their files spell them. */
export function packagesIn(folder: string): ReadonlySet<string> {
  const wheels = folderNames(folder).filter((name) => name.endsWith(".whl"));
  return new Set(wheels.map((name) => name.slice(0, name.indexOf("-"))));
}

async function fetchArchive(source: Source, path: string): Promise<void> {
  const { name, version, sha256 } = source;
  const index = accessTo(
    Deno.env.get("PIP_INDEX_URL") ?? "https://pypi.org/simple/",
    "PIP_INDEX_URL",
  );
  if (index === undefined) throw new Error("PIP_INDEX_URL must be a URL");
  const downloads = new Downloads();
  const accept = "application/vnd.pypi.simple.v1+json";
  const page = await downloads.text(new URL(`${name.replace("_", "-")}/`, index.base), index, {
    accept,
    maxBytes: MAX_BYTES,
  });
  const { files } = JSON.parse(page?.text ?? '{"files": []}');
  const file = files.find(({ filename }: { filename: string }) =>
    filename === `${name}-${version}.tar.gz`
  );
  if (page === undefined || file === undefined) throw new Error(`No source of ${name} ${version}`);
  const onBytes = () => undefined;
  const options = { path, sha256, maxBytes: MAX_BYTES, onBytes };
  await downloads.file(new URL(file.url, page.url), index, options);
}

/** A folder that has nothing but some folders or files of a source distribution, such as `tests`. */
export async function unpacked(source: Source, parts: readonly string[]): Promise<string> {
  const name = `${source.name}-${source.version}`;
  const folder = `${FOLDER}suite-tests/${name}`;
  const isThere = await Promise.all(parts.map((part) => exists(`${folder}/${part}`)));
  if (isThere.every(Boolean)) return folder;
  await Deno.mkdir(folder, { recursive: true });
  const archive = `${folder}/source.tar.gz`;
  await fetchArchive(source, archive);
  const members = parts.map((part) => `${name}/${part}`);
  const args = ["-xzf", archive, "-C", folder, "--strip-components=1", ...members];
  const { success } = await new Deno.Command("tar", { args }).output();
  if (!success) throw new Error(`${name} cannot be unpacked with tar`);
  await Deno.remove(archive);
  return folder;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}
