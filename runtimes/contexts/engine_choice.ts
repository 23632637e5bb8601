/**
 * The engine and the baseline on which a run in a context begins.
 *
 * @module
 */
import type { ExecuteInContextArgs } from "../../shared/run_in_context.ts";
import type { BaselineChoice } from "../imported_packages.ts";
import type { EngineArchive, EngineParts } from "./engine_archive.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";

/** The inputs of the choice. */
export interface EngineChoice {
  readonly engines: EngineArchive;
  readonly preloaded: BaselineChoice;
}

/** A context stays on the engine and on the baseline of its first run. */
export function engineOf(
  { engines, preloaded }: EngineChoice,
  index: SnapshotIndex | undefined,
  args: ExecuteInContextArgs,
): EngineParts {
  if (index !== undefined) return index;
  const { code, envVars, workspace: { manifest } } = args;
  const first = { code, variables: Object.keys(envVars), files: Object.keys(manifest) };
  return { ...engines.current, preloaded: preloaded(first) };
}
