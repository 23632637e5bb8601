/**
 * The depth-first walk that finds cycles in the call graph.
 *
 * @module
 */
import type { CallGraph } from "./call_graph.ts";
import { Int32List } from "./int32_list.ts";

const UNSEEN = 0;
const OPEN = 1;
const DONE = 2;

export interface DepthFirst {
  /** Says which nodes take part. */
  readonly include: (node: number) => boolean;
  /**
   * Called for each edge that closes a cycle; every cycle of the included nodes has at least one.
   */
  readonly onCycle: (from: number, to: number) => void;
  /** Called for each node after its successors, except those on a cycle with it. */
  readonly onDone?: (node: number) => void;
}

/** Walks the call graph depth first, from every node in turn, without recursion. */
export function walkDepthFirst(graph: CallGraph, { include, onCycle, onDone }: DepthFirst): void {
  const state = new Uint8Array(graph.nodes);
  const next = graph.starts.slice();
  const path = new Int32List();
  for (let root = 0; root < graph.nodes; root++) {
    if (state[root] !== UNSEEN || !include(root)) continue;
    state[root] = OPEN;
    path.push(root);
    while (path.length > 0) {
      const node = path.at(path.length - 1);
      const edge = next[node] ?? 0;
      if (edge === graph.starts[node + 1]) {
        path.pop();
        state[node] = DONE;
        onDone?.(node);
        continue;
      }
      next[node] = edge + 1;
      const target = graph.targets[edge] ?? 0;
      if (state[target] === OPEN) onCycle(node, target);
      if (state[target] !== UNSEEN || !include(target)) continue;
      state[target] = OPEN;
      path.push(target);
    }
  }
}
