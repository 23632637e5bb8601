/**
 * `perl`: a file, `-e` with `-n`, `-p`, `-l`, `-a`, `-F`, `-i` and `-M`, and standard input.
 *
 * @module
 */
import {
  type CommandLine,
  type CommandProgram,
  MISUSED,
  type ProgramError,
  quotedLiteral,
  type Saying,
  unknownOption,
} from "./command_line.ts";

/** The exit code after `die`. */
const DIED = 255;

interface Options {
  readonly code: string[];
  readonly modules: string[];
  readonly flags: Set<string>;
  inPlace?: string;
  separator?: string;
}

/** Reads the arguments. */
export function perlProgram(line: CommandLine): CommandProgram | Saying {
  const options: Options = { code: [], modules: [], flags: new Set() };
  const rest = [...line.args];
  while (rest[0] !== undefined && /^-./.test(rest[0])) {
    const word = rest.shift() ?? "";
    if (word === "--") break;
    if (word === "-v" || word === "--version") {
      return program(line, 'print "This is perl, $^V\\n"', line.input);
    }
    const problem = readOption(options, word, rest);
    if (problem !== undefined) return unknownOption(line.name, problem);
  }
  if (options.code.length > 0) {
    return program(line, starting(line, "-e", rest, options) + wrapped(options), line.input);
  }
  const file = rest.shift();
  if (file === undefined || file === "-") {
    const code = starting(line, "-", rest, options) + line.inputText();
    return program(line, code, new Uint8Array());
  }
  const text = line.text(line.path(file));
  if (text === undefined) {
    const stderr = `Can't open perl script "${file}": No such file or directory\n`;
    return { exitCode: MISUSED, stderr };
  }
  options.code.push(text);
  return program(line, starting(line, file, rest, options) + wrapped(options), line.input);
}

/** Reads the letters of a word. Returns what is not known. */
function readOption(options: Options, word: string, rest: string[]): string | undefined {
  for (let at = 1; at < word.length; at++) {
    const letter = word[at] ?? "";
    const value = word.slice(at + 1);
    switch (letter) {
      case "e":
      case "E":
        if (letter === "E") options.modules.push("use feature ':all';");
        options.code.push(value === "" ? rest.shift() ?? "" : value);
        return undefined;
      case "M":
      case "m": {
        const [module = "", list] = value.split("=", 2);
        const names = list === undefined ? "" : ` split(/,/, ${quotedLiteral(list)})`;
        options.modules.push(`use ${module}${letter === "m" && names === "" ? " ()" : names};`);
        return undefined;
      }
      case "i":
        options.inPlace = value;
        return undefined;
      case "F":
        options.separator = value;
        return undefined;
      case "I":
        options.modules.push(
          `use lib ${quotedLiteral(value === "" ? rest.shift() ?? "" : value)};`,
        );
        return undefined;
      case "n":
      case "p":
      case "l":
      case "a":
      case "w":
      case "s":
        options.flags.add(letter);
        break;
      default:
        return word;
    }
  }
  return undefined;
}

/** The first line: arguments, directory and modules. Lines of the script keep their numbers. */
function starting(
  { directory }: CommandLine,
  file: string,
  args: readonly string[],
  { modules, inPlace, flags }: Options,
): string {
  const list = args.map(quotedLiteral).join(", ");
  const parts = [
    `BEGIN { chdir ${quotedLiteral(directory)}; @ARGV = (${list}); $0 = ${quotedLiteral(file)};`,
    inPlace === undefined ? "" : `$^I = ${quotedLiteral(inPlace)};`,
    flags.has("l") ? '$\\ = "\\n";' : "",
    flags.has("w") ? "$^W = 1;" : "",
    "}",
    ...modules,
  ];
  return `${parts.join(" ")}\n# line 1 "${file.replaceAll('"', "")}"\n`;
}

function wrapped({ code, flags, separator }: Options): string {
  const text = code.join("\n");
  if (!flags.has("n") && !flags.has("p")) return text;
  const pattern = separator?.replace(/^\/(.*)\/$/s, "$1").replaceAll("/", "\\/");
  const split = separator !== undefined || flags.has("a")
    ? `our @F = split(${pattern === undefined ? "' '" : `/${pattern}/`}, $_); `
    : "";
  const print = flags.has("p") ? " continue { print or die $!; }" : "";
  return `LINE: while (defined($_ = readline ARGV)) { ${flags.has("l") ? "chomp; " : ""}${split}` +
    `${text}\n;}${print}\n`;
}

function program(
  { name }: CommandLine,
  code: string,
  input: Uint8Array<ArrayBuffer>,
): CommandProgram {
  return {
    language: "perl",
    name,
    code,
    typescript: false,
    chooser: "",
    input,
    failed: DIED,
    errorText: ({ message }: ProgramError) => message.endsWith("\n") ? message : `${message}\n`,
  };
}
