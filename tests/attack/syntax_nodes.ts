/**
 * Walks a syntax tree of acorn.
 *
 * @module
 */

/** A node, or another object of the tree. */
export type SyntaxNode = { readonly [field: string]: unknown };

function isObject(value: unknown): value is SyntaxNode {
  return typeof value === "object" && value !== null;
}

/** All objects of a tree. */
export function* walkNodes(root: object): Generator<SyntaxNode> {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (Array.isArray(next)) waiting.push(...next);
    else if (isObject(next) && !(next instanceof RegExp)) {
      yield next;
      waiting.push(...Object.values(next));
    }
  }
}
