/**
 * Takes the type stripper's WebAssembly module out of its npm package and meters it. Done when
 * engines are built; what runs sources gets the result as bytes.
 *
 * The package, `@swc/wasm-typescript`, is one script with the module in base64 inside. Loading
 * that script compiles the module at once and keeps one instance for good, which nothing
 * bounds; so its text is read instead.
 *
 * @module
 */
import { meterModule } from "../../metering/meter.ts";

/** Memory of the stripper: ordinary sources of 64 KiB need 5 to 12 MiB. */
const MAXIMUM_PAGES = 1024;
const EMBEDDED_MODULE = /Buffer\.from\('([A-Za-z0-9+/=]+)',\s*'base64'\)/;

/** The package's script holds no module. */
export class StripperPackageError extends Error {
  override name = "StripperPackageError";
}

// Never made: Deno fetches the packages of a program once one of its modules imports any.
void (() => import("@swc/wasm-typescript"));

/** Address of the package's script. */
export function stripperPackageUrl(): URL {
  return new URL(import.meta.resolve("@swc/wasm-typescript"));
}

/**
 * The metered module from the text of the package's `wasm.js`. Throws `StripperPackageError` or
 * `MeterError`.
 */
export function meterStripper(packageScript: string): Uint8Array<ArrayBuffer> {
  const base64 = EMBEDDED_MODULE.exec(packageScript)?.[1];
  if (base64 === undefined) {
    throw new StripperPackageError("@swc/wasm-typescript holds no module in base64");
  }
  const binary = atob(base64);
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at++) bytes[at] = binary.charCodeAt(at);
  return meterModule(bytes, { maximumPages: MAXIMUM_PAGES }).bytes;
}
