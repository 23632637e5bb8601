/**
 * The parts of the history of a stored run.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import type { LeaseKeys } from "../store/keys.ts";
import type { KvStore } from "../store/kv.ts";
import type { Lease, LeaseTable } from "../store/lease.ts";
import type { OnNotice } from "./run_notices.ts";
import type { NextShown, WaitingProgram } from "./run_terms.ts";
import type { KnownRun, RunBeginning, StoredRun } from "./stored_run.ts";

/** The turn of a run: one process at a time computes. */
export interface RunTurn {
  readonly keys: LeaseKeys;
  /** Keys that are read with the lease. */
  readonly also: readonly Deno.KvKey[];
  /** Whether the run can go on, by the entries of `also`. */
  readonly exists: (entries: readonly Deno.KvEntryMaybe<unknown>[]) => boolean;
  /** The error when it cannot. */
  readonly gone: () => Error;
  /** Of a run that has its turn. */
  readonly lease?: Lease | undefined;
}

/** The run of a history. */
export interface HistoryOptions {
  readonly kv: KvStore;
  readonly leases: LeaseTable;
  readonly clock: Clock;
  /** Returns a unique id with each call. */
  readonly ids: () => string;
  readonly run: WaitingProgram;
  readonly turn: RunTurn;
  /** Of a run that another process began. */
  readonly known?: KnownRun | undefined;
  /** Stores a run that is not stored yet, and gives the lease back. */
  readonly begin: (shown: NextShown) => Promise<void>;
  /** Waits for the turn of a run that is in a queue, and takes it. */
  readonly enter?: (signal: AbortSignal) => Promise<void>;
  /** Called with the tenant when a notification is stored. */
  readonly onNotice: OnNotice;
}

/** A stored run that begins. */
export interface HistoryBeginning {
  readonly beginning: RunBeginning;
  readonly shown: NextShown;
  /** Bytes that it keeps besides its history. */
  readonly keptBytes: number;
  readonly record: Omit<StoredRun, "version" | "parts" | "dueAt" | "bytes" | "end">;
}

/** A run whose beginning or start is part of a transaction. */
export interface BegunRun {
  readonly record: StoredRun;
  /** The version of the record once that is committed. */
  readonly versionstamp: () => string | undefined;
}
