/**
 * The entry point of the service. Only this file reads the environment.
 *
 * @module
 */
import {
  AVAILABLE_LANGUAGES,
  buildEngines,
  createRuntimes,
  hasLanguageModule,
  loadPage,
} from "./runtimes/create_runtimes.ts";
import { runPackages } from "./runtimes/builder/packages/command.ts";
import { runShell } from "./runtimes/builder/shell_command.ts";
import { runWheels } from "./runtimes/builder/wheels/command.ts";
import { runProgram } from "./service/program.ts";

if (import.meta.main) {
  await runProgram({
    args: Deno.args,
    env: Deno.env.toObject(),
    available: AVAILABLE_LANGUAGES,
    hasModule: hasLanguageModule,
    createRuntimes,
    loadPage,
    buildEngines,
    runWheels,
    runPackages,
    runShell,
  });
}
