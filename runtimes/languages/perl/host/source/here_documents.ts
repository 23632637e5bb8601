/**
 * Here-documents of a Perl file: their announcements, and the positions of their bodies.
 *
 * @module
 */
import { nextLine, type Span } from "./quoted.ts";

/** A here-document that is announced at a position. */
export interface Announcement {
  readonly tag: string;
  readonly indented: boolean;
  /** Whether the tag is quoted. */
  readonly quoted: boolean;
  /** Whether a space separates the tag from `<<`. */
  readonly spaced: boolean;
  /** The position after the announcement. */
  readonly end: number;
}

const ANNOUNCED = /<<(~?)(?:([ \t]*)(?:"([^"\n]*)"|'([^'\n]*)'|`([^`\n]*)`)|\\?([\p{L}\p{N}_]+))/uy;

/** A here-document's announcement at a position, if there is one. */
export function announcementAt(text: string, at: number): Announcement | undefined {
  ANNOUNCED.lastIndex = at;
  const match = ANNOUNCED.exec(text);
  if (match === null) return undefined;
  const [, tilde, space = "", double, single, back, bare] = match;
  return {
    tag: double ?? single ?? back ?? bare ?? "",
    indented: tilde === "~",
    quoted: bare === undefined,
    spaced: space !== "",
    end: ANNOUNCED.lastIndex,
  };
}

/** The lines of a file, searchable by content. */
class Lines {
  readonly #starts = new Map<string, number[]>();

  /** `trimmed`: lines are compared without their leading white space. */
  constructor(text: string, trimmed: boolean) {
    for (let at = 0; at < text.length; at = nextLine(text, at)) {
      const whole = text.slice(at, nextLine(text, at)).replace(/\r?\n$/, "");
      const line = trimmed ? whole.trimStart() : whole;
      const known = this.#starts.get(line);
      if (known === undefined) this.#starts.set(line, [at]);
      else known.push(at);
    }
  }

  /** The start of the first such line at or after a position. */
  find(line: string, from: number): number | undefined {
    const starts = this.#starts.get(line) ?? [];
    let [low, high] = [0, starts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) < from) low = middle + 1;
      else high = middle;
    }
    return starts[low];
  }
}

/**
 * The bodies that are announced on the line being read. They lie between that line and the next,
 * even within a string that continues there.
 */
export class HereDocuments {
  readonly #text: string;
  #lines: Lines | undefined;
  #trimmed: Lines | undefined;
  #bodies: Span | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** The last bodies announced. */
  get bodies(): Span | undefined {
    return this.#bodies;
  }

  /**
   * Adds the body of a here-document that a line announces. False when no line ends the document.
   */
  add({ tag, indented, end }: Announcement): boolean {
    const line = nextLine(this.#text, end);
    const started = this.#bodies !== undefined && this.#bodies.from === line;
    const start = started ? this.#bodies?.to ?? line : line;
    const last = this.#find(tag, indented, start);
    if (last === undefined) return false;
    this.#bodies = { from: line, to: nextLine(this.#text, last) };
    return true;
  }

  /** The position where the program continues after a position. */
  skip(at: number): number {
    return this.#bodies?.from === at ? this.#bodies.to : at;
  }

  #find(tag: string, indented: boolean, from: number): number | undefined {
    if (indented) return (this.#trimmed ??= new Lines(this.#text, true)).find(tag, from);
    return (this.#lines ??= new Lines(this.#text, false)).find(tag, from);
  }
}
