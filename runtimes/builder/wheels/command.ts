/**
 * The command line of `deno task wheels`.
 *
 * `runtimes/builder/wheels/` owns the choice and the download of Python packages. Neither a build nor a
 * service downloads any.
 *
 * @module
 */
import { addWheels } from "./add_wheels.ts";
import {
  type CommandOutput,
  parseArguments,
  runCommand,
  tellNext,
  unknownCommand,
  UsageError,
} from "../command/command_line.ts";
import type { Patience } from "../command/download.ts";
import { listWheels } from "./list_wheels.ts";
import { PACKAGE_SETS, type PackageSet } from "./package_sets.ts";
import type { Progress } from "../command/progress.ts";
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

/** The folder if PYTHON_WHEELS is not set. */
const DEFAULT_FOLDER = "./.belljar/wheels";
const NEXT = "They are in the image after deno task build and a start of the service";

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

const OPTIONS = {
  upgrade: { type: "boolean", default: false },
  pre: { type: "boolean", default: false },
  set: { type: "string" },
  prefer: { type: "string" },
  only: { type: "string" },
  "engine-lock": { type: "string" },
} as const;

/** Runs the command and returns its exit code: 0 for success, 1 for a refusal, 2 for a usage error. */
export function runWheels(order: WheelsOrder, output: CommandOutput): Promise<number> {
  return runCommand(output, USAGE, (progress) => run(order, output, progress));
}

async function run(order: WheelsOrder, output: CommandOutput, progress: Progress): Promise<void> {
  const [command, ...rest] = order.args;
  const { values, positionals } = parseArguments(command, rest, OPTIONS);
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
      await removeWheels({ folder, sources, names: positionals, progress });
      break;
    case "list":
      for (const line of await listWheels(folder)) output.print(line);
      break;
    default:
      throw unknownCommand(command);
  }
  const isSet = order.folder !== undefined;
  tellNext({ path: folder, variable: "PYTHON_WHEELS", isSet }, command, NEXT, progress);
}

function setOf(name: string | undefined): PackageSet | undefined {
  if (name === undefined) return undefined;
  const set = PACKAGE_SETS.get(name);
  if (set !== undefined) return set;
  throw new UsageError(`--set must be ${[...PACKAGE_SETS.keys()].join(" or ")}`);
}

/** Each name may occur once: otherwise the last requirement would silently replace the others. */
function requirementsOf(texts: readonly string[]): readonly Requirement[] {
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
