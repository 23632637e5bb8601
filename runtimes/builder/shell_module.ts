/**
 * Whether the shell can be built: its module, which `deno task shell build` compiles, is in the cache
 * folder.
 *
 * @module
 */
export {
  hasModule as hasShellModule,
  moduleName as shellModuleName,
} from "../languages/shell/build/module_file.ts";
