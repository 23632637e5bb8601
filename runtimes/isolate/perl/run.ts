/**
 * One run of a prepared program: the program, its END blocks, the end of its objects, and what
 * came of it.
 *
 * @module
 */
import type { Ending, GuestError, RunLimits } from "../engine.ts";
import { ProcessExit } from "../wasi/errors.ts";
import { exitError, readGuestError } from "./guest_error.ts";
import type { Interpreter } from "./interpreter.ts";
import type { PreparedProgram } from "./source/prepare.ts";

/** Perl ended the process because memory ran out. */
export class OutOfMemory extends Error {
  override name = "OutOfMemory";
}

/** What a run needs to know. */
export interface RunParts {
  readonly interpreter: Interpreter;
  readonly program: PreparedProgram;
  readonly limits: RunLimits;
  /** Whether the process was ended for want of memory: Perl says so on standard error. */
  readonly outOfMemory: () => boolean;
}

/** Runs to the end. Throws what a trap or a limit throws, and OutOfMemory. */
export function executeProgram(parts: RunParts): Ending {
  const { interpreter, program } = parts;
  let status = enter(parts, () => {
    if (!interpreter.drive("run")) throw new WebAssembly.RuntimeError("the driver did not run");
  });
  if (status !== undefined) interpreter.assign({ status: String(status) });
  interpreter.forEachEndBlock(() => {
    status = enter(parts, () => void interpreter.drive("end")) ?? status;
  });
  enter(parts, () => void interpreter.drive("finish"));
  const ending = readEnding(parts, status);
  enter(parts, () => interpreter.perl.flush());
  if (program.destroys) destroyObjects(parts);
  return ending;
}

/** Calls into Perl; the status when the program ended the process there. */
function enter(parts: RunParts, call: () => void): number | undefined {
  try {
    call();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProcessExit)) throw error;
    if (parts.outOfMemory()) throw new OutOfMemory();
    parts.interpreter.unwind();
    return error.status;
  }
}

/** Perl's own global destruction; the interpreter is of no use afterwards. */
function destroyObjects(parts: RunParts): void {
  const { perl } = parts.interpreter;
  enter(parts, () => void perl.call("zeroperl_reset"));
  enter(parts, () => perl.flush());
}

function readEnding(parts: RunParts, status: number | undefined): Ending {
  const { resultBytes, tracebackBytes } = parts.limits;
  const outcome = parts.interpreter.outcome(Math.max(resultBytes, 3 * tracebackBytes) + 1);
  if (outcome === undefined) return { kind: "limit", limit: "result", traceback: [] };
  const text = outcome.slice(1);
  if (outcome.startsWith("e")) {
    return { kind: "error", error: readGuestError(text, tracebackBytes) };
  }
  if (status !== undefined) return exitEnding(status);
  if (new TextEncoder().encode(text).length > resultBytes) {
    return { kind: "limit", limit: "result", traceback: [] };
  }
  if (outcome.startsWith("t")) return { kind: "text", text };
  if (outcome.startsWith("j")) return { kind: "json", json: text };
  return { kind: "none" };
}

function exitEnding(status: number): Ending {
  const error: GuestError = exitError(status);
  return status === 0 ? { kind: "none" } : { kind: "error", error };
}
