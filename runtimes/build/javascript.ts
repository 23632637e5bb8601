/**
 * Builds the JavaScript engine: the metered module and the baseline with the guest environment.
 *
 * @module
 */
import { MEMORY_BYTES } from "../../wire/limits.ts";
import type { EngineArtifact } from "../isolate/engine.ts";
import { encodeImage } from "../isolate/image.ts";
import { bootImage } from "../isolate/javascript/boot.ts";
import { encloseOnDemand, encloseScript } from "../isolate/javascript/shared/captured_globals.ts";
import { meterQuickJs } from "../isolate/javascript/metered_module.ts";
import { meterStripper, stripperPackageUrl } from "../isolate/javascript/source/stripper_module.ts";
import { QUICKJS_MODULE } from "../isolate/javascript/quickjs_abi.ts";
import { WASM_PAGE_BYTES } from "../isolate/wasm_page.ts";
import { bundle } from "./bundle.ts";
import { buildName } from "./build_name.ts";

/** The module of the package, as published. */
export async function quickJsModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(QUICKJS_MODULE)));
}

/** The guest environment as one module without imports. */
async function guestPrelude(): Promise<string> {
  const entry = new URL("../isolate/javascript/guest/main.ts", import.meta.url);
  return encloseScript(await bundle(entry, "browser"));
}

/** The globals that guests load on demand, as one script without imports. */
async function onDemandSource(): Promise<Uint8Array<ArrayBuffer>> {
  const entry = new URL("../isolate/javascript/guest/on_demand/main.ts", import.meta.url);
  return new TextEncoder().encode(encloseOnDemand(await bundle(entry, "browser")));
}

/** Builds the engine. */
export async function buildJavaScript(): Promise<EngineArtifact> {
  const module = meterQuickJs(await quickJsModule());
  const image = encodeImage(bootImage(new WebAssembly.Module(module), {
    prelude: await guestPrelude(),
    maximumPages: MEMORY_BYTES.javascript / WASM_PAGE_BYTES,
  }));
  const stripper = meterStripper(await Deno.readTextFile(stripperPackageUrl()));
  const onDemand = await onDemandSource();
  const build = buildName([module, image, stripper, onDemand]);
  return { language: "javascript", build, module, image, extras: [stripper, onDemand] };
}
