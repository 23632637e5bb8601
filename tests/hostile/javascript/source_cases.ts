/** Sources that are hostile to their parsers. */
import type { HostileCase } from "../cases.ts";

const SOURCE_BYTES = 65_536;

function deepSource(piece: string, tail = ""): string {
  return piece.repeat(Math.floor((SOURCE_BYTES - tail.length) / piece.length)) + tail;
}

export const SOURCES: readonly HostileCase[] = [
  ...Object.entries({
    "arrays": deepSource("["),
    "parentheses": deepSource("("),
    "blocks": deepSource("{"),
    "templates": deepSource("`${"),
    "functions": deepSource("function f(){"),
    "arrows": deepSource("a=>"),
    "signs without an end": deepSource("-"),
    "shifts": deepSource("<"),
    "garbage": deepSource("#"),
    "quotes": deepSource("'`"),
  }).map(([name, code]) =>
    ({
      name: `source of ${name}`,
      code,
      outcome: "error",
      error: /SyntaxError|RangeError/,
    }) as const
  ),
  { name: "source of conditionals", code: deepSource("a?b:", "0"), outcome: "error" },
  { name: "source of signs", code: deepSource("- ", "1"), outcome: "either" },
  { name: "source of a long sum", code: deepSource("1+", "1"), outcome: "value" },
];

export const TYPESCRIPT: readonly HostileCase[] = [
  { name: "nested generics", code: `let a: ${"A<".repeat(20_000)}`, outcome: "error" },
  { name: "nested type arguments", code: `f${"<T>".repeat(20_000)}()`, outcome: "error" },
  { name: "nested namespaces", code: "namespace a {".repeat(5_000), outcome: "error" },
  { name: "nested types", code: `type A = ${"[".repeat(60_000)}`, outcome: "error" },
  {
    name: "many enums",
    code: "enum E { A }\n".repeat(4_000).slice(0, SOURCE_BYTES),
    outcome: "any",
  },
  { name: "unions without an end", code: `let x: ${"a | ".repeat(16_000)}`, outcome: "error" },
];
