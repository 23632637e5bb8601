/**
 * `ruby`: a file, `-e`, and standard input.
 *
 * @module
 */
import {
  type CommandLine,
  type CommandProgram,
  linesText,
  type ProgramError,
  quotedLiteral,
  type Saying,
  unknownOption,
} from "./command_line.ts";

/** Reads the arguments. */
export function rubyProgram(line: CommandLine): CommandProgram | Saying {
  const { name, input } = line;
  const rest = [...line.args];
  const code: string[] = [];
  let required = "";
  while (rest[0] !== undefined && /^-./.test(rest[0])) {
    const word = rest.shift() ?? "";
    if (word === "--") break;
    if (word === "-v" || word === "--version") {
      return program(line, "puts RUBY_DESCRIPTION", "-e", { args: [], input });
    }
    if (word === "-e") code.push(rest.shift() ?? "");
    else if (/^-r./.test(word)) required += `require ${quotedLiteral(word.slice(2))}; `;
    else if (!/^-[wW]\d?$/.test(word)) return unknownOption(name, word);
  }
  if (code.length > 0) {
    return program(line, required + code.join("\n"), "-e", { args: rest, input });
  }
  const [file, ...args] = rest;
  if (file === undefined || file === "-") {
    return program(line, required + line.inputText(), "-", { args, input: new Uint8Array() });
  }
  const path = line.path(file);
  if (line.text(path) === undefined) {
    const stderr = `${name}: No such file or directory -- ${file} (LoadError)\n`;
    return { exitCode: 1, stderr };
  }
  return program(line, `${required}load ${quotedLiteral(path)}`, path, { args, input });
}

function program(
  { name, directory }: CommandLine,
  code: string,
  file: string,
  { args, input }: { readonly args: readonly string[]; readonly input: Uint8Array<ArrayBuffer> },
): CommandProgram {
  const list = args.map(quotedLiteral).join(", ");
  const setting = `Dir.chdir(${quotedLiteral(directory)}); ARGV.replace([${list}]); ` +
    `$0 = ${quotedLiteral(file)}; `;
  const isScript = file !== "-e" && file !== "-";
  return {
    language: "ruby",
    name,
    code: setting + code,
    typescript: false,
    chooser: "",
    input,
    failed: 1,
    errorText: ({ name, message, traceback }: ProgramError) => {
      const frames = traceback.filter((line) => !isScript || !line.startsWith("main.rb:"))
        .map((line) => isScript ? line : line.replace(/^main\.rb:/, `${file}:`));
      const [first, ...others] = frames;
      const text = `${message} (${name})`;
      return linesText([
        first === undefined ? text : `${first}: ${text}`,
        ...others.map((line) => `\tfrom ${line}`),
      ]);
    },
  };
}
