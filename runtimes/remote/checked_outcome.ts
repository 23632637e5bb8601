/**
 * The check of the outcome of a run in a context on another machine. It is committed to the
 * sandbox, so only an outcome that a run with these arguments can have is accepted.
 *
 * @module
 */
import type {
  ExecuteInContextArgs,
  InterpreterExecuteResponse,
  InterpreterExecuteRpcResult,
} from "../../wire/run_in_context.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { Language, RunLimits, Usage } from "../../client/protocol/types.ts";
import { isWorkspacePath, mirrorOf, workspaceAfter } from "../contexts/workspace_mirror.ts";
import { RemoteFailure } from "./remote_failure.ts";

/** Returns the outcome if a run with these arguments can have it. Throws a RemoteFailure. */
export function checkedOutcome(
  outcome: InterpreterExecuteRpcResult,
  args: ExecuteInContextArgs,
  language: Language,
): InterpreterExecuteRpcResult {
  if (!outcome.ok) return outcome;
  const result = checkedResult(outcome.result, args, language);
  if (result === undefined) throw new RemoteFailure("the outcome is not of this run");
  return { ok: true, result };
}

/** Checks the paths that a runtime requests: files of the manifest, each once. */
export function checkedNeed(
  paths: readonly string[],
  { workspace: { manifest } }: ExecuteInContextArgs,
): readonly string[] {
  const known = paths.every((path) => Object.hasOwn(manifest, path));
  if (known && new Set(paths).size === paths.length) return paths;
  throw new RemoteFailure("the runtime requests files that do not exist");
}

function checkedResult(
  result: InterpreterExecuteResponse,
  args: ExecuteInContextArgs,
  language: Language,
): InterpreterExecuteResponse | undefined {
  const { code, context, results, error } = result;
  const sameRun = code === args.code && context.id === args.contextId &&
    result.language === language && (error === undefined || results.length === 0) &&
    isWithin(result.usage, args.limits);
  if (!sameRun) return undefined;
  return context.rolledBack === true ? rolledBack(result, args) : kept(result, args);
}

/** A runtime that does not know per-run limits reports its own. */
export function isWithin(usage: Usage | undefined, limits: RunLimits | undefined): boolean {
  const fuel = limits?.fuel;
  return fuel === undefined || usage === undefined || usage.fuelLimit <= fuel;
}

/** No changes; the runtime's report about files is ignored. */
function rolledBack(
  result: InterpreterExecuteResponse,
  { snapshot, workspace: { dirs } }: ExecuteInContextArgs,
): InterpreterExecuteResponse | undefined {
  if (result.snapshotRef !== snapshot || result.error === undefined) return undefined;
  return isDirectory(result.context.cwd, new Set(dirs))
    ? { ...result, workspace: { dirs, files: [], deleted: [] } }
    : undefined;
}

function kept(
  result: InterpreterExecuteResponse,
  args: ExecuteInContextArgs,
): InterpreterExecuteResponse | undefined {
  const { dirs, files, deleted } = result.workspace;
  const heads = files.map(({ path, updatedAt }) => [path, updatedAt] as const);
  const contents = files.map(({ data }) => data);
  const after = workspaceAfter(mirrorOf(args.workspace), { dirs, files: heads, deleted }, contents);
  if (after === undefined || result.snapshotRef === null) return undefined;
  return isDirectory(result.context.cwd, after.mirror.dirs)
    ? { ...result, workspace: after.diff }
    : undefined;
}

function isDirectory(path: string, dirs: ReadonlySet<string>): boolean {
  return path === WORKSPACE || (isWorkspacePath(path) && dirs.has(path));
}
