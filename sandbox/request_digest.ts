/**
 * The digest of a request for a run: equal for requests that mean the same
 * (docs/contract.md#idempotency).
 *
 * It covers every field that a request has, so a field that is added later is part of it. The order
 * of fields and of variables does not matter, nor does a field that is absent.
 *
 * @module
 */
import { sha256Hex } from "../store/blobs.ts";
import type { SandboxExecuteRequest } from "../shared/sandbox_types.ts";

/** The digest, 64 hex digits. */
export function requestDigest(request: SandboxExecuteRequest): string {
  return sha256Hex(new TextEncoder().encode(JSON.stringify(canonical(request))));
}

/**
 * The same value as arrays whose order is fixed. The first element tells kinds apart.
 *
 * @throws {TypeError} for a kind of object that no request has
 */
function canonical(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return ["array", ...value.map(canonical)];
  if (value instanceof Map) return ["map", ...sorted([...value])];
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError("a field of a request is of an unknown kind");
  }
  return ["object", ...sorted(Object.entries(value).filter(([, part]) => part !== undefined))];
}

function sorted(entries: readonly (readonly [name: string, value: unknown])[]): unknown[] {
  return entries
    .toSorted(([left], [right]) => left < right ? -1 : 1)
    .map(([name, value]) => [name, canonical(value)]);
}
