/**
 * A command such as `python x.py a` as a program of its language: a few statements that set arguments
 * and directory, and the script.
 *
 * @module
 */
import type { CommandOrder, FileChanges } from "../engine/program_command.ts";
import type { CommandLine, CommandProgram, Saying } from "./command_line.ts";
import { nodeProgram } from "./node_program.ts";
import { perlProgram } from "./perl_program.ts";
import { pythonProgram } from "./python_program.ts";
import { rubyProgram } from "./ruby_program.ts";

const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });
const PROGRAMS: { readonly [name: string]: (line: CommandLine) => CommandProgram | Saying } = {
  python: pythonProgram,
  python3: pythonProgram,
  node: nodeProgram,
  nodejs: nodeProgram,
  "ts-node": nodeProgram,
  tsx: nodeProgram,
  perl: perlProgram,
  ruby: rubyProgram,
};

/** The program of a command, or its answer. */
export function commandProgram(
  { words: [name = "", ...args], directory, input }: CommandOrder,
  { files }: FileChanges,
): CommandProgram | Saying {
  const program = Object.hasOwn(PROGRAMS, name) ? PROGRAMS[name] : undefined;
  if (program === undefined) return { exitCode: 127, stderr: `${name}: command not found\n` };
  return program({
    name,
    args,
    directory,
    input,
    inputText: () => DECODER.decode(input),
    path: (path) => absolute(directory, path),
    text: (path) => {
      const file = files.find((file) => file.path === path);
      return file === undefined ? undefined : DECODER.decode(file.bytes);
    },
  });
}

/** Joins paths, without `.` and `..`. `/home/user` is a name of `/workspace`. */
function absolute(directory: string, path: string): string {
  const names: string[] = [];
  for (const name of (path.startsWith("/") ? path : `${directory}/${path}`).split("/")) {
    if (name === "..") names.pop();
    else if (name !== "" && name !== ".") names.push(name);
  }
  const [home, user, ...rest] = names;
  return `/${
    home === "home" && user === "user" ? ["workspace", ...rest].join("/") : names.join("/")
  }`;
}
