/**
 * Environment markers of requirements (PEP 508), such as `python_version < "3.11"`.
 *
 * @module
 */
import type { EngineTags } from "../wheel_name.ts";
import { normalName } from "../wheel_name.ts";
import { isWithin, normalVersion, parseSpecifier } from "./versions.ts";

/** The values of marker variables. */
export type MarkerValues = Readonly<Record<string, string>>;

/** A parsed marker: returns whether it holds for the values. */
export type Marker = (values: MarkerValues) => boolean;

/** The values of the guest's Python. */
export function markerValues({ python }: EngineTags): MarkerValues {
  return {
    python_version: python.split(".").slice(0, 2).join("."),
    python_full_version: python,
    os_name: "posix",
    sys_platform: "emscripten",
    platform_release: "",
    platform_system: "Emscripten",
    platform_version: "",
    platform_machine: "wasm32",
    platform_python_implementation: "CPython",
    implementation_name: "cpython",
    implementation_version: python,
    extra: "",
  };
}

/** Maximum number of tokens of a marker, which also bounds the depth of its parentheses. */
const MAX_TOKENS = 512;
const TOKEN = /\s*(?:([()])|("[^"]*"|'[^']*')|([a-z_.]+)|(===|==|~=|!=|<=|>=|<|>))\s*/gy;
/** Deprecated names, which old wheels use. */
const OLD_NAMES: Readonly<Record<string, string>> = {
  "os.name": "os_name",
  "sys.platform": "sys_platform",
  "platform.machine": "platform_machine",
  "platform.version": "platform_version",
  "platform.python_implementation": "platform_python_implementation",
  python_implementation: "platform_python_implementation",
};
const VERSIONS = new Set(["python_version", "python_full_version", "implementation_version"]);

interface Operand {
  readonly text: string;
  readonly isVariable: boolean;
}

/** Parses a marker; undefined if it is invalid or names an unknown variable. */
export function parseMarker(text: string): Marker | undefined {
  const tokens = tokensOf(text);
  if (tokens === undefined) return undefined;
  const parser = new MarkerParser(tokens);
  const marker = parser.either();
  return parser.isAtEnd ? marker : undefined;
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  TOKEN.lastIndex = 0;
  let end = 0;
  while (end < text.length) {
    const found = TOKEN.exec(text);
    if (found === null || tokens.length === MAX_TOKENS) return undefined;
    tokens.push(found[0].trim());
    end = TOKEN.lastIndex;
  }
  return tokens;
}

/** A recursive-descent parser. Each method returns undefined for unexpected tokens. */
class MarkerParser {
  readonly #tokens: readonly string[];
  #at = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#tokens.length;
  }

  either(): Marker | undefined {
    return this.#joined("or", () => this.#all(), (a, b) => (values) => a(values) || b(values));
  }

  #all(): Marker | undefined {
    return this.#joined("and", () => this.#one(), (a, b) => (values) => a(values) && b(values));
  }

  #joined(
    word: string,
    part: () => Marker | undefined,
    join: (a: Marker, b: Marker) => Marker,
  ): Marker | undefined {
    let marker = part();
    while (marker !== undefined && this.#take(word)) {
      const next = part();
      marker = next && join(marker, next);
    }
    return marker;
  }

  #one(): Marker | undefined {
    if (this.#take("(")) {
      const inner = this.either();
      return this.#take(")") ? inner : undefined;
    }
    const left = this.#operand();
    const operator = this.#operator();
    const right = this.#operand();
    if (left === undefined || operator === undefined || right === undefined) return undefined;
    return (values) => holds(left, operator, right, values);
  }

  #operator(): string | undefined {
    if (this.#take("not")) return this.#take("in") ? "not in" : undefined;
    const token = this.#tokens[this.#at++];
    return token !== undefined && /^(?:in|[=~!<>]{1,3})$/.test(token) ? token : undefined;
  }

  #operand(): Operand | undefined {
    const token = this.#tokens[this.#at++];
    if (token === undefined) return undefined;
    if (/^["']/.test(token)) return { text: token.slice(1, -1), isVariable: false };
    const name = OLD_NAMES[token] ?? token;
    const known = markerValues({ python: "", platform: "" });
    return Object.hasOwn(known, name) ? { text: name, isVariable: true } : undefined;
  }

  #take(token: string): boolean {
    if (this.#tokens[this.#at] !== token) return false;
    this.#at++;
    return true;
  }
}

function holds(left: Operand, operator: string, right: Operand, values: MarkerValues): boolean {
  const names = [left, right].filter(({ isVariable }) => isVariable).map(({ text }) => text);
  const isExtra = names.includes("extra");
  const valueOf = ({ text, isVariable }: Operand) => {
    const value = isVariable ? values[text] ?? "" : text;
    return isExtra ? normalName(value) : value;
  };
  const [a, b] = [valueOf(left), valueOf(right)];
  if (operator === "in") return b.includes(a);
  if (operator === "not in") return !b.includes(a);
  if (names.some((name) => VERSIONS.has(name))) {
    const specifier = parseSpecifier(`${operator}${b}`);
    if (specifier !== undefined && normalVersion(a) !== undefined) return isWithin(a, specifier);
  }
  if (operator === "==" || operator === "===") return a === b;
  if (operator === "!=") return a !== b;
  if (operator === "<=") return a <= b;
  if (operator === ">=") return a >= b;
  return operator === "<" ? a < b : operator === ">" && a > b;
}
