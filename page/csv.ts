/**
 * Tables of comma-separated values (RFC 4180), in one pass over the text.
 *
 * @module
 */

/** The first rows of a text: at most `most`, each with at most `most` fields. */
export function csvRows(text: string, separator: string, most: number): readonly string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = "";
  let isQuoted = false;
  const endField = () => {
    if (row.length < most) row.push(field);
    field = "";
  };
  const endRow = () => {
    endField();
    rows.push(row);
    row = [];
  };
  let at = 0;
  for (; at < text.length && rows.length < most; at++) {
    const character = text[at] ?? "";
    if (isQuoted) {
      if (character !== '"') field += character;
      else if (text[at + 1] === '"') field += text[++at];
      else isQuoted = false;
    } else if (character === '"' && field === "") isQuoted = true;
    else if (character === separator) endField();
    else if (character === "\n") endRow();
    else if (character !== "\r" || text[at + 1] !== "\n") field += character;
  }
  const isRest = field !== "" || row.length > 0;
  if (isRest && rows.length < most) endRow();
  return rows;
}
