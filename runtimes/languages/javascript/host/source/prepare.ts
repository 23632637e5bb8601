/**
 * Prepares a submitted script for QuickJS. TypeScript loses its types, modules become scripts, and
 * `this` and `return` outside functions get their meaning in Node. The names that the script
 * declares are found, and whether it has a value. All other JavaScript is evaluated exactly as
 * written.
 *
 * Sources are untrusted. For any source the work is bounded and nothing is thrown.
 *
 * @module
 */
import type { Program } from "acorn";
import type { GuestError } from "../../../../engine/engine.ts";
import { rewriteLocalModule } from "./local_module.ts";
import { hasCompletionValue, hasTransformedValue } from "./completion_value.ts";
import { declaredNames } from "./declared_names.ts";
import { type ImportRules, typeScriptRules } from "./import_rules.ts";
import { rewriteModuleSyntax } from "./module_syntax.ts";
import { type ParsedScript, parseScript, type SyntaxFault } from "./script_parser.ts";
import { type ScriptName, sourceError, syntaxError, unsupportedSyntax } from "./syntax_errors.ts";
import { awaitsAtTop } from "./syntax_tree.ts";
import { mayHoldTypeArguments, usesTypeArguments } from "./type_arguments.ts";
import { type LineMapping, SAME_LINE, type StripResult, TypeStripper } from "./typescript.ts";

/** A script that QuickJS can evaluate. */
export interface PreparedSource {
  /** A script for the global scope; `await` is allowed at its top level. */
  readonly code: string;
  /** Whether the last statement is an expression statement. */
  readonly hasValue: boolean;
  /** Whether it awaits at its top level, or may do so. */
  readonly awaits: boolean;
  /**
   * Names that the top level declares, including `var` inside blocks; empty when they are not
   * known.
   */
  readonly names: readonly string[];
  /** Line of `code` → line of the submitted text; both count from 1. */
  lineOf(line: number): number;
}

/** A script to run, or the error that ends the run. */
export type Preparation =
  | { readonly ok: true; readonly source: PreparedSource }
  | { readonly ok: false; readonly error: GuestError };

/** A file that a script loads, ready to be the body of a function. */
export interface PreparedFile {
  readonly code: string;
  /** Whether it was written as a module; otherwise it is unchanged CommonJS. */
  readonly isModule: boolean;
  /** Whether it awaits at its top level. */
  readonly awaits: boolean;
}

/** The options of a script. */
export interface PrepareOptions {
  /** The caller said that it is TypeScript. */
  readonly typescript: boolean;
  /** The script shares its scope with earlier and later scripts. */
  readonly inContext?: boolean;
}

/** Prepares sources. */
export interface Preparer {
  /** Never throws. */
  prepare(code: string, options: PrepareOptions): Preparation;
  /** The same for a file that a script loads; an error is returned as text. */
  prepareFile(code: string, options: { readonly typescript: boolean }): PreparedFile | string;
  /** Drops earlier sources; best called while no request waits. */
  reset(): void;
  /** False when it cannot prepare any more TypeScript: this process should be replaced. */
  readonly healthy: boolean;
}

/** The language that a text was written in, and the origin of its lines. */
interface Origin {
  readonly name: ScriptName;
  readonly lineOf: LineMapping;
}

/** Whether the script is alone in its scope. */
interface Standing {
  readonly isAlone: boolean;
}

const JAVASCRIPT: Origin = { name: "main.js", lineOf: SAME_LINE };

type Code = Extract<StripResult, { kind: "code" }>;

/**
 * Matches the signs of TypeScript. A text with none of them that is not JavaScript is not
 * TypeScript either.
 */
const TYPESCRIPT_SIGN =
  /[:<!@]|\?\s?[,;=)\]}]|\b(?:abstract|as|declare|enum|export|implements|import|interface|module|namespace|override|private|protected|public|readonly|satisfies|type)\b/;
/** Faults that a JavaScript parser reports at the first piece of TypeScript. */
const TYPESCRIPT_FAULT =
  /^(?:Unexpected |missing \) after|The keyword '|Shorthand property|Complex binding|Missing initializer)/;
const TYPE_BEGINNING = /[:<!?@=|&{[(*#\p{ID_Start}$_]/uy;
/** Faults for which QuickJS gives no line. */
const PLACELESS_FAULT = /^Private field /;
/**
 * Module syntax where it is allowed. QuickJS would report it first, whatever else is wrong in the
 * script.
 */
const MODULE_SYNTAX =
  /(?:^|[;}/])[ \t]*(?:import\s*["'{*\w$]|export\s*[{*\w])|\bimport\s*\.\s*meta\b/m;

function failed(error: GuestError): Preparation {
  return { ok: false, error };
}

function mayAwait(code: string): boolean {
  return code.includes("await");
}

/** Leaves the script to QuickJS, which accepts some scripts that acorn rejects. */
function asWritten(code: string, lineOf: LineMapping = SAME_LINE): Preparation {
  return {
    ok: true,
    source: { code, hasValue: true, awaits: mayAwait(code), names: [], lineOf },
  };
}

function ready(code: string, program: Program, made: {
  readonly lineOf: LineMapping;
  readonly hasValue: boolean;
  readonly standing: Standing;
  readonly rules?: ImportRules;
}): Preparation {
  const names = declaredNames(program);
  const { standing, rules } = made;
  const rewrite = rewriteModuleSyntax(code, program, {
    ...standing,
    ...(rules === undefined ? {} : { rules }),
  });
  return {
    ok: true,
    source: {
      code: rewrite?.code ?? code,
      hasValue: made.hasValue,
      awaits: mayAwait(code) && awaitsAtTop(program),
      names: rewrite === undefined ? names : [...names, ...rewrite.addedNames],
      lineOf: made.lineOf,
    },
  };
}

function readyScript(code: string, program: Program, standing: Standing): Preparation {
  const hasValue = hasCompletionValue(program);
  return ready(code, program, { lineOf: SAME_LINE, hasValue, standing });
}

/**
 * A script that acorn rejects. QuickJS rejects it too and reports the error, unless it cannot see
 * or locate the fault.
 */
function refusedScript(code: string, fault: SyntaxFault, origin = JAVASCRIPT): Preparation {
  const unsupported = unsupportedSyntax(code, fault);
  const isUntold = MODULE_SYNTAX.test(code) || PLACELESS_FAULT.test(fault.message);
  if (unsupported === undefined && !isUntold) return asWritten(code, origin.lineOf);
  const told = unsupported ?? fault;
  return failed(syntaxError(origin.name, { ...told, line: origin.lineOf(told.line) }));
}

function readyStripped(submitted: string, stripped: Code, standing: Standing): Preparation {
  const { code, lineOf } = stripped;
  const parsed = parseScript(code, { tokens: false });
  switch (parsed.kind) {
    case "parsed": {
      const { program } = parsed;
      const hasValue = stripped.transformed
        ? hasTransformedValue(program, submitted)
        : hasCompletionValue(program);
      const isShared = !standing.isAlone;
      const rules = typeScriptRules({ submitted, code, program, isShared });
      return ready(code, program, { lineOf, hasValue, standing, rules });
    }
    case "fault": {
      const origin: Origin = code === submitted ? JAVASCRIPT : { name: "main.ts", lineOf };
      return refusedScript(code, parsed.fault, origin);
    }
    case "too deep":
      return asWritten(code, lineOf);
  }
}

function isFurther(a: SyntaxFault, b: SyntaxFault): boolean {
  return a.line > b.line || a.line === b.line && a.column > b.column;
}

/**
 * Whether the JavaScript parser stopped where a piece of TypeScript may begin or has just ended.
 */
function mayBeType(code: string, { offset = 0 }: SyntaxFault): boolean {
  TYPE_BEGINNING.lastIndex = offset;
  return TYPE_BEGINNING.test(code) || /[?!]$/.test(code.slice(0, offset).trimEnd());
}

/**
 * Neither JavaScript nor TypeScript: the parser that got further decides which the author meant.
 */
function refusedByBoth(code: string, script: SyntaxFault, typescript: SyntaxFault): Preparation {
  const isTypeScript = isFurther(typescript, script) && mayBeType(code, script) &&
    unsupportedSyntax(code, script) === undefined;
  if (!isTypeScript) return refusedScript(code, script);
  return failed(syntaxError("main.ts", unsupportedSyntax(code, typescript) ?? typescript));
}

/** A fault with its position, for an error without a frame in the file. */
function placedFault({ message, line, column }: SyntaxFault): string {
  return `${message} at ${line}:${column + 1}`;
}

/**
 * A script as a file to load; a script that acorn rejects is left to QuickJS. `typescript`: the text
 * before its types were removed.
 */
function readyFile(code: string, typescript: string | undefined): PreparedFile | string {
  const parsed = parseScript(code, { tokens: false });
  const asItIs = { code, isModule: false, awaits: false };
  if (parsed.kind === "fault" && MODULE_SYNTAX.test(code)) return placedFault(parsed.fault);
  if (parsed.kind !== "parsed") return asItIs;
  const { program } = parsed;
  const rules = typescript === undefined
    ? undefined
    : typeScriptRules({ submitted: typescript, code, program, isShared: false });
  const body = rewriteLocalModule(code, program, rules);
  if (body === undefined) return asItIs;
  return { code: body, isModule: true, awaits: awaitsAtTop(program) };
}

class SourcePreparer implements Preparer {
  readonly #stripper: TypeStripper;
  #healthy = true;

  constructor(stripper: TypeStripper) {
    this.#stripper = stripper;
  }

  get healthy(): boolean {
    return this.#healthy;
  }

  prepare(code: string, options: PrepareOptions): Preparation {
    const standing = { isAlone: options.inContext !== true };
    try {
      return options.typescript ? this.#typescript(code, standing) : this.#script(code, standing);
    } catch {
      // only the host's stack can overflow here; QuickJS bounds its own
      return asWritten(code);
    }
  }

  prepareFile(code: string, options: { readonly typescript: boolean }): PreparedFile | string {
    try {
      const stripped = options.typescript ? this.#strip(code) : { kind: "code" as const, code };
      switch (stripped.kind) {
        case "code":
          return readyFile(stripped.code, options.typescript ? code : undefined);
        case "fault":
          return placedFault(stripped.fault);
        case "refused":
          return stripped.message;
      }
    } catch {
      return { code, isModule: false, awaits: false }; // nested too deeply for the host
    }
  }

  reset(): void {
    this.#guarded(() => this.#stripper.reset());
  }

  #guarded<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch {
      this.#healthy = false; // no instance can be made: the host is out of memory for it
      return undefined;
    }
  }

  #strip(code: string): StripResult {
    return this.#guarded(() => this.#stripper.strip(code)) ??
      { kind: "refused", message: "TypeScript cannot be compiled now" };
  }

  #script(code: string, standing: Standing): Preparation {
    const tokens = mayHoldTypeArguments(code);
    const parsed = parseScript(code, { tokens });
    switch (parsed.kind) {
      case "parsed":
        return this.#validScript(code, parsed, standing);
      case "fault":
        return this.#otherThanScript(code, parsed.fault, standing);
      case "too deep":
        return asWritten(code);
    }
  }

  #validScript(
    code: string,
    parsed: Extract<ParsedScript, { kind: "parsed" }>,
    standing: Standing,
  ): Preparation {
    const { program, tokens } = parsed;
    if (tokens.length > 0 && usesTypeArguments(program, { code, tokens })) {
      const stripped = this.#strip(code);
      if (stripped.kind === "code") return readyStripped(code, stripped, standing);
    }
    return readyScript(code, program, standing);
  }

  #otherThanScript(code: string, fault: SyntaxFault, standing: Standing): Preparation {
    const isPossible = TYPESCRIPT_FAULT.test(fault.message) && TYPESCRIPT_SIGN.test(code);
    if (!isPossible) return refusedScript(code, fault);
    const stripped = this.#strip(code);
    switch (stripped.kind) {
      case "code":
        return readyStripped(code, stripped, standing);
      case "fault":
        return refusedByBoth(code, fault, stripped.fault);
      case "refused":
        return failed(sourceError(stripped.message));
    }
  }

  /**
   * Declared as TypeScript; text that only the JavaScript parser accepts is JavaScript
   * nevertheless.
   */
  #typescript(code: string, standing: Standing): Preparation {
    const stripped = this.#strip(code);
    if (stripped.kind === "code") return readyStripped(code, stripped, standing);
    const parsed = parseScript(code, { tokens: false });
    if (parsed.kind === "parsed") return readyScript(code, parsed.program, standing);
    if (stripped.kind === "refused") return failed(sourceError(stripped.message));
    const { fault } = stripped;
    return failed(syntaxError("main.ts", unsupportedSyntax(code, fault) ?? fault));
  }
}

/**
 * Makes a preparer. `stripper` returns the compiled module of `meterStripper`; it is called once,
 * at the first TypeScript.
 */
export function createPreparer(parts: { readonly stripper: () => WebAssembly.Module }): Preparer {
  return new SourcePreparer(new TypeStripper(parts.stripper));
}
