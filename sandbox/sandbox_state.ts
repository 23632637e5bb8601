/**
 * The state of a sandbox: its root record and the counters of its tenant, as one read returns them.
 *
 * @module
 */
import { rootRecordKey, tenantCounterKey } from "../store/keys.ts";
import { countIn } from "../store/transaction.ts";
import { readRecord, type SandboxAddress, type SandboxRecord } from "./root_record.ts";

/** A counter of a tenant as it was read. */
export interface Counter {
  readonly key: Deno.KvKey;
  readonly versionstamp: string | null;
  readonly count: number;
}

/** A sandbox as it was read. */
export interface SandboxState {
  readonly address: SandboxAddress;
  /** Undefined: there is no such sandbox. */
  readonly record: SandboxRecord | undefined;
  /** Version of the record. */
  readonly versionstamp: string | null;
  /** Sandboxes of the tenant. */
  readonly sandboxes: Counter;
  /** Bytes kept for the tenant. */
  readonly bytes: Counter;
}

/** The keys from which a state is read. */
export function stateKeys({ tenant, id }: SandboxAddress): readonly Deno.KvKey[] {
  return [
    rootRecordKey(tenant, id),
    tenantCounterKey(tenant, "sandboxes"),
    tenantCounterKey(tenant, "bytes"),
  ];
}

/** Builds a state from the entries of {@link stateKeys}, which one read returned. */
export function stateOf(
  address: SandboxAddress,
  [root, sandboxes, bytes]: readonly Deno.KvEntryMaybe<unknown>[],
): SandboxState {
  if (root === undefined || sandboxes === undefined || bytes === undefined) {
    throw new TypeError("the store returned fewer entries than requested");
  }
  return {
    address,
    record: readRecord(root.value),
    versionstamp: root.versionstamp,
    sandboxes: counterOf(sandboxes),
    bytes: counterOf(bytes),
  };
}

function counterOf(entry: Deno.KvEntryMaybe<unknown>): Counter {
  const { key, versionstamp } = entry;
  return { key, versionstamp, count: countIn(entry) };
}
