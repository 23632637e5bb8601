/**
 * Where a stopped guest stood: its Python frames, read through the C interface from an
 * interpreter that will never go on.
 *
 * @module
 */
import type { Machine } from "./machine.ts";

const FUEL = 5_000_000n;
/** Innermost frames that are shown; the walk ends there too. */
const MAX_FRAMES = 60;
const PROGRAM = "main.py";
const DRIVER_FOLDER = "/lib/belljar/";

interface Frame {
  readonly file: string;
  readonly line: number;
  readonly name: string;
}

function readFrame(machine: Machine, frame: number): Frame {
  const { python } = machine;
  const code = python.fn.PyFrame_GetCode(frame);
  return {
    file: python.textAttribute(code, "co_filename") ?? "?",
    line: python.fn.PyFrame_GetLineNumber(frame),
    name: python.textAttribute(code, "co_name") ?? "?",
  };
}

/** The frames of a thread, innermost first. */
function readFrames(machine: Machine, threadState: number): readonly Frame[] {
  const { fn } = machine.python;
  // A call that may block lets the interpreter go, and this one never came back for it.
  if (fn.PyThreadState_GetUnchecked() === 0) fn.PyEval_RestoreThread(threadState);
  const frames: Frame[] = [];
  let frame = fn.PyThreadState_GetFrame(threadState);
  while (frame !== 0 && frames.length <= MAX_FRAMES) {
    frames.push(readFrame(machine, frame));
    frame = fn.PyFrame_GetBack(frame);
  }
  return frames;
}

function showFrames(frames: readonly Frame[], source: readonly string[]): readonly string[] {
  const outermost = frames.findIndex(({ file }) => file === PROGRAM);
  const shown = frames.slice(Math.max(0, outermost)).filter(({ file }) =>
    !file.startsWith(DRIVER_FOLDER)
  );
  return shown.flatMap(({ file, line, name }) => {
    const text = file === PROGRAM ? source[line - 1]?.trim() ?? "" : "";
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
  code: string,
): readonly string[] {
  machine.beginPostMortem(FUEL);
  const frames: Frame[] = [];
  try {
    frames.push(...readFrames(machine, threadState));
  } catch {
    return []; // memory as a trap left it can be beyond asking
  }
  const cut = frames.length > MAX_FRAMES;
  const lines = showFrames(frames.slice(0, MAX_FRAMES).reverse(), code.split("\n"));
  if (lines.length === 0) return [];
  return ["Traceback (most recent call last):", ...(cut ? ["  ..."] : []), ...lines];
}
