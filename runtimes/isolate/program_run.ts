/**
 * A program that the shell started, inside the isolate of its language: a stateless run on the shell's
 * files, which answers with the files that it changed.
 *
 * @module
 */
import type { Engine, RunOutcome } from "../engine/engine.ts";
import { MAX_TIME_MS } from "../engine/time_value.ts";
import type { GuestFileSystem } from "../files/guest_file_system.ts";
import { changedFiles, changeFiles, markFiles } from "../files/program_files.ts";
import { WORKSPACE } from "../../client/protocol/paths.ts";
import type { ContextOutcome } from "./context_run.ts";
import type { ContextRunHead, FileHead } from "./protocol.ts";

/** The files of an engine; undefined where it has none that the host can reach. */
export function filesOf({ files, state }: Engine): GuestFileSystem | undefined {
  return files ?? state?.files;
}

/** Runs a program on the files that the head names. The engine is at its baseline. */
export function runProgram(
  files: GuestFileSystem,
  { dirs, files: given }: ContextRunHead,
  { contents, execute }: {
    readonly contents: readonly Uint8Array<ArrayBuffer>[];
    readonly execute: () => RunOutcome;
  },
): ContextOutcome {
  const entries = given.map(([path, mtimeMs], index) => {
    return { path, mtimeMs, bytes: contents[index] ?? new Uint8Array() };
  });
  changeFiles(files, { removed: [], dirs, files: entries });
  const mark = markFiles(files);
  const outcome = execute();
  if (outcome.ending.kind === "limit" || outcome.ending.kind === "crash") {
    return { outcome, state: undefined };
  }
  const changes = changedFiles(files, mark);
  const head = {
    memoryBytes: outcome.memoryBytes,
    globals: {},
    pages: 0,
    reusedSegments: 0,
    cwd: WORKSPACE,
    clock: { epochMs: 0, monotonicMs: 0 },
    dirs: changes.dirs,
    files: changes.files.map(({ path, mtimeMs }): FileHead => [path, dateOf(mtimeMs)]),
    deleted: changes.removed,
    captureMs: 0,
  };
  const parts = changes.files.map(({ bytes }) => new Uint8Array(bytes));
  return { outcome, state: { head, parts: [new Uint8Array(), ...parts] } };
}

/** The nearest valid date: a guest can set any time. */
function dateOf(timeMs: number): number {
  return Math.max(-MAX_TIME_MS, Math.min(MAX_TIME_MS, timeMs));
}
