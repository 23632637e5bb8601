/**
 * The module of the shell in the cache folder, where `deno task shell` puts it.
 *
 * @module
 */
export {
  CRATE_LICENCES,
  hasModule as hasShellModule,
  moduleName as shellModuleName,
  readModule as readShellModule,
  ShellModuleError,
} from "../languages/shell/build/module_file.ts";
