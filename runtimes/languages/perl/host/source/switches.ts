/**
 * The switches on the first line of a Perl file, as in `#!/usr/bin/perl -ln`: the code that they add
 * before and after the program, as `perl FILE` does.
 *
 * @module
 */

/** The code that switches add. */
export interface Switches {
  /** On one line, before the program; empty without switches that add code. */
  readonly before: string;
  readonly after: string;
  /** The program is the body of a loop over the lines of the input. */
  readonly loops: boolean;
  /** Code that takes the program's place: it dies, and says which switch cannot be obeyed. */
  readonly refusal?: string;
}

const NONE: Switches = { before: "", after: "", loops: false };
const MOST_LENGTH = 1_000;
const LINE = new RegExp(`^#![^\\n]{0,${MOST_LENGTH}}`);
const PARAGRAPHS = "";

/** Switches that only a command line can have, in Perl too. */
const NOT_ON_THIS_LINE = "efxESV";
/** Switches without an effect here: there are no arguments, no tainted data and no set-uid. */
const WITHOUT_EFFECT = "stTUXwf";
/** Switches that are refused on the first line, with the reasons. */
const REFUSED: ReadonlyMap<string, string> = new Map([
  ["c", "a program cannot be checked without running it"],
  ["d", "there is no debugger"],
  ["D", "this Perl was built without debugging"],
  ["h", "there is no command line"],
  ["?", "there is no command line"],
  ["u", "there are no core dumps"],
  ["v", "print $^V shows the version"],
]);

/** A switch that cannot be obeyed. */
class Refusal extends Error {
  override readonly name = "Refusal";
}

/** Reads the switches of one line. */
class SwitchReader {
  readonly #text: string;
  #at: number;
  /** `$/` and `$\`; undefined as in Perl. */
  #separator: string | undefined = "\n";
  #ending: string | undefined;
  #setsSeparator = false;
  #chomps = false;
  #loops = false;
  #prints = false;
  #splits = false;
  #pattern: string | undefined;
  #warns = false;
  #inPlace: string | undefined;
  readonly #folders: string[] = [];

  constructor(text: string, at: number) {
    this.#text = text;
    this.#at = at;
  }

  read(): void {
    while (this.#at < this.#text.length && this.#next()) this.#at++;
  }

  /** Handles a switch, and stops at its last character. False when none follows. */
  #next(): boolean {
    const letter = this.#text[this.#at] ?? "";
    switch (letter) {
      case "n":
        this.#loops = true;
        return true;
      case "p":
        this.#loops = this.#prints = true;
        return true;
      case "a":
        this.#loops = this.#splits = true;
        return true;
      case "F":
        this.#loops = this.#splits = true;
        this.#pattern = this.#argument();
        return true;
      case "i":
        this.#inPlace = this.#argument();
        return true;
      case "I":
        this.#take(/[ \t]*/y);
        this.#folders.push(this.#argument());
        return true;
      case "l":
        this.#endLines();
        return true;
      case "0":
        this.#separateBy();
        return true;
      case "g":
        this.#separator = undefined;
        return this.#setsSeparator = true;
      case "W":
        return this.#warns = true;
      case "M":
      case "m":
      case "C":
        throw new Refusal(`Too late for "-${letter}${this.#argument()}" option`);
      case " ":
        this.#take(/ */y);
        return this.#text[++this.#at] === "-";
      case "-":
      case "\t":
      case "\r":
        return false;
      default:
        return this.#without(letter);
    }
  }

  #without(letter: string): boolean {
    if (WITHOUT_EFFECT.includes(letter)) return true;
    if (NOT_ON_THIS_LINE.includes(letter)) {
      throw new Refusal(`Can't emulate -${letter} on #! line`);
    }
    const why = REFUSED.get(letter);
    throw new Refusal(
      why === undefined
        ? `Unrecognized switch: -${letter}  (-h will show valid options)`
        : `-${letter} on the first line has no meaning here: ${why}`,
    );
  }

  /** Takes what a pattern matches after this position, and stops at its last character. */
  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at + 1;
    const found = pattern.exec(this.#text)?.[0] ?? "";
    this.#at += found.length;
    return found;
  }

  #argument(): string {
    return this.#take(/\S*/y);
  }

  #endLines(): void {
    this.#chomps = true;
    const digits = this.#take(/0?[0-7]{0,3}/y);
    if (digits !== "") this.#ending = String.fromCharCode(parseInt(digits, 8) & 0xff);
    else this.#ending = this.#separator === PARAGRAPHS ? "\n\n" : this.#separator;
  }

  #separateBy(): void {
    this.#setsSeparator = true;
    const hex = this.#take(/x[\da-fA-F]{1,6}/y);
    if (hex !== "") {
      const code = parseInt(hex.slice(1), 16);
      this.#separator = code > 0x10_ffff ? undefined : String.fromCodePoint(code);
      return;
    }
    const digits = this.#take(/[0-7]{0,3}/y);
    const code = digits === "" ? 0 : parseInt(digits, 8);
    if (code > 0xff) this.#separator = undefined;
    else this.#separator = code === 0 && digits !== "" ? PARAGRAPHS : String.fromCharCode(code);
  }

  /** In a context, what the switches set must not outlive the program. */
  added(keepsState: boolean): Switches {
    const set = [
      ...(this.#setsSeparator ? [["$/", literal(this.#separator)]] : []),
      ...(this.#chomps ? [["$\\", literal(this.#ending)]] : []),
      ...(this.#warns ? [["$^W", "1"]] : []),
      ...(this.#inPlace === undefined ? [] : [["$^I", literal(this.#inPlace)]]),
    ].map(([name, value]) => keepsState ? `local ${name}=${value};` : `${name}=${value};`).join("");
    const assignments = keepsState || set === "" ? set : `BEGIN{${set}}`;
    const folders = this.#folders.map((folder) => `use lib ${literal(folder)};`).join("");
    const loop = this.#loops
      ? `LINE:while(<>){${this.#chomps ? "chomp;" : ""}${this.#splits ? this.#split() : ""}`
      : "";
    const printing = this.#prints ? "continue{print or die qq(-p destination: $!\\n);}" : "";
    return {
      before: folders + assignments + loop,
      after: this.#loops ? `\n;}${printing}` : "",
      loops: this.#loops,
    };
  }

  #split(): string {
    const pattern = this.#pattern;
    if (pattern === undefined) return "our @F=split(' ');";
    const isQuoted = /^["'/]/.test(pattern) && pattern.includes(pattern[0] ?? "", 1);
    return `our @F=split(${isQuoted ? pattern : literal(pattern)});`;
  }
}

/** A text as Perl code, without quotation marks or line ends in it. */
function literal(text: string | undefined): string {
  if (text === undefined) return "undef";
  const isWide = [...text].some((char) => (char.codePointAt(0) ?? 0) > 0xff);
  const bytes = isWide
    ? new TextEncoder().encode(text)
    : Uint8Array.from(text, (char) => char.charCodeAt(0));
  return `"${Array.from(bytes, (byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("")}"`;
}

/** Where the switches of a first line begin, after their minus sign; undefined without any. */
function startOfSwitches(line: string): number | undefined {
  const found = line.indexOf("perl -");
  const perl = found < 0 ? line.indexOf("perl") : found;
  if (perl < 0) return undefined;
  const after = /\S*[ \t]*/y;
  after.lastIndex = perl;
  const at = perl + (after.exec(line)?.[0].length ?? 0);
  return line[at] === "-" ? at + 1 : undefined;
}

/** The switches on a file's first line. `keepsState`: later runs continue the state of this one. */
export function firstLineSwitches(source: string, keepsState: boolean): Switches {
  const line = LINE.exec(source)?.[0];
  const at = line === undefined ? undefined : startOfSwitches(line);
  if (line === undefined || at === undefined) return NONE;
  const reader = new SwitchReader(line, at);
  try {
    reader.read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...NONE, refusal: `die ${literal(error.message)};` };
  }
  return reader.added(keepsState);
}
