/**
 * Builds the Perl engine: the metered module without its data, the library, and the baseline with the
 * driver and the modules loaded.
 *
 * @module
 */
import type { EngineArtifact } from "../../../engine/engine.ts";
import { encodeImage } from "../../../engine/image.ts";
import { bootPerl, type BootSources, type PerlSource } from "./boot.ts";
import { meterZeroPerl } from "./metered_module.ts";
import { packZones } from "./pack_zones.ts";
import { ZEROPERL_PACKAGE } from "../host/zeroperl.ts";
import { withoutData } from "../../../../wasm/metering/data_segments.ts";
import { packLibrary } from "../../../engine/packed_library.ts";
import type { BuildInputs } from "../../../builder/build_inputs.ts";
import { buildName } from "../../../builder/build_name.ts";
import { timeZoneFiles } from "../../../builder/time_zones.ts";

const GUEST = new URL("../guest/", import.meta.url);
const DRIVER = [
  "driver.pl",
  "dumps.pl",
  "displays.pl",
  "state.pl",
  "zones.pl",
  "system.pl",
  "calls.pl",
];

/** The module of the package, as published. */
export async function zeroPerlModule(): Promise<Uint8Array<ArrayBuffer>> {
  return await Deno.readFile(new URL(import.meta.resolve(`${ZEROPERL_PACKAGE}/zeroperl.wasm`)));
}

async function modulesBelow(folder: URL, prefix = ""): Promise<PerlSource[]> {
  const found: PerlSource[] = [];
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (isDirectory) {
      found.push(...await modulesBelow(new URL(`${name}/`, folder), `${prefix}${name}/`));
    } else if (name.endsWith(".pm")) {
      found.push({
        name: `${prefix}${name}`,
        text: await Deno.readTextFile(new URL(name, folder)),
      });
    }
  }
  return found.sort((a, b) => a.name < b.name ? -1 : 1);
}

/** The driver and this project's modules. */
async function perlSources(): Promise<BootSources> {
  return {
    driver: await Promise.all(
      DRIVER.map((name) => Deno.readTextFile(new URL(name, GUEST))),
    ),
    modules: await modulesBelow(new URL("lib/", GUEST)),
    zones: packZones(await timeZoneFiles()),
  };
}

/** Builds the engine. */
export async function buildPerl({ packages }: BuildInputs): Promise<EngineArtifact> {
  const metered = meterZeroPerl(await zeroPerlModule());
  const booted = bootPerl(new WebAssembly.Module(metered), await perlSources());
  const image = encodeImage(booted.image);
  const library = packLibrary(booted.library);
  const module = withoutData(metered);
  const own = packages?.perl;
  const extras = [library, ...(own === undefined ? [] : [packLibrary(own.files)])];
  return { language: "perl", build: buildName([module, image, ...extras]), module, image, extras };
}
