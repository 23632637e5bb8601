/**
 * Completion without a run: the keywords of the language, and the names in the code of the cell.
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
/** Characters of the code before the cursor that are searched for names. */
const SEARCHED = 20_000;
const NAME_CHARACTER = /[\p{L}\p{N}_$]/u;

/** The name that ends at the cursor. The position counts code points, as Jupyter's clients count. */
export function tokenAt(code: string, at: number): string {
  const before = [...code.slice(0, SEARCHED * 2)].slice(0, at);
  let start = before.length;
  while (start > 0 && NAME_CHARACTER.test(before[start - 1] ?? "")) start--;
  return before.slice(start).join("");
}

/** The completions of the name before the cursor. */
export function completions(code: string, at: number, language: Language) {
  const token = tokenAt(code, at);
  const start = at - [...token].length;
  const isMember = code.slice(0, SEARCHED)[start - 1] === ".";
  const names = code.slice(0, SEARCHED).match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? [];
  const known = isMember ? names : [...KEYWORDS[language].split(" "), ...names];
  const matches = [...new Set(known)]
    .filter((name) => name.startsWith(token) && name !== token)
    .sort()
    .slice(0, MAX_MATCHES);
  return { matches: token === "" ? [] : matches, cursor_start: start, cursor_end: at };
}
