/**
 * Sandboxes with labels and perhaps a fixed end, as `/e2b` shows them (docs/e2b.md) and `/jupyter` keeps
 * its kernels. Times are epoch milliseconds.
 *
 * @module
 */

/** A sandbox. */
export interface TermInfo {
  readonly id: string;
  readonly startedAt: number;
  /** When it ends or, without a fixed end, when it expires unless it is used before; null: never. */
  readonly endAt: number | null;
  readonly metadata: { readonly [name: string]: string };
}

/** The part of a listing that a caller asks for, as it was sent. */
export interface TermQuery {
  readonly limit: readonly string[];
  readonly cursor: readonly string[];
  /** Only sandboxes that have all of these labels. */
  readonly metadata: { readonly [name: string]: string };
}

/** A part of a listing, and the cursor of the next one. */
export interface TermList {
  readonly sandboxes: readonly TermInfo[];
  readonly cursor?: string;
}

/** The sandboxes of one tenant. All methods throw what the store and the quotas throw. */
export interface SandboxTerms {
  /**
   * Creates a sandbox, unless it is there; gives whether it did. One without a fixed end expires when it
   * is idle.
   */
  begin(
    id: string,
    term: Pick<TermInfo, "metadata"> & { readonly endAt?: number },
  ): Promise<boolean>;
  /** Undefined: there is none. */
  find(id: string): Promise<TermInfo | undefined>;
  /** Sets the end. `least`: only when it would end earlier. Undefined: there is no such sandbox. */
  end(id: string, endAt: number, least: boolean): Promise<TermInfo | undefined>;
  /** Replaces the labels. Undefined: there is no such sandbox. */
  relabel(id: string, metadata: TermInfo["metadata"]): Promise<TermInfo | undefined>;
  list(query: TermQuery): Promise<TermList>;
  /**
   * Empties the memory of a context, which keeps its id, directory and variables. Its runs end.
   * Throws `CONTEXT_NOT_FOUND`.
   */
  restart(id: string, contextId: string): Promise<void>;
}
