/**
 * `deno task shell build`: compiles the module of the shell into the cache folder. `deno task shell
 * pin`, after a change of its sources, also writes the new digest to the repository.
 *
 * @module
 */
import { compileModule } from "../languages/shell/build/compile.ts";
import type { CommandOutput } from "./command/command_line.ts";
import {
  digestOf,
  hasModule,
  MODULE_DIGEST,
  pinDigest,
  ShellModuleError,
  writeModule,
} from "../languages/shell/build/module_file.ts";

/** The call of the command. */
export interface ShellOrder {
  readonly args: readonly string[];
  readonly cacheDir: string;
}

const USAGE = "Usage: deno task shell build | pin";
const OK = 0;
const FAILED = 1;
const MISUSED = 2;

/** Runs the command and returns its exit code. */
export async function runShell(
  { args: [action, ...rest], cacheDir }: ShellOrder,
  { print, progress }: CommandOutput,
): Promise<number> {
  const tell = (line: string) => progress.write(`${line}\n`);
  if ((action !== "build" && action !== "pin") || rest.length > 0) {
    tell(USAGE);
    return MISUSED;
  }
  if (action === "build" && hasModule(cacheDir)) {
    print("The module of the shell is there.");
    return OK;
  }
  try {
    const bytes = await compileModule(cacheDir, tell);
    const digest = digestOf(bytes);
    if (action === "pin") await pinDigest(digest);
    else if (digest !== MODULE_DIGEST) {
      throw new ShellModuleError(
        `the compiled module has the SHA-256 ${digest} instead of that of ` +
          `runtimes/languages/shell/module/module.json: another Rust, or changed sources`,
      );
    }
    print(`Compiled ${await writeModule(cacheDir, digest, bytes)}`);
    return OK;
  } catch (thrown) {
    if (!(thrown instanceof ShellModuleError)) throw thrown;
    tell(`The shell cannot be compiled: ${thrown.message}`);
    return FAILED;
  }
}
