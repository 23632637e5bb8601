/**
 * Builds the shell's engine from the module that `deno task shell build` compiled.
 *
 * @module
 */
import { withoutData } from "../../../../wasm/metering/data_segments.ts";
import { buildName } from "../../../builder/build_name.ts";
import type { EngineArtifact } from "../../../engine/engine.ts";
import { encodeImage } from "../../../engine/image.ts";
import { bootImage } from "./boot.ts";
import { meterShell } from "./metered_module.ts";
import { readModule } from "./module_file.ts";

/**
 * Builds the engine. The module is in the cache folder.
 *
 * @throws {ShellModuleError} without it, or when it is damaged.
 */
export async function buildShell(cacheFolder: string): Promise<EngineArtifact> {
  const metered = meterShell(await readModule(cacheFolder));
  const image = encodeImage(bootImage(new WebAssembly.Module(metered)));
  const module = withoutData(metered);
  return { language: "shell", build: buildName([module, image]), module, image, extras: [] };
}
