/** Damage to stored values. */

/** A value with one byte changed, or cut short; a record by the bytes of its JSON. */
export function damaged(value: unknown, below: (limit: number) => number): unknown {
  if (!(value instanceof Uint8Array)) {
    const bytes = new TextEncoder().encode(JSON.stringify(value));
    const text = new TextDecoder().decode(damagedBytes(bytes, below));
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  }
  return damagedBytes(value, below);
}

function damagedBytes(value: Uint8Array, below: (limit: number) => number): Uint8Array {
  const bytes = value.slice();
  if (below(4) === 0) return bytes.slice(0, below(bytes.length));
  const at = below(bytes.length);
  bytes[at] = (bytes[at] ?? 0) ^ (1 << below(8));
  return bytes;
}
