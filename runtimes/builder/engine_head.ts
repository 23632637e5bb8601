/**
 * The names in the head of an engine file.
 *
 * @module
 */
import { readHead } from "../../shared/message.ts";

/** The names of an engine. */
export interface EngineNames {
  /** Name of the build. */
  readonly build: string;
  readonly engineDigest: string;
  readonly baseline: string;
  /** See `EngineArtifact`. */
  readonly preloads: readonly string[];
  /** See `EngineArtifact`. */
  readonly preloadProblem?: string;
}

/** Maximum length of the head of an engine file. */
const HEAD_BYTES = 4096;

/** Reads the names in the head of an engine file, and nothing else of it. */
export async function readNamesOf(path: string): Promise<EngineNames> {
  using file = await Deno.open(path);
  const start = new Uint8Array(HEAD_BYTES);
  const count = await file.read(start) ?? 0;
  return readNames(readHead(start.subarray(0, count)));
}

/** Reads the names in a head. */
export function readNames(head: unknown): EngineNames {
  const { build, engine, baseline, preloads = [], preloadProblem } =
    typeof head === "object" && head !== null ? head as Record<string, unknown> : {};
  if (typeof build === "string" && typeof engine === "string" && typeof baseline === "string") {
    if (Array.isArray(preloads)) {
      const names = { build, engineDigest: engine, baseline, preloads: preloads.map(String) };
      return typeof preloadProblem === "string" ? { ...names, preloadProblem } : names;
    }
  }
  throw new TypeError("A built engine is not readable");
}
