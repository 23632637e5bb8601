/**
 * `node`: a file, `-e`, `-p` and standard input. TypeScript runs as in the language itself.
 *
 * @module
 */
import { WORKSPACE } from "../../client/protocol/paths.ts";
import {
  type CommandLine,
  type CommandProgram,
  linesText,
  type ProgramError,
  type Saying,
  unknownOption,
} from "./command_line.ts";

const EXECUTABLE = "/usr/bin/node";
const TYPESCRIPT = /\.[cm]?ts$/;
const SUFFIXES = ["", ".js", ".json", "/index.js"];
const EVALUATE: { readonly [option: string]: "run" | "print" } = {
  "-e": "run",
  "--eval": "run",
  "-p": "print",
  "--print": "print",
  "-pe": "print",
};
const IGNORED = /^--(?:no-warnings|experimental-\S+|enable-source-maps|trace-\S+|input-type=\w+)$/;

/** Reads the arguments. */
export function nodeProgram(line: CommandLine): CommandProgram | Saying {
  const { name, input } = line;
  const isTyped = name === "ts-node" || name === "tsx";
  const rest = [...line.args];
  while (IGNORED.test(rest[0] ?? "")) rest.shift();
  const [first, ...args] = rest;
  if (first === "-v" || first === "--version") {
    return program(line, { code: "console.log(process.version)", argv: [], input });
  }
  const evaluated = first === undefined || !Object.hasOwn(EVALUATE, first)
    ? undefined
    : EVALUATE[first];
  if (evaluated !== undefined) {
    const [text, ...argv] = args;
    if (text === undefined) {
      return { exitCode: 9, stderr: `${name}: ${first} requires an argument\n` };
    }
    const code = evaluated === "run" ? text : `console.log(${text.replace(/;\s*$/, "")}\n)`;
    return program(line, { code, argv, input, typescript: isTyped });
  }
  if (first === undefined || first === "-") {
    return program(line, { code: line.inputText(), argv: args, input: new Uint8Array() });
  }
  if (first.startsWith("-")) return unknownOption(name, first);
  const base = line.path(first);
  const path = SUFFIXES.map((suffix) => base + suffix).find((path) =>
    line.text(path) !== undefined
  );
  const text = path === undefined ? undefined : line.text(path);
  if (path === undefined || text === undefined) {
    return { exitCode: 1, stderr: `Error: Cannot find module '${base}'\n` };
  }
  const isInRoot = path.slice(0, path.lastIndexOf("/")) === WORKSPACE && !path.endsWith(".json");
  return program(line, {
    code: isInRoot ? text.replace(/^#!.*/, "") : `await import(${JSON.stringify(path)});`,
    chooser: text,
    argv: [path, ...args],
    input,
    file: path,
    typescript: isTyped || TYPESCRIPT.test(path),
  });
}

interface Script {
  readonly code: string;
  readonly argv: readonly string[];
  readonly input: Uint8Array<ArrayBuffer>;
  readonly typescript?: boolean;
  readonly chooser?: string;
  /** Absolute path. */
  readonly file?: string;
}

function program(
  { name, directory }: CommandLine,
  { code, argv, input, typescript = false, chooser = code, file = "[eval]" }: Script,
): CommandProgram {
  // on the line of the script's first statement, so that lines keep their numbers
  const setting = `process.argv = ${JSON.stringify([EXECUTABLE, ...argv])}; ` +
    (directory === WORKSPACE ? "" : `process.chdir(${JSON.stringify(directory)}); `);
  return {
    language: "javascript",
    name,
    code: setting + code,
    typescript,
    chooser,
    input,
    failed: 1,
    errorText: ({ name, message, traceback }: ProgramError) => {
      const lines = traceback.length === 0 ? [`${name}: ${message}`] : traceback;
      return linesText(lines.map((line) => line.replaceAll("main.js:", `${file}:`)));
    },
  };
}
