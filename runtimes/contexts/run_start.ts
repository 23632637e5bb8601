/**
 * The start of a run in a context: the record of the context, and the committed snapshot.
 *
 * @module
 */
import { isoTimestamp } from "../../shared/clock.ts";
import { conflict, contextNotFound } from "../../shared/errors.ts";
import type { ContextAddress, ExecuteInContextArgs } from "../../shared/run_in_context.ts";
import { newRecord, type ReadContext } from "./context_record.ts";
import type { ContextStore } from "./context_store.ts";
import type { EngineArchive } from "./engine_archive.ts";
import type { SnapshotIndex } from "./snapshot_index.ts";

/** The state that a run starts from. */
export interface RunStart {
  /** Monotonic milliseconds. */
  readonly began: number;
  readonly address: ContextAddress;
  /** The committed snapshot; undefined before the first run. */
  readonly index: SnapshotIndex | undefined;
  /** The working directory in which the run starts. */
  readonly cwd: string;
  /**
   * The current record. It is read while the program runs if this process knows what else the run
   * needs: no run is committed before the record allows it. `CONTEXT_NOT_FOUND`, `CONFLICT` after a
   * later lease.
   */
  readonly read: Promise<ReadContext>;
}

interface RunStartOptions {
  readonly contexts: ContextStore;
  readonly engines: EngineArchive;
  /** Monotonic milliseconds. */
  readonly monotonic: () => number;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** Reads what a run starts from. */
export async function readRunStart(
  options: RunStartOptions,
  address: ContextAddress,
  args: ExecuteInContextArgs,
): Promise<RunStart> {
  const { contexts, engines, monotonic } = options;
  const began = monotonic();
  const known = args.isOptimistic === true ? contexts.knownRecord(address) : undefined;
  const read = known === undefined ? allowedRecord(options, address, args) : Promise.resolve(known);
  read.catch(() => undefined); // a run that fails before it awaits this has its own reason
  if (args.snapshot === null) {
    // the first snapshot needs it; when this fails, the save tries again and reports that
    engines.ensureStored(engines.current).catch(() => undefined);
    return { began, address, read, cwd: args.cwd, index: undefined };
  }
  const index = contexts.knownIndex(address, args.snapshot) ??
    await storedIndex(options, address, args.snapshot, read);
  return { began, address, read, cwd: index.cwd, index };
}

/** The record of a context; for a first run that creates its context, the one that it writes. */
async function currentRecord(
  { contexts, clock }: RunStartOptions,
  address: ContextAddress,
  args: ExecuteInContextArgs,
): Promise<ReadContext | undefined> {
  if (args.snapshot !== null) return await contexts.read(address);
  return await contexts.readOrNew(address, newRecord(isoTimestamp(clock), args.cwd));
}

/** The current record. `CONTEXT_NOT_FOUND`; `CONFLICT` after a later lease. */
export async function allowedRecord(
  options: RunStartOptions,
  address: ContextAddress,
  args: ExecuteInContextArgs,
): Promise<ReadContext> {
  const read = await currentRecord(options, address, args);
  if (read === undefined) throw contextNotFound(address.contextId);
  if (args.fence < read.record.fence) {
    throw conflict("The lease of the context was lost", address.contextId);
  }
  return read;
}

/** Reads an index at the same time as the record, whose refusal comes first. */
async function storedIndex(
  { contexts }: RunStartOptions,
  address: ContextAddress,
  reference: string,
  read: Promise<ReadContext>,
): Promise<SnapshotIndex> {
  const index = contexts.index(address, reference);
  index.catch(() => undefined); // of a context that is gone
  await read;
  return await index;
}
