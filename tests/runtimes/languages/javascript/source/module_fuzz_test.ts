// test: slow
/** Random modules: the result is a script in which every line keeps its number. */
import { type Options, parse } from "acorn";
import { assert, assertEquals } from "@std/assert";
import { seeded } from "../../../../support/random.ts";
import { prepared, scriptPreparer } from "./preparer.ts";

const ROUNDS = 3000;
const seed = Number(Deno.env.get("SEED") ?? Date.now() % 1_000_000);

const STATEMENTS = [
  "import fs from 'fs'",
  "import { a as b } from 'x'",
  "import * as ns from 'y'",
  "import d, { e,\n f } from 'z'",
  "import 'side'",
  "import\n{\n}\nfrom 'empty'",
  "export const q = 1, { r } = q",
  "export default { a: 1 }",
  "export default function () {}",
  "export default function named() {}",
  "export default class {}",
  "export default async (x) => x",
  "export /* c\n */ default (1, 2)",
  "export { v }",
  "export {}",
  "export * from 'm'",
  "export { x as y } from 'n'",
  "export class C {}",
  "let v = 1",
  "call()",
  "(1)",
  "[1].x",
  "`t`",
  "/re/.x",
  "+1",
  "'use strict'",
  "function g() {}",
  "if (x) y",
  "import.meta.url",
  "z = import('q')",
  "for (var i of []) ;",
  "() => ({})",
];
const SEPARATORS = ["\n", ";\n", "\n\n", "; ", "\r\n", " // c\n", "\n/* x */ ", ";//\u2028"];

/** Up to eight statements, without repetition. */
function program(next: () => number): string {
  const left = [...STATEMENTS];
  let code = next() < 0.1 ? "#!/usr/bin/env node\n" : "";
  for (let count = 1 + Math.floor(next() * 8); count > 0; count--) {
    const [statement = ""] = left.splice(Math.floor(next() * left.length), 1);
    code += statement + (SEPARATORS[Math.floor(next() * SEPARATORS.length)] ?? "");
  }
  return code;
}

function lineBreaks(code: string): string {
  return code.replace(/[^\n\r\u2028]+/g, "");
}

function parses(code: string, options: Partial<Options>): boolean {
  try {
    parse(code, { ecmaVersion: "latest", allowAwaitOutsideFunction: true, ...options });
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

Deno.test(`modules at random, SEED=${seed}: each becomes a script and keeps its lines`, () => {
  const next = seeded(seed);
  const preparer = scriptPreparer();
  let modules = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const code = program(next);
    if (!parses(code, { allowImportExportEverywhere: true })) continue;
    modules++;
    const source = prepared(preparer, code);
    assert(parses(source.code, {}), `${JSON.stringify(code)}\n${source.code}`);
    assertEquals(lineBreaks(source.code), lineBreaks(code), JSON.stringify(code));
    assertEquals(source.lineOf(3), 3);
  }
  assert(modules > ROUNDS / 4, `only ${modules} programs were modules`);
});
