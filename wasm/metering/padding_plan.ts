/**
 * Chooses the functions whose frames are padded.
 *
 * @module
 */
import { type CallGraph, callsItself } from "./call_graph.ts";
import { walkDepthFirst } from "./depth_first.ts";
import type { StackPadding } from "./stack_padding.ts";

/** Properties of a defined function, by its number. */
export interface FunctionTraits {
  /** The function opens a frame that can be enlarged. */
  readonly framed: (index: number) => boolean;
  readonly exported: (index: number) => boolean;
}

/**
 * Chooses the functions to pad: those whose frame is enlarged at no cost, those with many locals,
 * and of the others as many as it takes for every cycle of calls to pass a padded one. So no
 * recursion goes uncounted, and the small helpers that are called most stay as they are. The result
 * has a 1 for each function to pad, if it calls anything at all.
 */
export function planPadding(
  graph: CallGraph,
  padding: StackPadding,
  { framed, exported }: FunctionTraits,
): Uint8Array {
  const padded = new Uint8Array(graph.functions);
  const smallest = padding.minimumLocals ?? 8;
  const allowed = (index: number) => padding.exported === true || !exported(index);
  for (let i = 0; i < graph.functions; i++) {
    const large = (graph.locals[i] ?? 0) >= smallest && allowed(i);
    if (large || framed(i) || (callsItself(graph, i) && allowed(i))) padded[i] = 1;
  }
  walkDepthFirst(graph, {
    include: (node) => node >= graph.functions || padded[node] === 0,
    onCycle: (from, to) => {
      // A signature is not a function; then the other end of the edge is one.
      const chosen = to < graph.functions ? to : from;
      if (allowed(chosen)) padded[chosen] = 1;
    },
  });
  return padded;
}
