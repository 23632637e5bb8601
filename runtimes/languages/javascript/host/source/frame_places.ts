/**
 * Positions of a traceback's frames where the call begins. QuickJS reports the
 * last position that it recorded before the call, which can be lines further down, among the
 * arguments.
 *
 * @module
 */
import type { AnyNode, CallExpression, NewExpression } from "acorn";
import { IMPORT_FUNCTION } from "../loader_names.ts";
import { LineIndex } from "./line_index.ts";
import { parseScript } from "./script_parser.ts";
import { walkTree } from "./syntax_tree.ts";

type Call = CallExpression | NewExpression;

/**
 * A frame with a position in a script: the text before it, the script, line, column, the text after
 * it.
 */
const FRAME = /^([ \t]*at (?:([^\n]*) \()?)(main(?:-\d+)?\.js):(\d+):(\d+)(\)?[ {]*)$/;
/** A frame of a built-in, or of code whose position is not handled here. */
const OTHER_FRAME = /^[ \t]*at (?:async )?([^\n]*?)(?: \([^()]*\))?$/;
const NEW = /^new /;
/** Number of frames that are corrected; later ones stay as they are. */
export const MAX_FRAMES = 200;

function isFunction(node: AnyNode): boolean {
  return node.type === "FunctionExpression" || node.type === "FunctionDeclaration" ||
    node.type === "ArrowFunctionExpression";
}

function isCall(node: AnyNode): node is Call {
  return node.type === "CallExpression" || node.type === "NewExpression";
}

/** The last name of a callee. */
function nameOf(callee: AnyNode): string | undefined {
  if (callee.type === "Identifier") return callee.name;
  // an imported function: `(0,module["name"])`
  if (callee.type === "SequenceExpression") {
    const [last] = callee.expressions.slice(-1);
    if (last?.type !== "MemberExpression" || last.property.type !== "Literal") return undefined;
    return String(last.property.value);
  }
  if (callee.type !== "MemberExpression" || callee.computed) return undefined;
  const { property } = callee;
  if (property.type === "PrivateIdentifier") return `#${property.name}`;
  return property.type === "Identifier" ? property.name : undefined;
}

/** How a frame's function was called: its name, and whether by `new`. */
interface Callee {
  readonly name: string;
  readonly isNew: boolean;
}

function calleeOf(label: string | undefined): Callee | undefined {
  if (label === undefined || label === "") return undefined;
  return { name: label.replace(NEW, ""), isNew: NEW.test(label) };
}

function calls(call: Call, { name, isNew }: Callee): boolean {
  if (call.callee.type === "Super") return isNew;
  return nameOf(call.callee) === name && (call.type === "NewExpression" || !isNew);
}

/** Whether a call makes an error of the class. */
function makes({ callee }: Call, errorName: string): boolean {
  return callee.type === "Super" || nameOf(callee) === errorName;
}

/** The calls of a script, and their positions. */
export class FramePlaces {
  readonly #code: string;
  readonly #lines: LineIndex;
  readonly #calls: readonly Call[];
  readonly #functions: readonly AnyNode[];

  private constructor(code: string, root: AnyNode | undefined) {
    const nodes = root === undefined ? [] : [...walkTree(root)];
    this.#code = code;
    this.#lines = new LineIndex(code);
    this.#calls = nodes.filter(isCall).sort((a, b) => b.start - a.start || a.end - b.end);
    this.#functions = nodes.filter(isFunction);
  }

  /** Undefined for code that acorn cannot parse. */
  static of(code: string): FramePlaces {
    const parsed = parseScript(code, { tokens: false });
    return new FramePlaces(code, parsed.kind === "parsed" ? parsed.program : undefined);
  }

  /** Number of nodes to search for each frame. */
  get size(): number {
    return this.#calls.length + this.#functions.length;
  }

  /**
   * The lines of a stack, with the positions of calls in `script`. `errorName` is the class of the
   * error that the first frame made; undefined when the first frame called the code that made it.
   */
  corrected(
    lines: readonly string[],
    script: string,
    errorName: string | undefined,
  ): readonly string[] {
    let above: string | undefined = errorName === undefined ? "" : undefined;
    let frames = 0;
    const corrected = lines.map((line) => {
      const [, head = "", label, file, row = "", column = "", tail = ""] = FRAME.exec(line) ?? [];
      const before = above;
      if (file !== undefined) above = label ?? "";
      else above = OTHER_FRAME.exec(line)?.[1] ?? above;
      if (file === undefined || ++frames > MAX_FRAMES || file !== script) return line;
      const offset = this.#offsetOf(Number(row), Number(column));
      if (offset !== undefined && this.#isLoading(offset)) return `${head}${file}:${row}:1${tail}`;
      const call = offset === undefined
        ? undefined
        : before === undefined && errorName !== undefined
        ? this.#around(offset).find((one) => makes(one, errorName))
        : this.#callOf(offset, calleeOf(before));
      return call === undefined ? line : `${head}${file}:${this.#placeOf(call)}${tail}`;
    });
    // the code that replaces an import has its own frames, all at one position
    return corrected.filter((line, index) =>
      line !== corrected[index - 1] || line === lines[index]
    );
  }

  /**
   * Whether an offset is in a line with the code that replaces an `import`, whose columns differ.
   */
  #isLoading(offset: number): boolean {
    const line = this.#lines.lineOf(offset);
    const text = this.#code.slice(this.#lines.startOf(line), this.#lines.startOf(line + 1));
    return text.includes(IMPORT_FUNCTION);
  }

  /** Columns of calls count from 0 in the first line. */
  #offsetOf(line: number, column: number): number | undefined {
    const start = this.#lines.startOf(line - 1);
    return start === undefined ? undefined : start + column - (line === 1 ? 0 : 1);
  }

  /** Calls around an offset, innermost first, in the function that contains it. */
  #around(offset: number): readonly Call[] {
    const isWithin = (node: AnyNode) => node.start <= offset && offset < node.end;
    let least = 0;
    for (const node of this.#functions) {
      // the engine places an immediately invoked function's call at the function's last brace
      if (isWithin(node) && offset !== node.end - 1) least = Math.max(least, node.start);
    }
    return this.#calls.filter((call) => call.start >= least && isWithin(call));
  }

  #callOf(offset: number, callee: Callee | undefined): Call | undefined {
    const around = this.#around(offset);
    if (callee === undefined) return around[0];
    return around.find((call) => calls(call, callee)) ?? around[0];
  }

  /** `line:column`, both from 1. */
  #placeOf(call: Call): string {
    const offset = this.#startOf(call);
    const line = this.#lines.lineOf(offset);
    return `${line + 1}:${offset - (this.#lines.startOf(line) ?? 0) + 1}`;
  }

  #startOf({ type, callee, start }: Call): number {
    if (type === "NewExpression" || callee.type === "Identifier") return start;
    if (callee.type === "SequenceExpression" && nameOf(callee) !== undefined) return start;
    if (callee.type === "MemberExpression") return callee.property.start;
    if (callee.type === "Super") return start;
    // an immediately invoked function
    const open = this.#code.indexOf("(", callee.end);
    return open < 0 ? start : open;
  }
}
