/**
 * The command line of `deno task wheels`.
 *
 * `runtimes/builder/wheels/` owns the choice and the download of Python packages. Neither a build nor a
 * service downloads any.
 *
 * @module
 */
import { parseArgs } from "node:util";
import { addWheels } from "./add_wheels.ts";
import type { Patience } from "../command/download.ts";
import { listWheels } from "./list_wheels.ts";
import { PACKAGE_SETS, type PackageSet } from "./package_sets.ts";
import { Progress, type ProgressOutput } from "../command/progress.ts";
import { CommandRefused } from "../command/refusal.ts";
import { removeWheels } from "./remove_wheels.ts";
import { hasAddress, parseRequirement, type Requirement } from "./requirement.ts";

/** A command line with the configuration it uses. */
export interface WheelsOrder {
  /** `add`, `list` or `remove`, and its arguments. */
  readonly args: readonly string[];
  /** Value of PYTHON_WHEELS. */
  readonly folder: string | undefined;
  /** Value of PIP_INDEX_URL. */
  readonly indexUrl: string | undefined;
  /** Value of WHEELS_DISTRIBUTION_URL. */
  readonly distributionUrl: string | undefined;
  readonly patience?: Patience;
}

/** Where the command writes. */
export interface WheelsOutput {
  /** The list. */
  print(line: string): void;
  /** Everything else. */
  readonly progress: ProgressOutput;
}

/** The folder if PYTHON_WHEELS is not set. */
const DEFAULT_FOLDER = "./.belljar/wheels";
const MAX_NAMES = 200;

const USAGE = `Usage: deno task wheels add [options] NAME...   such as numpy "pydantic[email]>=2"
       deno task wheels add --set data          numpy, pandas, matplotlib and 12 more
       deno task wheels add                     fetch the locked wheels that are missing
       deno task wheels list
       deno task wheels remove NAME...
Options of add:
  --set data             add the packages of a set
  --upgrade              choose new versions of the named packages, or of all packages
  --pre                  allow pre-releases
  --prefer engine        prefer the engine's distribution even if the index has a newer version
  --only index|engine    use only one of the two sources
  --engine-lock FILE     use another lock file of the engine's distribution
PYTHON_WHEELS names the folder. PIP_INDEX_URL names the index (a simple index in JSON).
WHEELS_DISTRIBUTION_URL names a mirror of the engine's distribution, or a folder with a copy.
`;

/** The command line is not valid. The usage is printed after the message. */
class UsageError extends CommandRefused {
  override readonly name = "UsageError";
}

const OPTIONS = {
  upgrade: { type: "boolean", default: false },
  pre: { type: "boolean", default: false },
  set: { type: "string" },
  prefer: { type: "string" },
  only: { type: "string" },
  "engine-lock": { type: "string" },
} as const;

/** Runs the command and returns its exit code: 0 for success, 1 for a refusal, 2 for a usage error. */
export async function runWheels(order: WheelsOrder, output: WheelsOutput): Promise<number> {
  const progress = new Progress(output.progress);
  try {
    await run(order, output, progress);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof CommandRefused)) throw thrown;
    progress.line(thrown.message);
    if (!(thrown instanceof UsageError)) return 1;
    output.progress.write(USAGE);
    return 2;
  } finally {
    progress.end();
  }
}

async function run(order: WheelsOrder, output: WheelsOutput, progress: Progress): Promise<void> {
  const [command, ...rest] = order.args;
  const { values, positionals } = parsed(rest);
  const folder = order.folder ?? DEFAULT_FOLDER;
  const sources = { ...order, engineLock: values["engine-lock"] };
  switch (command) {
    case "add": {
      const set = setOf(values.set);
      const own = requirementsOf(positionals);
      const others = (names: readonly string[] = []) =>
        requirementsOf(names).filter(({ name }) => !own.some((named) => named.name === name));
      const requirements = [...own, ...others(set?.packages)];
      if (values.prefer !== undefined && values.prefer !== "engine") {
        throw new UsageError("--prefer must be engine");
      }
      if (values.only !== undefined && values.only !== "index" && values.only !== "engine") {
        throw new UsageError("--only must be index or engine");
      }
      await addWheels({
        folder,
        sources,
        requirements,
        builtRequirements: others(set?.builtPackages),
        prereleases: values.pre,
        upgrade: values.upgrade,
        only: values.only,
        preferEngine: values.prefer !== undefined,
        progress,
      });
      break;
    }
    case "remove":
      if (positionals.length === 0) throw new UsageError("Name the packages to remove");
      await removeWheels({ folder, sources, names: positionals, progress });
      break;
    case "list":
      if (rest.length > 0) throw new UsageError("list takes no arguments");
      for (const line of await listWheels(folder)) output.print(line);
      break;
    default:
      throw new UsageError(
        command === undefined ? "Say what to do" : `There is no command ${JSON.stringify(command)}`,
      );
  }
  tellNext(order, folder, command, progress);
}

function parsed(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (thrown) {
    if (!(thrown instanceof TypeError)) throw thrown;
    throw new UsageError(thrown.message);
  }
}

function setOf(name: string | undefined): PackageSet | undefined {
  if (name === undefined) return undefined;
  const set = PACKAGE_SETS.get(name);
  if (set !== undefined) return set;
  throw new UsageError(`--set must be ${[...PACKAGE_SETS.keys()].join(" or ")}`);
}

/** Each name may occur once: otherwise the last requirement would silently replace the others. */
function requirementsOf(texts: readonly string[]): readonly Requirement[] {
  if (texts.length > MAX_NAMES) throw new UsageError(`More than ${MAX_NAMES} names at once`);
  const names = new Set<string>();
  return texts.map((text) => {
    const shown = JSON.stringify(text);
    const requirement = parseRequirement(text);
    if (requirement === undefined) {
      throw new UsageError(
        hasAddress(text)
          ? `${shown} is an address: put that wheel into the folder instead`
          : `${shown} is not a name with a version, such as numpy or "pydantic[email]>=2,<3"`,
      );
    }
    if (requirement.marker !== undefined) throw new UsageError(`${shown} must have no marker`);
    if (names.has(requirement.name)) throw new UsageError(`${requirement.name} is there twice`);
    names.add(requirement.name);
    return requirement;
  });
}

function tellNext(
  order: WheelsOrder,
  folder: string,
  command: string,
  progress: Progress,
): void {
  if (command !== "list") progress.line(`The packages in ${folder} are as the lock says`);
  if (order.folder === undefined) {
    progress.line(
      `PYTHON_WHEELS is not set: set it to ${folder} for deno task build and for the service`,
    );
  } else if (command !== "list") {
    progress.line("They are in the image after deno task build and a start of the service");
  }
}
