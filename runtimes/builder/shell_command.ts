/**
 * `deno task shell`: puts the module of the shell into the cache folder. `build` compiles it,
 * `install` takes it from the package of this version. `pin`, after a change of its sources, compiles
 * it and writes its new digest to the repository.
 *
 * @module
 */
import { compileModule } from "../languages/shell/build/compile.ts";
import {
  digestOf,
  hasModule,
  MODULE_DIGEST,
  pinModule,
  ShellModuleError,
  writeModule,
} from "../languages/shell/build/module_file.ts";
import {
  type CommandOutput,
  runCommand,
  unknownCommand,
  UsageError,
} from "./command/command_line.ts";
import type { Progress } from "./command/progress.ts";
import { CommandRefused } from "./command/refusal.ts";
import type { RegistryVariables } from "./packages/registry.ts";

/** The call of the command. */
export interface ShellOrder extends RegistryVariables {
  /** `build`, `install` or `pin`, and its arguments. */
  readonly args: readonly string[];
  readonly cacheDir: string;
}

const USAGE = `Usage: deno task shell build            compile the module, with Rust
       deno task shell install [FILE]   take it from npm's package, or from a tarball of it
       deno task shell pin              compile changed sources, and write the new digest
The registry is npm's, or the one that npm's configuration names (NPM_CONFIG_REGISTRY, .npmrc).
`;

/** Runs the command and returns its exit code: 0 for success, 1 for a refusal, 2 for a usage error. */
export function runShell(order: ShellOrder, output: CommandOutput): Promise<number> {
  return runCommand(output, USAGE, async (progress) => {
    try {
      output.print(await run(order, progress));
    } catch (thrown) {
      if (!(thrown instanceof ShellModuleError)) throw thrown;
      throw new CommandRefused(`The shell cannot be compiled: ${thrown.message}`);
    }
  });
}

/** Gives the line that the command prints. */
async function run(order: ShellOrder, progress: Progress): Promise<string> {
  const { args: [action, file, ...rest], cacheDir } = order;
  if (action !== "build" && action !== "install" && action !== "pin") throw unknownCommand(action);
  if (rest.length > 0 || (file !== undefined && action !== "install")) {
    throw new UsageError(`Too many arguments for ${action}`);
  }
  if (action !== "pin" && hasModule(cacheDir)) return "The module of the shell is there.";
  if (action === "install") {
    const { fetchModule } = await import("./shell_package.ts"); // npm's registry only for this
    const bytes = await fetchModule(file, order, progress);
    await Deno.mkdir(cacheDir, { recursive: true });
    return `Installed ${await writeModule(cacheDir, MODULE_DIGEST, bytes)}`;
  }
  const { bytes, licences } = await compileModule(cacheDir, (line) => progress.line(line));
  const digest = digestOf(bytes);
  if (action === "pin") await pinModule(digest, licences);
  else if (digest !== MODULE_DIGEST) {
    throw new ShellModuleError(
      `the compiled module has the SHA-256 ${digest} instead of that of ` +
        `runtimes/languages/shell/module/module.json: another Rust, or changed sources`,
    );
  }
  return `Compiled ${await writeModule(cacheDir, digest, bytes)}`;
}
