/**
 * Builds the JavaScript engine: the metered module and the baseline with the guest environment.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import type { EngineArtifact } from "../../../engine/engine.ts";
import { encodeImage } from "../../../engine/image.ts";
import { packLibrary } from "../../../engine/packed_library.ts";
import { bootImage } from "./boot.ts";
import { encloseOnDemand, encloseScript } from "../host/captured_globals.ts";
import { patchInspect } from "./inspect_patch.ts";
import { meterQuickJs } from "./metered_module.ts";
import { meterStripper, stripperPackageUrl } from "./stripper_module.ts";
import { QUICKJS_MODULE } from "../host/quickjs_abi.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import type { BuildInputs } from "../../../builder/build_inputs.ts";
import { bundle } from "../../../builder/bundle.ts";
import { buildName } from "../../../builder/build_name.ts";

/** The module of the package, as published. */
export async function quickJsModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(QUICKJS_MODULE)));
}

/** The guest environment as one module without imports. */
async function guestPrelude(): Promise<string> {
  const entry = new URL("../guest/main.ts", import.meta.url);
  return encloseScript(patchInspect(await bundle(entry, "browser")));
}

/** The globals that guests load on demand, as one script without imports. */
async function onDemandSource(): Promise<Uint8Array<ArrayBuffer>> {
  const entry = new URL("../guest/on_demand/main.ts", import.meta.url);
  return new TextEncoder().encode(encloseOnDemand(await bundle(entry, "browser")));
}

/** Builds the engine. */
export async function buildJavaScript({ packages }: BuildInputs): Promise<EngineArtifact> {
  const own = packages?.javascript;
  const module = meterQuickJs(await quickJsModule());
  const onDemand = await onDemandSource();
  const image = encodeImage(bootImage(new WebAssembly.Module(module), {
    prelude: await guestPrelude(),
    maximumPages: MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
    ...(own === undefined || own.preload.length === 0
      ? {}
      : { packages: { ...own, onDemand: new TextDecoder().decode(onDemand) } }),
  }));
  const stripper = meterStripper(await Deno.readTextFile(stripperPackageUrl()));
  const library = own === undefined ? [] : [packLibrary(own.files)];
  const extras = [stripper, onDemand, ...library];
  const build = buildName([module, image, ...extras]);
  return { language: "javascript", build, module, image, extras };
}
