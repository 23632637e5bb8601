/**
 * Extracts the type stripper's WebAssembly module from its npm package and meters it. This is done
 * when engines are built; the engine gets the result as bytes.
 *
 * The package, `@swc/wasm-typescript`, is one script that contains the module in Base64. Loading
 * that script compiles the module immediately and keeps one unbounded instance forever, so its text
 * is read instead.
 *
 * @module
 */
import { meterModule } from "../../../../wasm/metering/meter.ts";

/** Bytes of the stripper's memory: ordinary sources of 64 KiB need 5 to 12 MiB. */
const MAXIMUM_PAGES = 1024;
const EMBEDDED_MODULE = /Buffer\.from\('([A-Za-z0-9+/=]+)',\s*'base64'\)/;

/** The package's script contains no module. */
export class StripperPackageError extends Error {
  override name = "StripperPackageError";
}

// Never called, but its import makes Deno fetch the package with the program's other packages.
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
