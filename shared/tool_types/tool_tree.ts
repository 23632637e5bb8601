/**
 * Tools by the segments of their names: `crm.find` is `find` in the group `crm`.
 *
 * @module
 */
import type { ToolDeclaration } from "./declaration.ts";

/** A group of tools. */
export interface ToolTree {
  /** By segment, in the order of their first tool. */
  readonly groups: ReadonlyMap<string, ToolTree>;
  /** By last segment. */
  readonly tools: ReadonlyMap<string, ToolDeclaration>;
}

interface GrowingTree {
  readonly groups: Map<string, GrowingTree>;
  readonly tools: Map<string, ToolDeclaration>;
}

function newTree(): GrowingTree {
  return { groups: new Map(), tools: new Map() };
}

/** The tree of tools. */
export function toolTree(tools: readonly ToolDeclaration[]): ToolTree {
  const root = newTree();
  for (const tool of tools) {
    const segments = tool.name.split(".");
    const last = segments.pop() ?? "";
    let at = root;
    for (const segment of segments) {
      const group = at.groups.get(segment) ?? newTree();
      at.groups.set(segment, group);
      at = group;
    }
    at.tools.set(last, tool);
  }
  return root;
}
