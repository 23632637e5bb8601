/**
 * Random choices that a seed repeats.
 *
 * @module
 */

/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Whole numbers from 0 up to a bound, the same for the same seed and bounds. */
export function seededBelow(seed: number): (below: number) => number {
  const random = seeded(seed);
  return (below) => Math.floor(random() * below);
}

/** A new seed, or the one in `SEED`; printed, so that a failure can be had again. */
export function printedSeed(what: string): number {
  const seed = Number(Deno.env.get("SEED") ?? Math.floor(Math.random() * 2 ** 32));
  Deno.stdout.writeSync(new TextEncoder().encode(`SEED=${seed} (${what})\n`));
  return seed;
}
