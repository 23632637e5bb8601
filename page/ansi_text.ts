/**
 * Colours of terminals: text with escape sequences as parts with classes. Sequences that are no
 * colour or style are left out.
 *
 * @module
 */

/** A part of a line. */
export interface StyledText {
  readonly text: string;
  /** Names of classes, `ansi-red` and the like, separated by blanks. */
  readonly style: string;
}

const COLOURS = ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"] as const;
const STYLES: Readonly<Record<number, string>> = { 1: "bold", 2: "dim", 3: "italic", 4: "under" };
const ESCAPE = "\u001b";
/** A control sequence, at most as long as any that has a meaning here. */
const SEQUENCE = new RegExp(`${ESCAPE}\\[([0-9;]{0,40})([@-~])`, "g");
/** Parts of a line; the rest of a longer one has no style. */
const MAX_PARTS = 500;
const [SET, RESET, NORMAL, FOREGROUND, DEFAULT, BRIGHT] = ["m", 0, 22, 30, 39, 90];
/** Colours out of 256, or of red, green and blue: their numbers follow. */
const EXTENDED = [38, 48];

/** Whether a text has sequences. */
export function hasAnsi(text: string): boolean {
  return text.includes(`${ESCAPE}[`);
}

/** The styles of one stream, which last until they are reset. */
export class AnsiText {
  #colour: string | undefined;
  readonly #styles = new Set<string>();

  /** The parts of a line, in their order. */
  parts(line: string): StyledText[] {
    const parts: StyledText[] = [];
    let from = 0;
    for (const { index, 0: whole, 1: numbers = "", 2: command } of line.matchAll(SEQUENCE)) {
      if (parts.length >= MAX_PARTS) break;
      this.#add(parts, line.slice(from, index));
      from = index + whole.length;
      if (command === SET) this.#set(numbers.split(";").map(Number));
    }
    this.#add(parts, line.slice(from));
    return parts;
  }

  #add(parts: StyledText[], text: string): void {
    if (text === "") return;
    const names = [...(this.#colour === undefined ? [] : [this.#colour]), ...this.#styles];
    parts.push({ text, style: names.map((name) => `ansi-${name}`).join(" ") });
  }

  #set(numbers: readonly number[]): void {
    for (let at = 0; at < numbers.length; at++) {
      const number = numbers[at] ?? RESET;
      if (EXTENDED.includes(number)) {
        at += numbers[at + 1] === 5 ? 2 : 4;
        continue;
      }
      const style = STYLES[number];
      if (number === RESET) {
        this.#colour = undefined;
        this.#styles.clear();
      } else if (style !== undefined) this.#styles.add(style);
      else if (number === NORMAL) { for (const name of ["bold", "dim"]) this.#styles.delete(name); }
      else if (STYLES[number - 20] !== undefined) this.#styles.delete(STYLES[number - 20] ?? "");
      else if (number === DEFAULT) this.#colour = undefined;
      else this.#colour = COLOURS[number - FOREGROUND] ?? COLOURS[number - BRIGHT] ?? this.#colour;
    }
  }
}
