/**
 * Environment variables in layers: sandbox, context, call (docs/contract.md#environment-variables).
 * Layers are maps, so `__proto__` is a name like any other.
 *
 * @module
 */
import { z } from "zod";
import { utf8Length } from "../client/protocol/text.ts";
import type { EnvLayer } from "../shared/schemas.ts";

/** The stored variables of one scope. */
export type EnvVars = ReadonlyMap<string, string>;

/** A scope without variables. */
export const NO_VARIABLES: EnvVars = new Map();

const entriesSchema: z.ZodType<readonly (readonly [string, string])[], unknown> = z.array(
  z.tuple([z.string(), z.string()]),
);

/** Total bytes of UTF-8 of all names and values. */
export function layerBytes(layer: EnvLayer): number {
  let bytes = 0;
  for (const [name, text] of layer) bytes += utf8Length(name) + utf8Length(text ?? "");
  return bytes;
}

/** Applies changes to a scope: null unsets. */
export function changedLayer(layer: EnvVars, changes: EnvLayer): EnvVars {
  const changed = new Map(layer);
  for (const [name, text] of changes) {
    if (text === null) changed.delete(name);
    else changed.set(name, text);
  }
  return changed;
}

/** Merges all scopes into one flat object without a prototype. Later scopes win. */
export function flatEnv(
  layers: readonly EnvVars[],
  call: EnvLayer,
): { readonly [name: string]: string } {
  const merged = changedLayer(new Map(layers.flatMap((layer) => [...layer])), call);
  const flat: { [name: string]: string } = Object.create(null);
  for (const [name, text] of merged) flat[name] = text;
  return flat;
}

/** Encodes a scope as bytes. */
export function encodeLayer(layer: EnvVars): Uint8Array {
  return new TextEncoder().encode(JSON.stringify([...layer]));
}

/** The inverse of {@link encodeLayer}. Throws when the bytes are something else. */
export function decodeLayer(bytes: Uint8Array): EnvVars {
  return new Map(entriesSchema.parse(JSON.parse(new TextDecoder().decode(bytes))));
}
