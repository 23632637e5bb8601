/**
 * `python`: a file, `-c`, `-m`, `-` and standard input.
 *
 * @module
 */
import {
  type CommandLine,
  type CommandProgram,
  linesText,
  MISUSED,
  type ProgramError,
  type Saying,
  unknownOption,
} from "./command_line.ts";

/** Options without effect here. */
const IGNORED = /^-[uBEIsSOqvbd]+$/;
const HEADER = "Traceback (most recent call last):";
/** The frame of the launcher, and one of its parts. */
const LAUNCHER_FRAME = /^ {2}File "main\.py", line \d+, in (?:<module>|_launch)$/;
const FRAME = /^ {2}File "/;

/** Reads the arguments. The launcher runs the script in `__main__`, as the interpreter does. */
export function pythonProgram(line: CommandLine): CommandProgram | Saying {
  const { name } = line;
  const rest = [...line.args];
  while (rest[0] !== undefined && (IGNORED.test(rest[0]) || /^-[WX]/.test(rest[0]))) {
    const option = rest.shift();
    if (option === "-W" || option === "-X") rest.shift();
  }
  const [first, ...args] = rest;
  const input = line.input;
  if (first === "-V" || first === "--version") {
    return program(line, "import sys; print('Python', sys.version.split()[0])", "", input);
  }
  if (first?.startsWith("-c")) {
    const [code, ...argv] = first === "-c" ? args : [first.slice(2), ...args];
    if (code === undefined) {
      return { exitCode: MISUSED, stderr: "Argument expected for the -c option\n" };
    }
    const launcher = launch(line, { code, file: "<string>", argv: ["-c", ...argv] });
    return program(line, launcher, code, input);
  }
  if (first?.startsWith("-m")) {
    const [module, ...argv] = first === "-m" ? args : [first.slice(2), ...args];
    if (module === undefined) {
      return { exitCode: MISUSED, stderr: "Argument expected for the -m option\n" };
    }
    const code = `import runpy; runpy.run_module(${literal(module)}, run_name="__main__", ` +
      "alter_sys=True)";
    const launcher = launch(line, { code, file: "<module>", argv: [module, ...argv] });
    return program(line, launcher, `import ${module}`, input);
  }
  if (first === undefined || first === "-") {
    const code = line.inputText();
    const launcher = launch(line, { code, file: "<stdin>", argv: [first ?? "", ...args] });
    return program(line, launcher, code, new Uint8Array());
  }
  if (first.startsWith("-")) return unknownOption(name, first);
  let path = line.path(first);
  let code = line.text(path);
  if (code === undefined) {
    path = `${path}/__main__.py`;
    code = line.text(path);
  }
  if (code === undefined) {
    const reason = "[Errno 2] No such file or directory";
    return {
      exitCode: MISUSED,
      stderr: `${name}: can't open file '${line.path(first)}': ${reason}\n`,
    };
  }
  const launcher = launch(line, { path, file: path, argv: rest });
  return program(line, launcher, code, input);
}

/** JSON strings are literals of Python, too. */
function literal(value: string | readonly string[]): string {
  return JSON.stringify(value);
}

interface Script {
  readonly file: string;
  readonly argv: readonly string[];
  /** The text of the script, or the path of its file. */
  readonly code?: string;
  readonly path?: string;
}

function launch({ directory }: CommandLine, { file, argv, code = "", path }: Script): string {
  const folder = path === undefined ? "" : path.slice(0, path.lastIndexOf("/"));
  const source = path === undefined ? literal(code) : `open(${literal(path)}, "rb").read()`;
  return `def _launch(names):
    import os, sys
    del names["_launch"]
    os.chdir(${literal(directory)})
    sys.argv[:] = ${literal(argv)}
    sys.path[0] = ${literal(folder)}
    ${path === undefined ? "" : `names["__file__"] = ${literal(path)}`}
    return compile(${source}, ${literal(file)}, "exec")
exec(_launch(globals()), globals())
`;
}

function program(
  { name }: CommandLine,
  code: string,
  chooser: string,
  input: Uint8Array<ArrayBuffer>,
): CommandProgram {
  return {
    language: "python",
    name,
    code,
    typescript: false,
    chooser,
    input,
    failed: 1,
    errorText: ({ traceback, name, message }: ProgramError) =>
      traceback.length === 0 ? `${name}: ${message}\n` : linesText(withoutLauncher(traceback)),
  };
}

/** Drops the frames of the launcher, which are the first ones of the last traceback. */
function withoutLauncher(lines: readonly string[]): readonly string[] {
  const header = lines.lastIndexOf(HEADER);
  let end = header + 1;
  while (end < lines.length && LAUNCHER_FRAME.test(lines[end] ?? "")) {
    end++;
    while (end < lines.length && /^ {4}/.test(lines[end] ?? "") && !FRAME.test(lines[end] ?? "")) {
      end++;
    }
  }
  return [...lines.slice(0, header + 1), ...lines.slice(end)];
}
