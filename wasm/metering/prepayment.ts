/**
 * Chooses the functions whose entry the callers pay for.
 *
 * @module
 */
import { type CallGraph, callsItself } from "./call_graph.ts";
import { walkDepthFirst } from "./depth_first.ts";

export interface PrepaymentPlan {
  /** All defined functions: first the eligible ones, each after those it calls. */
  readonly order: Int32Array;
  /** 1 for each function whose entry may be paid by its callers. */
  readonly eligible: Uint8Array;
}

/**
 * Chooses the functions whose entry cost the callers can pay along with their own: those reached by
 * direct calls only. At least one function of each cycle stays out, so that every recursion passes
 * a check.
 */
export function planPrepayment(graph: CallGraph): PrepaymentPlan {
  const eligible = graph.referenced.map((referenced, index) =>
    referenced === 1 || callsItself(graph, index) ? 0 : 1
  );
  const direct = eligible.slice();
  const order = new Int32Array(graph.functions);
  let placed = 0;
  walkDepthFirst(graph, {
    include: (node) => direct[node] === 1,
    onCycle: (_, to) => {
      eligible[to] = 0;
    },
    onDone: (node) => {
      order[placed++] = node;
    },
  });
  for (let index = 0; index < graph.functions; index++) {
    if (direct[index] === 0) order[placed++] = index;
  }
  return { order, eligible };
}

/** No function is paid by its callers. */
export function noPrepayment(functions: number): PrepaymentPlan {
  return {
    order: Int32Array.from({ length: functions }, (_, index) => index),
    eligible: new Uint8Array(functions),
  };
}
