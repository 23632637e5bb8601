/**
 * The position of a stopped guest: its Python frames, read through the C interface. The interpreter
 * never continues afterwards.
 *
 * @module
 */
import type { CPython, PyObject } from "./cpython.ts";
import type { Machine } from "./machine.ts";

const FUEL = 5_000_000n;
/** Number of innermost frames that are read and shown. */
const MAX_FRAMES = 60;
const PROGRAM = "main.py";
const DRIVER_FOLDER = "/lib/belljar/";

/** Where the source line of a frame comes from. */
export type LineSource =
  /** The text of the program, if it is the instance's only one. */
  | { readonly code: string }
  /** The driver's function that takes a frame, if other programs ran before. */
  | { readonly lineOf: PyObject };

interface Frame {
  readonly text: string;
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

/** The source line that a frame is at, without surrounding whitespace. */
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
  // Python releases its lock in a call that may block, and the stopped guest never took it again.
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
 * The lines that CPython would print, without the last one, which names the error. Empty when the
 * state that the guest was stopped in cannot be read.
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
    return []; // a trap can leave memory in a state that the C interface cannot read
  }
  const cut = frames.length > MAX_FRAMES;
  const lines = showFrames(frames.slice(0, MAX_FRAMES).reverse());
  if (lines.length === 0) return [];
  return ["Traceback (most recent call last):", ...(cut ? ["  ..."] : []), ...lines];
}
