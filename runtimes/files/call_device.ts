/**
 * `/dev/call`: the calls of a program in a language whose driver opens files. `call_lines.ts` of the
 * engine has the lines. A write may hold any part of them, and so may a read. A program that opens
 * the device itself gets as far as the driver does, and no further.
 *
 * @module
 */
import { type AnswerText, MAX_CALL_LINE_BYTES, obeyLine } from "../engine/call_lines.ts";
import type { ProgramCalls } from "../engine/program_calls.ts";
import { writeAnswer } from "./answer_files.ts";
import { FileError } from "./file_error.ts";
import type { CallFiles, GuestFileSystem } from "./guest_file_system.ts";

const EMPTY = new Uint8Array();
const NEWLINE = 10;
/** Cost of a line, in moved bytes: a part of a round trip to the parent process, about 100 µs. */
const LINE_WORK = 327_680;
/** Cost of a byte, in moved bytes: its JSON is parsed here and in the parent process. */
const BYTE_WORK = 8;
const FIRST_CAPACITY = 1024;

/** The device and the input of one run. Large answers become files. */
export function callFiles(
  calls: ProgramCalls,
  files: GuestFileSystem,
  answerText?: AnswerText,
): CallFiles {
  calls.writeLargeAnswers((json) => writeAnswer(files, json));
  let begun = new Uint8Array(FIRST_CAPACITY);
  let length = 0;
  let answer: Uint8Array = EMPTY;

  const append = (bytes: Uint8Array) => {
    if (length + bytes.length > MAX_CALL_LINE_BYTES) {
      length = 0;
      throw new FileError("EINVAL");
    }
    if (length + bytes.length > begun.length) {
      const larger = new Uint8Array(Math.max(2 * begun.length, length + bytes.length));
      larger.set(begun.subarray(0, length));
      begun = larger;
    }
    begun.set(bytes, length);
    length += bytes.length;
  };
  const end = () => {
    const line = begun.slice(0, length);
    length = 0;
    const { isRefused, reply } = obeyLine(calls, line, answerText);
    if (isRefused) throw new FileError("EINVAL");
    if (reply !== undefined) answer = new TextEncoder().encode(reply);
  };
  return {
    input: (most) => calls.input(most),
    device: {
      kind: "character",
      readWork: BYTE_WORK,
      writeWork: (bytes) => BYTE_WORK * bytes.length + LINE_WORK * linesIn(bytes),
      read(into) {
        const taken = answer.subarray(0, into.length);
        into.set(taken);
        answer = answer.subarray(taken.length);
        return taken.length;
      },
      write(bytes) {
        for (let at = 0; at < bytes.length;) {
          const newline = bytes.indexOf(NEWLINE, at);
          append(bytes.subarray(at, newline < 0 ? bytes.length : newline));
          if (newline < 0) return;
          end();
          at = newline + 1;
        }
      },
    },
  };
}

function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  for (const byte of bytes) if (byte === NEWLINE) lines++;
  return lines;
}
