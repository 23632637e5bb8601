/**
 * Completion: the names in the memory of the kernel, the keywords of the language, and the names in the
 * code of the cell.
 *
 * @module
 */
import type { Language } from "../../client/protocol/types.ts";

const KEYWORDS: { readonly [L in Language]: string } = {
  python:
    "False None True and as assert async await break class continue def del elif else except " +
    "finally for from global if import in is lambda match nonlocal not or pass print raise range " +
    "return try while with yield len input open list dict set tuple str int float bool sorted " +
    "enumerate zip map filter sum min max abs isinstance",
  javascript: "async await break case catch class const console continue default delete do else " +
    "export extends false finally for from function if import in instanceof let new null of return " +
    "static super switch this throw true try typeof undefined var void while with yield Array " +
    "JSON Map Math Number Object Promise Set String",
  perl:
    "bless chomp defined delete die each else elsif eval exists for foreach grep if join keys " +
    "last local map my next our package pop print printf push redo ref require return reverse " +
    "say scalar shift sort splice split sprintf sub unless unshift until use values while",
  ruby: "alias and begin break case class def defined? do else elsif end ensure false for if in " +
    "module next nil not or puts print redo require rescue retry return self super then true " +
    "undef unless until when while yield",
  shell: "case cat cd cp do done echo elif else esac export fi find for function grep head if in " +
    "local ls mkdir mv printf pwd read return rm sed sort tail test then unset until wc while",
};

/** Most completions of an answer. */
const MAX_MATCHES = 200;
/** Characters of the code around the cursor that are searched for names. */
const SEARCHED = 20_000;
const NAME_CHARACTER = /[\p{L}\p{N}_$]/u;

/** A name that the memory of a kernel has. */
export interface KnownName {
  readonly name: string;
  readonly type: string;
}

/** The code up to the cursor. The position counts code points, as Jupyter's clients count. */
export function codeBefore(code: string, at: number): string {
  return [...code.slice(0, SEARCHED * 2)].slice(0, at).join("").slice(-SEARCHED);
}

/** The code up to the end of the name at the cursor. */
export function codeToName(code: string, at: number): string {
  const points = [...code.slice(0, SEARCHED * 2)];
  let end = Math.min(at, points.length);
  while (end < points.length && NAME_CHARACTER.test(points[end] ?? "")) end++;
  return points.slice(0, end).join("").slice(-SEARCHED);
}

/**
 * The completions of the name before the cursor. `known`: the names in the memory that begin like it;
 * undefined when the memory was not asked.
 */
export function completions(
  { code, at, language }: {
    readonly code: string;
    readonly at: number;
    readonly language: Language;
  },
  known: readonly KnownName[] | undefined,
) {
  const before = codeBefore(code, at);
  const token = tokenAtEnd(before);
  const isMember = before.at(-token.length - 1) === ".";
  const start = at - [...token].length;
  const types = new Map(known?.map(({ name, type }) => [name, type]));
  const ofCode = isMember && known !== undefined
    ? []
    : namesOf(code, isMember ? "" : KEYWORDS[language])
      .filter((name) => token !== "" && name.startsWith(token) && name !== token);
  const matches = [...new Set([...types.keys(), ...ofCode])].sort().slice(0, MAX_MATCHES);
  const typed = matches.map((text) => ({ text, type: types.get(text) ?? "", start, end: at }));
  return {
    matches,
    cursor_start: start,
    cursor_end: at,
    metadata: { _jupyter_types_experimental: typed },
  };
}

function tokenAtEnd(before: string): string {
  const points = [...before];
  let start = points.length;
  while (start > 0 && NAME_CHARACTER.test(points[start - 1] ?? "")) start--;
  return points.slice(start).join("");
}

function namesOf(code: string, keywords: string): readonly string[] {
  const names = code.slice(0, SEARCHED).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  return [...keywords.split(" ").filter((keyword) => keyword !== ""), ...names];
}
