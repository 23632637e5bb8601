/**
 * The position of a stopped guest: its Python frames, read through the C interface from an
 * interpreter that will never continue.
 *
 * @module
 */
import type { CPython, PyObject } from "./cpython.ts";
import type { Machine } from "./machine.ts";

const FUEL = 5_000_000n;
/** Innermost frames that are shown; the walk ends there too. */
const MAX_FRAMES = 60;
const PROGRAM = "main.py";
const DRIVER_FOLDER = "/lib/belljar/";

/** How the source line of a frame is known. */
export type LineSource =
  /** There was one program only: its text. */
  | { readonly code: string }
  /** There were others before: the driver's function, given the frame. */
  | { readonly lineOf: PyObject };

interface Frame {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** The line of a program that a frame stands at, without the space around it. */
function lineText(python: CPython, frame: PyObject, line: number, source: LineSource): string {
  if ("code" in source) return source.code.split("\n")[line - 1]?.trim() ?? "";
  const text = python.fn.PyObject_CallOneArg(source.lineOf, frame);
  return text === 0 ? "" : python.textOf(text) ?? "";
}

function readFrame({ python }: Machine, frame: PyObject, source: LineSource): Frame {
  const code = python.fn.PyFrame_GetCode(frame);
  const file = python.textAttribute(code, "co_filename") ?? "?";
  const line = python.fn.PyFrame_GetLineNumber(frame);
  return {
    file,
    line,
    name: python.textAttribute(code, "co_name") ?? "?",
    text: file === PROGRAM ? lineText(python, frame, line, source) : "",
  };
}

/** The frames of a thread, innermost first. */
function readFrames(
  machine: Machine,
  threadState: number,
  source: LineSource,
): readonly Frame[] {
  const { fn } = machine.python;
  // A call that may block releases the interpreter, and this one never reacquired it.
  if (fn.PyThreadState_GetUnchecked() === 0) fn.PyEval_RestoreThread(threadState);
  const frames: Frame[] = [];
  let frame = fn.PyThreadState_GetFrame(threadState);
  while (frame !== 0 && frames.length <= MAX_FRAMES) {
    frames.push(readFrame(machine, frame, source));
    frame = fn.PyFrame_GetBack(frame);
  }
  return frames;
}

function showFrames(frames: readonly Frame[]): readonly string[] {
  const outermost = frames.findIndex(({ file }) => file === PROGRAM);
  const shown = frames.slice(Math.max(0, outermost)).filter(({ file }) =>
    !file.startsWith(DRIVER_FOLDER)
  );
  return shown.flatMap(({ file, line, name, text }) => {
    const head = `  File "${file}", line ${line}, in ${name}`;
    return text === "" ? [head] : [head, `    ${text}`];
  });
}

/**
 * Lines as CPython prints them, without a last one for the error. Empty when the state the
 * guest was stopped in cannot be asked.
 */
export function tracebackOfStop(
  machine: Machine,
  threadState: number,
  source: LineSource,
): readonly string[] {
  machine.beginPostMortem(FUEL);
  const frames: Frame[] = [];
  try {
    frames.push(...readFrames(machine, threadState, source));
  } catch {
    return []; // memory as a trap left it can be beyond asking
  }
  const cut = frames.length > MAX_FRAMES;
  const lines = showFrames(frames.slice(0, MAX_FRAMES).reverse());
  if (lines.length === 0) return [];
  return ["Traceback (most recent call last):", ...(cut ? ["  ..."] : []), ...lines];
}
