/**
 * Perl at its top-level statements. Only Perl can parse Perl: places where a statement may end are
 * found by looking at the text, and kept when all that is in front of them compiles.
 *
 * @module
 */
import { assert } from "@std/assert";
import { readArchive } from "../archive.ts";
import { runOnce } from "./service_runs.ts";
import { Joints, linesIn, type Statement } from "./pieces.ts";

const SPLITTER = Deno.readTextFileSync(new URL("./perl_split.pl", import.meta.url));
/** A statement that ends with its block. */
const BLOCK =
  /^\s*(?:(?:my\s+)?sub\s+\w|if\b|unless\b|while\b|until\b|for\b|foreach\b|package\s+[\w:]+\s*\{|BEGIN\b|\{|\w+:\s*(?:for|while|\{))/;
/** A continuation of the statement before it. */
const GOES_ON = /^\s*(?:else|elsif|continue|catch|finally)\b/;
/** Brings subroutines that are lexical, and so end with their file. */
const LEXICAL_IMPORT = /^\s*(use\s+builtin\b[^;]*;)/;
const PACKAGE = /^\s*(package\s+[\w:]+\s*;)/;
/** Left by a statement for the next one, and put right at the start of a run. */
const FLEETING = /\$(?:[-1-9&`'+@!?]|\^[NW]|\{\^)|@[-+]|%[-+]/;
const LASTING: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/^\s*local\b|^\s*delete local\b/, "dynamic scope"],
  [/@ARGV\s*=/, "arguments of the run"],
  [/\btemp(?:dir|file)\b|\/tmp\b/, "a file outside of /workspace"],
  [/\bsrand\b/, "seeded random numbers"],
  [/\bEND\s*\{|\bTest::More\b.*\btests\b/, "pending work"],
  [/\btie\s+(?:my\s+)?\$/, "a value that counts how often it is read"],
  [/\$ENV\{\w+\}\s*=[^=~]|%ENV\s*=/, "environ change"],
  [/\bexit\b(?!\s*=>)/, "the end of the program"],
  [/<DATA>|\bDATA\b/, "an open file"],
  [/\bselect\b|\bopen\b[^;]*\bSTD(?:OUT|ERR)\b|\bclose\s*\(?\s*STD/, "a replaced stream"],
  [/^\s*format\b/, "an open file"],
  [/\bopen\b[^;]*(?:\$0|__FILE__)/, "the program's own text"],
  [/\bsigprocmask\b|\bsigsuspend\b|\bSigSet\b/, "signals that wait"],
  [/\bget_pkg_gen\b/, "a count of changes to a package"],
];
const FORWARD = "forward reference";
const OPENS = /\b(?:open|opendir|tempfile|IO::File->new|sysopen)\b/;
const CLOSES = /\bclose(?:dir)?\b/;

/** Programs of the corpus, by name. */
export function perlPrograms(): ReadonlyMap<string, string> {
  return new Map([...readArchive("perl")].filter(([name]) => name.endsWith(".pl")));
}

/** The statements of a program. */
export async function splitPerl(url: string, code: string): Promise<readonly Statement[]> {
  const texts = joinBlocks(code, await compiling(url, code, places(code)));
  const joints = new Joints(texts.length);
  joinSubs(joints, texts);
  joinLasting(joints, texts);
  let imports = "";
  let currentPackage = "";
  let before = "";
  return texts.map((text, index) => {
    const prelude = `${currentPackage}${imports}${linesIn(before)}`;
    before += text;
    imports += LEXICAL_IMPORT.exec(text)?.[1]?.replaceAll("\n", " ") ?? "";
    currentPackage = PACKAGE.exec(text)?.[1] ?? currentPackage;
    return { text, prelude, ...joints.at(index) };
  });
}

/** Behind each `;` and `}` of the code, comments and documentation left out. */
function places(code: string): readonly number[] {
  const end = /^__(?:END|DATA)__$/m.exec(code)?.index ?? code.length;
  const skipped = [...code.matchAll(/(?:^|\s)#.*|^=\w[^]*?^=cut\b.*/gm)].map((match) =>
    [match.index, match.index + match[0].length] as const
  );
  return [...code.slice(0, end).matchAll(/[;}]/g)].map(({ index }) => index + 1)
    .filter((place) => !skipped.some(([from, to]) => place > from && place <= to));
}

async function compiling(
  url: string,
  code: string,
  found: readonly number[],
): Promise<readonly number[]> {
  const { results, error } = await runOnce(url, "perl", SPLITTER, {
    PROGRAM: code,
    PLACES: found.join(),
  });
  const json = results[0]?.json;
  assert(Array.isArray(json), JSON.stringify(error));
  return json.map(Number);
}

/** The texts of the statements: a block ends one only where no other statement goes on. */
function joinBlocks(code: string, ends: readonly number[]): readonly string[] {
  const texts: string[] = [];
  let start = 0;
  for (const end of ends) {
    const text = code.slice(start, end);
    const isEnd = code[end - 1] === ";" || (BLOCK.test(withoutComments(text)) &&
      !GOES_ON.test(withoutComments(code.slice(end))));
    if (!isEnd || withoutComments(text).trim() === ";") continue;
    texts.push(text);
    start = end;
  }
  const rest = code.slice(start);
  if (texts.length > 0 && /^\s*(?:#.*\s*)*$/.test(rest)) return texts;
  return [...texts, rest];
}

function withoutComments(text: string): string {
  return text.replaceAll(/(?:^|\s)#.*/g, "");
}

/** A sub may be called in front of its definition. */
function joinSubs(joints: Joints, texts: readonly string[]): void {
  texts.forEach((text, index) => {
    if (/^\s*(?:BEGIN|CHECK|INIT|UNITCHECK)\b/.test(text)) joints.join(0, index, FORWARD);
    for (const [, name = ""] of text.matchAll(/\b(?:sub|package)\s+(\w+)/g)) {
      const used = new RegExp(`\\b${name}\\b`);
      const first = texts.findIndex((earlier) =>
        used.test(earlier) && !/^\s*(?:sub|package|use)\b/.test(earlier)
      );
      if (first >= 0 && first < index) joints.join(first, index, FORWARD);
    }
  });
}

function joinLasting(joints: Joints, texts: readonly string[]): void {
  texts.forEach((text, index) => {
    if (FLEETING.test(text)) joints.join(index - 1, index, "a variable of the last statement");
    for (const [pattern, reason] of LASTING) {
      if (pattern.test(text) && !/^\s*sub\b/.test(text)) joints.joinRest(index, reason);
    }
    if (OPENS.test(text) && !/^\s*sub\b/.test(text)) {
      const last = texts.findLastIndex((later, at) => at >= index && CLOSES.test(later));
      if (last >= 0) joints.join(index, last, "an open file");
      else joints.joinRest(index, "an open file");
    }
  });
}
