/**
 * Records which isolate holds which context, and in which state.
 *
 * @module
 */
import type { Isolate } from "../pool/isolate.ts";
import type { ContextAddress } from "../../shared/run_in_context.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";
import type { WorkspaceMirror } from "./workspace_mirror.ts";

/** A context in an isolate's memory. */
export interface Resident extends ContextAddress {
  /** Number of the run that left the state, by which the isolate identifies it. */
  readonly run: number;
  /** Reference to the snapshot of the same state. */
  readonly reference: string;
  readonly index: SnapshotIndex;
  readonly mirror: WorkspaceMirror;
}

/** The resident contexts of one language. */
export class Residents {
  readonly #of = new WeakMap<Isolate, Resident>();

  /** The resident of an isolate, if it is that context in the state that the reference names. */
  find(
    isolate: Isolate,
    { sandboxKey, contextId }: ContextAddress,
    reference: string | null,
  ): Resident | undefined {
    const resident = this.#of.get(isolate);
    const same = resident !== undefined && isolate.holdsContext &&
      resident.sandboxKey === sandboxKey &&
      resident.contextId === contextId && resident.reference === reference;
    return same ? resident : undefined;
  }

  /** Records what an isolate holds. */
  set(isolate: Isolate, resident: Resident): void {
    this.#of.set(isolate, resident);
  }

  /** Records that an isolate holds no state from which a run could continue. */
  delete(isolate: Isolate): void {
    this.#of.delete(isolate);
  }
}
