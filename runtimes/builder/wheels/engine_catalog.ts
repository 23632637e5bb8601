/**
 * The packages that are built for the engine. The lock file in the engine's npm package names them.
 * Their wheels are in the engine's distribution or a mirror of it.
 *
 * @module
 */
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { PYODIDE_PACKAGE } from "../../languages/python/host/cpython_abi.ts";
import {
  ENGINE_LOCK,
  type EngineTags,
  engineTags,
  fitRank,
  normalName,
  parseWheelName,
} from "../wheel_name.ts";
import type { Candidate } from "./candidate.ts";
import { CommandRefused } from "../command/refusal.ts";
import { normalVersion } from "./versions.ts";
import { parseText } from "../../../shared/schemas.ts";

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  file_name: z.string(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  depends: z.array(z.string()),
});
const lockSchema = z.object({ packages: z.record(z.string(), packageSchema) });

/** The packages of the engine's distribution. */
export class EngineCatalog {
  readonly #packages: ReadonlyMap<string, z.infer<typeof packageSchema>>;
  readonly #engine: EngineTags;
  readonly #base: URL;

  private constructor(packages: EngineCatalog["names"], engine: EngineTags, base: URL) {
    this.#packages = packages;
    this.#engine = engine;
    this.#base = base;
  }

  /**
   * Reads a lock file. If `file` is undefined, the one of a distribution in a folder or the engine's own
   * one. A distribution in a folder may lack packages. Throws a CommandRefused.
   */
  static async open(given: string | undefined, base: URL): Promise<EngineCatalog> {
    const there = base.protocol === "file:"
      ? new Set(Array.from(Deno.readDirSync(base), (entry) => entry.name))
      : undefined;
    const file = given ??
      (there?.has(ENGINE_LOCK) ? fileURLToPath(new URL(ENGINE_LOCK, base)) : undefined);
    const path = file ?? packageFile(ENGINE_LOCK);
    const text = await Deno.readTextFile(path).catch(() => {
      throw new CommandRefused(`--engine-lock: ${file} cannot be read`);
    });
    const lock = parseText(lockSchema, text);
    if (lock === undefined) {
      throw new CommandRefused(`--engine-lock: ${file} is not a lock file as ${ENGINE_LOCK}`);
    }
    const packages = Object.values(lock.packages)
      .filter(({ file_name }) => there?.has(file_name) ?? true)
      .map((it) => [normalName(it.name), it] as const);
    return new EngineCatalog(new Map(packages), await engineTags(), base);
  }

  /** All packages by their normalised names. */
  get names(): ReadonlyMap<string, z.infer<typeof packageSchema>> {
    return this.#packages;
  }

  /** The wheel of a package, if there is one that fits. */
  candidate(name: string): Candidate | undefined {
    const found = this.#packages.get(name);
    if (found === undefined) return undefined;
    const wheel = parseWheelName(found.file_name);
    const version = normalVersion(found.version);
    if (wheel === undefined || version === undefined) return undefined;
    if (fitRank(wheel, this.#engine) === undefined) return undefined;
    return {
      name,
      version,
      wheel,
      source: "engine",
      sha256: found.sha256,
      url: this.urlOf(wheel.file),
      metadata: undefined,
      depends: found.depends.map(normalName),
      requires: undefined,
      extras: {},
    };
  }

  /** The URL of a wheel of the distribution. */
  urlOf(file: string): URL {
    return new URL(encodeURIComponent(file), this.#base);
  }
}

/** The URL at which the distribution of the installed engine is published. */
export async function publishedDistribution(): Promise<string> {
  const { version } = z.object({ version: z.string() }).parse(
    JSON.parse(await Deno.readTextFile(packageFile("package.json"))),
  );
  return `https://cdn.jsdelivr.net/pyodide/v${version}/full/`;
}

function packageFile(name: string): URL {
  return new URL(import.meta.resolve(`${PYODIDE_PACKAGE}/${name}`));
}
