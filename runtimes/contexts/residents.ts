/**
 * Which isolate holds which context, and in which state.
 *
 * @module
 */
import type { Isolate } from "../pool/isolate.ts";
import type { ContextAddress } from "./context_store.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";
import type { WorkspaceMirror } from "./workspace_mirror.ts";

/** A context in an isolate's memory. */
export interface Resident extends ContextAddress {
  /** Number of the run that left it, by which the isolate knows it. */
  readonly run: number;
  /** Reference to the snapshot that has the same state. */
  readonly reference: string;
  readonly index: SnapshotIndex;
  readonly mirror: WorkspaceMirror;
}

/** The residents of one language. */
export class Residents {
  readonly #of = new WeakMap<Isolate, Resident>();

  /** What an isolate holds of that context, in the state that the reference names. */
  find(
    isolate: Isolate,
    { key, contextId }: ContextAddress,
    reference: string | null,
  ): Resident | undefined {
    const resident = this.#of.get(isolate);
    const same = resident !== undefined && isolate.holdsContext && resident.key === key &&
      resident.contextId === contextId && resident.reference === reference;
    return same ? resident : undefined;
  }

  /** Notes what an isolate holds. */
  set(isolate: Isolate, resident: Resident): void {
    this.#of.set(isolate, resident);
  }

  /** An isolate holds nothing that could be gone on from. */
  delete(isolate: Isolate): void {
    this.#of.delete(isolate);
  }
}
