/**
 * One run of a prepared program: the program, its END blocks, the destruction of its objects, and
 * the outcome.
 *
 * @module
 */
import type { Ending, RunRequest } from "../../../engine/engine.ts";
import { exitError, readDescribedError } from "../../../engine/described_error.ts";
import { separateRepr, withRepr } from "../../../engine/value_repr.ts";
import { ProcessExit } from "../../../files/wasi/errors.ts";
import type { Instance } from "./instance.ts";
import type { PreparedProgram } from "./source/prepare.ts";

/** Perl ended the process because memory ran out. */
export class OutOfMemory extends Error {
  override name = "OutOfMemory";
}

/** The options of a run. */
export interface RunParts {
  readonly interpreter: Instance;
  readonly program: PreparedProgram;
  readonly request: Pick<RunRequest, "limits" | "repr">;
  /** A later run may continue the state of this one. */
  readonly keepsState: boolean;
  /** Standard input is not empty. */
  readonly hasInput: boolean;
  /** Whether the process ended because memory ran out: Perl reports that on standard error. */
  readonly outOfMemory: () => boolean;
}

/** The guest has replaced the driver, which is possible through the symbol table. */
export class DriverLost extends Error {
  override name = "DriverLost";
}

/**
 * More bytes than the driver's description of any error: a hundred frames and a message, each cut.
 */
const MAX_ERROR_BYTES = 101 * 6 * 65_536;

/** Runs to the end. Throws the errors of traps and limits, OutOfMemory and DriverLost. */
export function executeProgram(parts: RunParts): Ending {
  const { interpreter, program, keepsState } = parts;
  enter(parts, () => {
    if (!interpreter.drive("run")) throw new WebAssembly.RuntimeError("the driver did not run");
  });
  interpreter.forEachEndBlock(() => enter(parts, () => void interpreter.drive("end")));
  enter(parts, () => {
    if (!interpreter.drive("finish") && keepsState) throw new DriverLost();
  });
  const ending = readEnding(parts);
  enter(parts, () => interpreter.perl.flush());
  if (keepsState) closeFiles(parts);
  else if (program.destroys) destroyObjects(parts);
  return ending;
}

/**
 * Perl would continue to write to a number that by then is another file's, and to read what it holds
 * of this run's input.
 */
function closeFiles(parts: RunParts): void {
  const { interpreter } = parts;
  if (parts.hasInput) enter(parts, () => void interpreter.drive("renew_input"));
  interpreter.forEachFile(() => enter(parts, () => void interpreter.drive("close_file")));
  interpreter.tidy();
}

/** Calls into Perl; the driver is informed when the program ended the process there. */
function enter(parts: RunParts, call: () => void): void {
  try {
    call();
  } catch (error) {
    if (!(error instanceof ProcessExit)) throw error;
    if (parts.outOfMemory()) throw new OutOfMemory();
    parts.interpreter.unwind();
    parts.interpreter.assign({ status: String(error.status), exited: "1" });
  }
}

/** Perl's own global destruction; the instance is unusable afterwards. */
function destroyObjects(parts: RunParts): void {
  const { perl } = parts.interpreter;
  enter(parts, () => void perl.call("zeroperl_reset"));
  enter(parts, () => perl.flush());
}

function readEnding(parts: RunParts): Ending {
  const { interpreter, request } = parts;
  const bytes = interpreter.outcome(Math.max(request.limits.resultBytes, MAX_ERROR_BYTES) + 1);
  if (bytes === undefined) return { kind: "limit", limit: "result", traceback: [] };
  const { answer, repr } = separateRepr(bytes);
  return withRepr(endingOf(new TextDecoder().decode(answer), parts), request, repr);
}

function endingOf(outcome: string, { request, program }: RunParts): Ending {
  const { resultBytes, tracebackBytes } = request.limits;
  const text = outcome.slice(1);
  switch (outcome[0]) {
    case "e":
      return {
        kind: "error",
        error: readDescribedError(text, {
          name: "Error",
          tracebackBytes,
          lineOf: (line) => program.lines.submitted(line),
        }),
      };
    case "x":
      return { kind: "error", error: exitError(Number(text)) };
    case "n":
      return { kind: "none" };
    case "t":
    case "j":
      if (new TextEncoder().encode(text).length > resultBytes) break;
      return outcome[0] === "t" ? { kind: "text", text } : jsonEnding(text);
    default:
      return { kind: "crash" };
  }
  return { kind: "limit", limit: "result", traceback: [] };
}

/** Invalid JSON can only come from a guest that overwrote the driver's variables. */
function jsonEnding(json: string): Ending {
  try {
    JSON.parse(json);
    return { kind: "json", json };
  } catch {
    return { kind: "crash" };
  }
}
