/**
 * Lets a script declare names that earlier scripts of the same guest declared, as a console does. A
 * script that does not compile changes nothing. When a script ends early, names that it did not
 * reach keep their old values.
 *
 * @module
 */
import type { Instance } from "./instance.ts";
import { EVAL_COMPILE_ONLY, isUninitialized, type Value } from "./quickjs_abi.ts";
import type { ModuleDeclaration, Statement, VariableDeclaration } from "acorn";
import { parseScript } from "./source/script_parser.ts";
import { addPatternNames } from "./source/syntax_tree.ts";
import { applyEdits, type TextEdit } from "./source/text_edits.ts";

/** A script, and how to evaluate it. */
export interface Script {
  readonly code: string;
  readonly name: string;
  readonly flags: number;
  /** Names that the script's top level declares. */
  readonly names: readonly string[];
}

interface Found {
  readonly lexical: readonly string[];
  readonly fixed: readonly string[];
}

function readNames(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}

function readFound(text: string | undefined): Found {
  if (text === undefined) return { lexical: [], fixed: [] };
  const said: unknown = JSON.parse(text);
  const { lexical, fixed }: Record<string, unknown> = { ...Object(said) };
  return { lexical: readNames(lexical), fixed: readNames(fixed) };
}

/** The declarations of one script. */
export class Redeclaration {
  readonly #in: Instance;
  readonly #script: Script;
  #hasTaken = false;

  constructor(interpreter: Instance, script: Script) {
    this.#in = interpreter;
    this.#script = script;
  }

  /** Makes room for the script's declarations. Returns the code to evaluate. */
  begin(): string {
    const { names, code } = this.#script;
    if (names.length === 0) return code;
    const { driver } = this.#in;
    const { lexical, fixed } = readFound(this.#ask(driver.findDeclared, names));
    const next = fixed.length === 0 ? code : declareAsVariables(code, fixed);
    if (lexical.length > 0 && this.#compiles(next)) {
      this.#ask(driver.takeDeclared, lexical);
      this.#hasTaken = true;
    }
    return next;
  }

  /** Called after the script was evaluated. `completed`: it reached its last statement. */
  end(completed: boolean): void {
    const { driver } = this.#in;
    const { names } = this.#script;
    if (names.length === 0 || completed && !this.#hasTaken) return;
    this.#ask(driver.restoreDeclared, completed ? [] : this.#unset(names));
  }

  #compiles(code: string): boolean {
    const { js } = this.#in;
    const { name, flags } = this.#script;
    const compiled = js.evaluate(code, name, flags | EVAL_COMPILE_ONLY);
    const error = js.exception(compiled);
    if (error !== undefined) js.release(error);
    js.release(compiled);
    return error === undefined;
  }

  /** Names that are declared but have no value yet. */
  #unset(names: readonly string[]): readonly string[] {
    const { js } = this.#in;
    const lexicals = this.#in.takeLexicals();
    const unset = names.filter((name) => {
      const value = js.property(lexicals, name);
      const isUnset = isUninitialized(value);
      js.release(value);
      return isUnset;
    });
    js.release(lexicals);
    return unset;
  }

  /** Calls a driver function with names. Returns its text. */
  #ask(callee: Value, names: readonly string[]): string | undefined {
    const { js } = this.#in;
    const args = [this.#in.takeLexicals(), js.newString(JSON.stringify(names))];
    const result = js.call(callee, args);
    const error = js.exception(result);
    const text = error === undefined ? js.text(result) : undefined;
    for (const value of [...args, result]) js.release(value);
    if (error !== undefined) js.release(error);
    return text;
  }
}

const VARIABLE = "var";

function declaresAny(declaration: VariableDeclaration, names: ReadonlySet<string>): boolean {
  const declared = new Set<string>();
  for (const { id } of declaration.declarations) addPatternNames(id, declared);
  return [...declared].some((name) => names.has(name));
}

function editsOf(
  statement: Statement | ModuleDeclaration,
  names: ReadonlySet<string>,
): readonly TextEdit[] {
  const { start, end } = statement;
  if (statement.type === "VariableDeclaration") {
    const { kind } = statement;
    if (kind !== "let" && kind !== "const" || !declaresAny(statement, names)) return [];
    return [{ start, end: start + kind.length, text: VARIABLE.padEnd(kind.length) }];
  }
  if (statement.type !== "ClassDeclaration" || !names.has(statement.id.name)) return [];
  return [
    { start, end: start, text: `${VARIABLE} ${statement.id.name}=` },
    { start: end, end, text: ";" },
  ];
}

/**
 * The script with `var` in place of other top-level declarations of the names. Earlier scripts made them
 * permanent variables or functions of the global object, so `let`, `const` and `class` can no longer
 * declare them.
 */
function declareAsVariables(code: string, names: readonly string[]): string {
  const parsed = parseScript(code, { tokens: false });
  if (parsed.kind !== "parsed") return code;
  const wanted = new Set(names);
  return applyEdits(code, parsed.program.body.flatMap((statement) => editsOf(statement, wanted)));
}
