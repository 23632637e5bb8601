/**
 * Processes whose runs can begin on the state that they know.
 *
 * @module
 */
import { assert } from "@std/assert";
import type { KvStore } from "../../store/kv.ts";
import { Caller, type ProcessOptions, sandboxProcess } from "./fixture.ts";
import { type StoredProgram, StoredRuntime } from "./stored_runtime.ts";

const LEASE_MS = 2_000;
/** Adds one to the value of the context. */
export const ADD: StoredProgram = { add: 1 };

/** One process over a store. */
export function processOver(kv: KvStore, options: ProcessOptions = {}) {
  const runtime = new StoredRuntime(kv, "python", Date.now);
  const bindings = new Map([["PYTHON", runtime]]);
  const sandboxes = sandboxProcess(kv, { leaseMs: LEASE_MS, bindings, ...options });
  const janitorTasks = [...sandboxes.janitorTasks, runtime.maintenance];
  return { box: new Caller(sandboxes), sandboxes: { janitorTasks } };
}

/** The count and the value that a run has. */
export async function add(box: Caller, program: StoredProgram = ADD, contextId?: string) {
  const { executionCount, results } = await box.run(JSON.stringify(program), contextId);
  assert(Array.isArray(results));
  return [executionCount, results[0]?.json];
}

/** Runs until the process takes its state for steady: two runs, with values 1 and 2. */
export async function makeSteady(box: Caller): Promise<string> {
  await add(box);
  await add(box);
  const { contexts } = await box.ok("GET", "/contexts");
  return Array.isArray(contexts) ? String(contexts[0]?.id) : "";
}
