/**
 * The line numbers of a Perl file: a comment can change the numbers of the lines after it, and the
 * file's name.
 *
 * @module
 */

/** The lines of a file, by the numbers in messages. */
export interface LineNumbers {
  /** The highest number of a line. */
  readonly highest: number;
  /**
   * The line, from 1, that a number in a message refers to; undefined when no line, or several, can
   * have it.
   */
  submitted(named: number): number | undefined;
}

/** Consecutively numbered lines. */
interface Stretch {
  readonly first: number;
  readonly number: number;
  readonly file: string;
}

const DIRECTIVE =
  /#[ \t]*line[ \t]+(\d{1,9})(?:[ \t]+(?:"([^"\n]*)"|([^\s"]\S*)))?[ \t\r\f]*(?=\n|$)/y;

/** The lines of a file called `file`. `comments`: the starts of comments that fill a line. */
export function lineNumbers(text: string, comments: readonly number[], file: string): LineNumbers {
  const stretches: Stretch[] = [{ first: 1, number: 1, file }];
  let [line, seen] = [1, 0];
  const countTo = (end: number) => {
    for (let at = text.indexOf("\n", seen); at >= 0 && at < end; at = text.indexOf("\n", seen)) {
      seen = at + 1;
      line++;
    }
  };
  for (const at of comments) {
    DIRECTIVE.lastIndex = at;
    const match = DIRECTIVE.exec(text);
    if (match === null) continue;
    countTo(at);
    const [, number, quoted, bare] = match;
    const name = quoted ?? bare ?? stretches.at(-1)?.file ?? file;
    stretches.push({ first: line + 1, number: Number(number), file: name });
  }
  countTo(text.length);
  return numbersOf(stretches, line, file);
}

function numbersOf(stretches: readonly Stretch[], last: number, file: string): LineNumbers {
  const named = stretches.map((stretch, index) => ({
    ...stretch,
    length: (stretches[index + 1]?.first ?? last + 1) - stretch.first,
  })).filter((stretch) => stretch.file === file);
  return {
    highest: named.reduce((most, { number, length }) => Math.max(most, number + length - 1), 1),
    submitted: (wanted) => {
      const lines = named.filter(({ number, length }) =>
        wanted >= number && wanted < number + length
      )
        .map(({ first, number }) => first + wanted - number);
      return lines.length === 1 ? lines[0] : undefined;
    },
  };
}
