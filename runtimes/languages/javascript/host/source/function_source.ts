/**
 * The code of one stack frame: the script, or a function by its own text, with the nodes that run
 * as part of it.
 *
 * @module
 */
import type { AnyNode, Program } from "acorn";
import { LineIndex } from "./line_index.ts";
import { parseScript } from "./script_parser.ts";

/** A position as the engine reports it: both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A node and its parent. */
export interface PlacedNode {
  readonly node: AnyNode;
  readonly parent: AnyNode | undefined;
}

/** A point in the parsed text whose position in the engine is known. */
interface Anchor {
  readonly offset: number;
  readonly root: AnyNode;
}

/** Texts that a function's text can be wrapped in to make a script. */
const WRAPPERS = [["(", ")"], ["({", "})"], ["(class{", "})"]] as const;

function isNode(value: unknown): value is AnyNode {
  return typeof value === "object" && value !== null && "type" in value &&
    typeof value.type === "string";
}

function isFunction(node: AnyNode): boolean {
  return node.type === "FunctionExpression" || node.type === "FunctionDeclaration" ||
    node.type === "ArrowFunctionExpression";
}

/**
 * The nodes of a function's or a script's own code; nested functions are nodes without children.
 */
function nodesOf(root: AnyNode): readonly PlacedNode[] {
  const found: PlacedNode[] = [];
  const pending: PlacedNode[] = [{ node: root, parent: undefined }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node } = next;
    found.push(next);
    if (node !== root && isFunction(node)) continue;
    for (const child of Object.values(node).flat()) {
      if (isNode(child)) pending.push({ node: child, parent: node });
    }
  }
  return found.sort((a, b) => a.node.start - b.node.start || b.node.end - a.node.end);
}

/** Whether a script awaits outside functions. */
export function awaitsAtTop(program: Program): boolean {
  return nodesOf(program).some(({ node }) =>
    node.type === "AwaitExpression" || node.type === "ForOfStatement" && node.await ||
    node.type === "VariableDeclaration" && node.kind === "await using"
  );
}

function constructorAnchor(node: AnyNode): Anchor | undefined {
  if (node.type !== "ClassExpression") return undefined;
  for (const member of node.body.body) {
    if (member.type === "MethodDefinition" && member.kind === "constructor") {
      return { offset: member.key.start, root: member.value };
    }
  }
  return undefined;
}

/**
 * The beginning of a function by the engine's account: that of its text, or the word `constructor`.
 */
function anchorOf(program: Program, start: number): Anchor | undefined {
  const [statement] = program.body;
  if (statement?.type !== "ExpressionStatement") return undefined;
  const { expression } = statement;
  if (isFunction(expression)) return { offset: start, root: expression };
  const member = expression.type === "ObjectExpression"
    ? expression.properties[0]
    : expression.type === "ClassExpression" && expression.body.body.length === 1
    ? expression.body.body[0]
    : undefined;
  if (member?.type === "Property" || member?.type === "MethodDefinition") {
    const isConstructor = member.type === "MethodDefinition" && member.kind === "constructor";
    if (isFunction(member.value) && !isConstructor) {
      return { offset: start, root: member.value };
    }
  }
  return constructorAnchor(expression);
}

/** Code with the positions that the engine uses for it. */
export class FunctionSource {
  /** The function, or the whole script. */
  readonly root: AnyNode;
  /** Nodes that run as part of it, in the order of the text. */
  readonly nodes: readonly PlacedNode[];
  readonly #text: string;
  readonly #lines: LineIndex;
  readonly #anchor: number;
  readonly #start: Position;

  private constructor(text: string, anchor: Anchor, start: Position) {
    this.root = anchor.root;
    this.nodes = nodesOf(anchor.root);
    this.#text = text;
    this.#lines = new LineIndex(text);
    this.#anchor = anchor.offset;
    this.#start = start;
  }

  /** A whole script. */
  static ofScript(code: string): FunctionSource | undefined {
    const parsed = parseScript(code, { tokens: false });
    if (parsed.kind !== "parsed") return undefined;
    return new FunctionSource(code, { offset: 0, root: parsed.program }, { line: 1, column: 1 });
  }

  /** A function by its text, which begins at `start` by the engine's account. */
  static ofFunction(text: string, start: Position): FunctionSource | undefined {
    for (const [open, close] of WRAPPERS) {
      const code = `${open}${text}\n${close}`;
      const parsed = parseScript(code, { tokens: false, fragment: true });
      const anchor = parsed.kind === "parsed" ? anchorOf(parsed.program, open.length) : undefined;
      if (anchor !== undefined) return new FunctionSource(code, anchor, start);
    }
    return undefined;
  }

  /** The source text of a node. */
  textOf({ start, end }: AnyNode): string {
    return this.#text.slice(start, end);
  }

  /** The index in the parsed text for one of the engine's positions. */
  offsetOf({ line, column }: Position): number {
    const lines = line - this.#start.line;
    if (lines <= 0) return this.#anchor + column - this.#start.column;
    const start = this.#lines.startOf(this.#lines.lineOf(this.#anchor) + lines);
    return start === undefined ? Infinity : start + column - 1;
  }

  /** The engine's position for an index in the parsed text. */
  positionOf(offset: number): Position {
    const line = this.#lines.lineOf(offset);
    const lines = line - this.#lines.lineOf(this.#anchor);
    if (lines <= 0) {
      return { line: this.#start.line, column: this.#start.column + offset - this.#anchor };
    }
    return {
      line: this.#start.line + lines,
      column: offset - (this.#lines.startOf(line) ?? 0) + 1,
    };
  }
}
