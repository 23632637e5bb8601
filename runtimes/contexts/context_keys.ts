/**
 * Where the contexts of one language stand in the store.
 *
 * @module
 */
import {
  type BlobKey,
  type EnginePart,
  interpreterBlobKey,
  interpreterContextKey,
  interpreterGoneKey,
  interpreterSnapshotKey,
  partUseKey,
} from "../../store/keys.ts";
import type { ContextAddress } from "../../shared/run_in_context.ts";
import type { ContextRecord } from "./context_record.ts";

/** The keys of the contexts of one language. */
export class ContextKeys {
  readonly #language: string;

  constructor(language: string) {
    this.#language = language;
  }

  /** The record. */
  context({ sandboxKey, contextId }: ContextAddress): Deno.KvKey {
    return interpreterContextKey(this.#language, sandboxKey, contextId);
  }

  /** The marks that a context was removed, or all contexts of its sandbox. */
  gone({ sandboxKey, contextId }: ContextAddress): readonly Deno.KvKey[] {
    return [
      interpreterGoneKey(this.#language, sandboxKey),
      interpreterGoneKey(this.#language, sandboxKey, contextId),
    ];
  }

  /** The keys that keep the parts of an engine in the store. */
  uses(
    address: ContextAddress,
    { baseline, engine }: Pick<ContextRecord, "baseline" | "engine">,
  ): readonly Deno.KvKey[] {
    const use = (part: EnginePart, name: string | null | undefined) =>
      name === null || name === undefined ? [] : [partUseKey(part, this.#language, name, address)];
    return [...use("baseline", baseline), ...use("module", engine)];
  }

  /** The index of a snapshot. */
  snapshot({ sandboxKey, contextId }: ContextAddress, snapshotId: string): Deno.KvKey {
    return interpreterSnapshotKey(this.#language, sandboxKey, contextId, snapshotId);
  }

  /**
   * The chunks of a segment. The write id of a blob is the id of the snapshot that it was written
   * for.
   */
  blob({ sandboxKey, contextId }: ContextAddress, writeId: string): BlobKey {
    return interpreterBlobKey(this.#language, sandboxKey, contextId, writeId);
  }
}
