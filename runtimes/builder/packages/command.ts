/**
 * The command line of `deno task packages`.
 *
 * `runtimes/builder/packages/` owns the choice, the download and the bundling of npm packages.
 * Neither a build nor a service downloads or bundles any.
 *
 * @module
 */
import {
  type CommandOutput,
  parseArguments,
  runCommand,
  tellNext,
  unknownCommand,
  UsageError,
} from "../command/command_line.ts";
import type { Progress } from "../command/progress.ts";
import { type PackageRequest, parsePackageRequest } from "../package_names.ts";
import type { RegistryVariables } from "./registry.ts";

/** A command line with the configuration it uses. */
export interface PackagesOrder extends RegistryVariables {
  /** `add`, `list` or `remove`, and its arguments. */
  readonly args: readonly string[];
  /** Value of JAVASCRIPT_PACKAGES. */
  readonly folder: string | undefined;
}

/** The folder if JAVASCRIPT_PACKAGES is not set. */
const DEFAULT_FOLDER = "./.belljar/packages";
const OPTIONS = { upgrade: { type: "boolean", default: false } } as const;
const NEXT = "Programs can import them after deno task build and a start of the service";

const USAGE =
  `Usage: deno task packages add [--upgrade] NAME...   such as lodash zod@4 dayjs/plugin/utc
       deno task packages add              make missing and changed files of the lock again
       deno task packages list
       deno task packages remove NAME...
A name may have an entry besides the main one (lodash/fp) and a version, a range or a tag (zod@4).
  --upgrade    choose new versions of the named packages, or of all packages
JAVASCRIPT_PACKAGES names the folder. The registry is npm's, or the one that npm's configuration
names (NPM_CONFIG_REGISTRY, .npmrc).
`;

/** Runs the command and returns its exit code: 0 for success, 1 for a refusal, 2 for a usage error. */
export function runPackages(order: PackagesOrder, output: CommandOutput): Promise<number> {
  return runCommand(output, USAGE, (progress) => run(order, output, progress));
}

async function run(
  order: PackagesOrder,
  output: CommandOutput,
  progress: Progress,
): Promise<void> {
  const [command, ...rest] = order.args;
  const { values, positionals } = parseArguments(command, rest, OPTIONS);
  const folder = order.folder ?? DEFAULT_FOLDER;
  switch (command) {
    case "add": {
      const requests = requestsOf(positionals);
      const { addPackages } = await import("./add.ts"); // the bundler is loaded only for this
      const { readRegistrySettings } = await import("./registry.ts");
      const registry = await readRegistrySettings(order);
      await addPackages({ folder, registry, requests, upgrade: values.upgrade, progress });
      break;
    }
    case "remove": {
      const { removePackages } = await import("./list.ts");
      await removePackages(folder, positionals, progress);
      break;
    }
    case "list": {
      const { listPackages } = await import("./list.ts");
      for (const line of await listPackages(folder)) output.print(line);
      break;
    }
    default:
      throw unknownCommand(command);
  }
  const isSet = order.folder !== undefined;
  tellNext({ path: folder, variable: "JAVASCRIPT_PACKAGES", isSet }, command, NEXT, progress);
}

function requestsOf(texts: readonly string[]): readonly PackageRequest[] {
  return texts.map((text) => {
    const request = parsePackageRequest(text);
    if (request !== undefined) return request;
    throw new UsageError(
      `${
        JSON.stringify(text.slice(0, 300))
      } is not the name of a package, such as lodash, zod@4 or @scope/name`,
    );
  });
}
