/**
 * Gives a script's top level the traits of a function body, because Node turns it into one: `this`
 * is the module's exports, and `return` ends the script.
 *
 * @module
 */
import type { AnyNode, Class, Program, ReturnStatement } from "acorn";
import { MODULE_THIS_NAME, RETURN_NAME, SCRIPT_THIS_NAME } from "../loader_names.ts";
import type { TextEdit } from "./text_edits.ts";
import { childNodes } from "./syntax_tree.ts";

const THIS = "this";
const RETURN = "return";
/** As long as `this`, which it replaces, so that what follows keeps its column. */
const THROW_VALUE = "throw(";
const MAY_HOLD = new RegExp(`\\b(?:${THIS}|${RETURN})\\b`);

interface Visit {
  readonly node: AnyNode;
  /** Whether a `return` here belongs to the script. */
  readonly returns: boolean;
  /** Whether a value thrown here would be caught. */
  readonly caught: boolean;
}

/**
 * Parts of a class that are evaluated in the enclosing scope; its members have their own `this`.
 */
function outerPartsOf(node: Class): readonly AnyNode[] {
  const keys = node.body.body.flatMap((member) =>
    member.type !== "StaticBlock" && member.computed ? [member.key] : []
  );
  return node.superClass ? [node.superClass, ...keys] : keys;
}

/** Parts of a node that belong to the same scope. */
function partsOf({ node, returns, caught }: Visit): readonly Visit[] {
  const visit = (nodes: Iterable<AnyNode>, changed: Partial<Visit> = {}) =>
    [...nodes].map((part) => ({ node: part, returns, caught, ...changed }));
  switch (node.type) {
    case "FunctionDeclaration":
    case "FunctionExpression":
      return [];
    case "ArrowFunctionExpression":
      return visit(childNodes(node), { returns: false });
    case "ClassDeclaration":
    case "ClassExpression":
      return visit(outerPartsOf(node));
    case "TryStatement":
      if (!node.handler) break;
      return [
        ...visit([node.block], { caught: true }),
        ...visit(node.finalizer ? [node.handler, node.finalizer] : [node.handler]),
      ];
  }
  return visit(childNodes(node));
}

function returnEdits({ start, argument }: ReturnStatement): readonly TextEdit[] {
  const end = start + RETURN.length;
  if (!argument) return [{ start, end, text: `throw ${RETURN_NAME}` }];
  return [
    { start, end, text: THROW_VALUE },
    { start: argument.end, end: argument.end, text: `,${RETURN_NAME})` },
  ];
}

/**
 * The edits that give a script its scope in Node. A `return` becomes a throw that the run catches.
 * A `return` whose throw the script itself would catch is left for QuickJS to reject, as is every
 * `return` in a module.
 */
export function scopeEdits(
  source: string,
  program: Program,
  { isModule }: { readonly isModule: boolean },
): readonly TextEdit[] {
  if (!MAY_HOLD.test(source)) return [];
  const edits: TextEdit[] = [];
  const returned: TextEdit[] = [];
  let refused = isModule;
  const pending: Visit[] = [{ node: program, returns: true, caught: false }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, returns, caught } = next;
    if (node.type === "ThisExpression") {
      const text = isModule ? MODULE_THIS_NAME : SCRIPT_THIS_NAME;
      edits.push({ start: node.start, end: node.end, text });
    } else if (node.type === "ReturnStatement" && returns) {
      if (caught) refused = true;
      returned.push(...returnEdits(node));
    }
    for (const part of partsOf(next)) pending.push(part);
  }
  return refused ? edits : [...edits, ...returned];
}
