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
];
const MAX_BYTES = 256 * 1024 * 1024;

/** Packages under test, at exact versions. `numpy` is taken from the wheels at hand. */
const PACKAGES = ["pydantic==2.14.3", "uharfbuzz==0.57.0", "arro3-core==0.9.1"];
const NEEDS_NUMPY = ["contourpy==1.4.0"];
/** The modules that tests import. */
const TOOLS = [
  "pytest==9.2.0",
  "pytest-mock==3.17.0",
  "hypothesis==6.155.7",
  "dirty-equals==0.11",
  "cloudpickle==3.1.2",
  "python-dateutil==4.0.0",
  "pytz==2026.6",
  "email-validator==2.4.0",
];

/** A source distribution. */
export interface Source {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
}

async function copyNumpy(to: string): Promise<boolean> {
  const isNumpy = (name: string) => name.startsWith("numpy-") && name.endsWith(".whl");
  if (folderNames(to).some(isNumpy)) return true;
  for (const folder of WHEELS_AT_HAND) {
    const name = folderNames(folder).find(isNumpy);
    if (name === undefined) continue;
    await Deno.copyFile(`${folder}/${name}`, `${to}/${name}`);
    return true;
  }
  return false;
}

/** The folder of all wheels; what is missing is fetched. Throws when an index cannot be reached. */
export async function suiteWheels(): Promise<string> {
  const folder = `${FOLDER}suite-wheels`;
  await Deno.mkdir(folder, { recursive: true });
  const hasNumpy = await copyNumpy(folder);
  const write = (text: string) => void Deno.stderr.writeSync(new TextEncoder().encode(text));
  const code = await runWheels({
    args: ["add", ...PACKAGES, ...hasNumpy ? NEEDS_NUMPY : [], ...TOOLS],
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

/** A folder that has nothing but one folder of a source distribution, such as `tests`. */
export async function unpacked(source: Source, part: string): Promise<string> {
  const name = `${source.name}-${source.version}`;
  const folder = `${FOLDER}suite-tests/${name}`;
  if (folderNames(folder).includes(part)) return folder;
  await Deno.mkdir(folder, { recursive: true });
  const archive = `${folder}/source.tar.gz`;
  await fetchArchive(source, archive);
  const args = ["-xzf", archive, "-C", folder, "--strip-components=1", `${name}/${part}`];
  const { success } = await new Deno.Command("tar", { args }).output();
  if (!success) throw new Error(`${name} cannot be unpacked with tar`);
  await Deno.remove(archive);
  return folder;
}
