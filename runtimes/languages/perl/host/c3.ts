/**
 * The C3 order of classes: no class precedes one that inherits from it, and parents keep their
 * order.
 *
 * @module
 */

/**
 * Thrown when no such order exists, or when classes inherit from themselves. The message is Perl's.
 */
export class C3Error extends Error {
  override readonly name = "C3Error";
}

/** The input of the computation. */
interface Hierarchy {
  /** The parents of a class, in their order. */
  parentsOf(name: string): readonly string[];
  /** Called before each piece of work, with the number of names to process. */
  charge(names: number): void;
}

/** Maximum depth of inheritance, as in Perl. */
const MAX_DEPTH = 100;

/** A class, then all that it inherits from. */
export function c3Order(hierarchy: Hierarchy, name: string): readonly string[] {
  const known = new Map<string, readonly string[]>();
  const orderOf = (name: string, depth: number): readonly string[] => {
    const order = known.get(name);
    if (order !== undefined) return order;
    if (depth > MAX_DEPTH) {
      throw new C3Error(`Recursive inheritance detected in package '${name}'`);
    }
    const parents = hierarchy.parentsOf(name);
    const [parent] = parents;
    const made = parent !== undefined && parents.length === 1
      ? below(name, orderOf(parent, depth + 1), hierarchy)
      : merge(
        name,
        [...parents.map((parent) => orderOf(parent, depth + 1)), parents],
        hierarchy,
      );
    known.set(name, made);
    return made;
  };
  return orderOf(name, 0);
}

/** The order of a class with one parent. */
function below(name: string, order: readonly string[], hierarchy: Hierarchy): readonly string[] {
  hierarchy.charge(order.length);
  return [name, ...order];
}

function merge(name: string, orders: readonly (readonly string[])[], hierarchy: Hierarchy) {
  const result = [name];
  const next = orders.map(() => 0);
  // how often a name occurs after the first place in the remaining orders
  const behind = new Map<string, number>();
  const count = (name: string | undefined, by: number) => {
    if (name !== undefined) behind.set(name, (behind.get(name) ?? 0) + by);
  };
  hierarchy.charge(orders.reduce((sum, order) => sum + order.length, 1));
  for (const order of orders) for (const name of order.slice(1)) count(name, 1);
  for (;;) {
    hierarchy.charge(orders.length);
    let head: string | undefined;
    let isFree = false;
    for (let at = 0; at < orders.length && !isFree; at++) {
      const first = orders[at]?.[next[at] ?? 0];
      if (first === undefined) continue;
      head = first;
      isFree = (behind.get(first) ?? 0) === 0;
    }
    if (head === undefined) return result;
    if (!isFree) throw inconsistent(name, result, head);
    result.push(head);
    for (let at = 0; at < orders.length; at++) {
      const position = next[at] ?? 0;
      if (orders[at]?.[position] !== head) continue;
      next[at] = position + 1;
      count(orders[at]?.[position + 1], -1);
    }
  }
}

function inconsistent(name: string, result: readonly string[], failed: string): C3Error {
  const found = result.map((name) => `\t\t${name},\n`).join("");
  return new C3Error(
    `Inconsistent hierarchy during C3 merge of class '${name}':\n\t` +
      `current merge results [\n${found}\t]\n\tmerging failed on '${failed}'`,
  );
}
