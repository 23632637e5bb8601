/**
 * The pieces of a program, and the places where it must not be cut.
 *
 * @module
 */

/** A top-level statement, with the comments and spaces behind it. */
export interface Statement {
  readonly text: string;
  /** Why nothing may be cut off in front of it; absent where a cut is allowed. */
  readonly joined?: string;
  /** Directives and the like that a piece which begins here needs in front of it. */
  readonly prelude?: string;
}

/** A program in pieces. */
export interface Pieces {
  readonly pieces: readonly string[];
  /** Why some cuts were not made, the most frequent reason first. */
  readonly reasons: readonly string[];
}

/** Cuts wherever it is allowed. */
export function cut(statements: readonly Statement[]): Pieces {
  const pieces: string[] = [];
  const reasons = new Map<string, number>();
  for (const { text, joined, prelude = "" } of statements) {
    if (pieces.length === 0) pieces.push(text);
    else if (joined === undefined) pieces.push(prelude + text);
    else {
      reasons.set(joined, (reasons.get(joined) ?? 0) + 1);
      pieces.push(`${pieces.pop()}${text}`);
    }
  }
  const byCount = [...reasons].sort(([, left], [, right]) => right - left);
  return { pieces, reasons: byCount.map(([reason]) => reason) };
}

/** As many empty lines as a text has, so that what follows keeps its line numbers. */
export function linesIn(text: string): string {
  return text.replaceAll(/[^\n]+/g, "");
}

/** Marks cuts that are not allowed: `first` and `last` are statements that must be one piece. */
export class Joints {
  readonly #reasons: (string | undefined)[];

  constructor(count: number) {
    this.#reasons = Array.from({ length: count }, () => undefined);
  }

  join(first: number, last: number, reason: string): void {
    const end = Math.min(last, this.#reasons.length - 1);
    for (let at = first + 1; at <= end; at++) this.#reasons[at] ??= reason;
  }

  /** Everything from there on is one piece. */
  joinRest(first: number, reason: string): void {
    this.join(first, this.#reasons.length - 1, reason);
  }

  /** The reason in front of a statement. */
  at(index: number): { readonly joined?: string } {
    const joined = this.#reasons[index];
    return joined === undefined ? {} : { joined };
  }
}
