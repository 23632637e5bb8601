/**
 * The fields that make a run repeatable: its random bytes and its clock
 * (docs/contract.md#replay).
 *
 * @module
 */
import { z } from "zod";
import { MAX_CLOCK_MS, type Replay } from "../client/protocol/types.ts";

/** The schemas of the two fields. */
export interface ReplayFields {
  readonly seed: z.ZodType<number | undefined, unknown>;
  readonly clock: z.ZodType<number | undefined, unknown>;
}

/** The two fields, in the order in which they are checked. */
export const REPLAY_FIELDS: ReplayFields = {
  seed: wholeNumber(
    "seed",
    Number.MAX_SAFE_INTEGER,
    "Fixes all random bytes of the run. Without it, each run has new ones.",
  ),
  clock: wholeNumber(
    "clock",
    MAX_CLOCK_MS,
    "Epoch milliseconds at which the clock of the run begins. Only sleeps move it on. Without it, " +
      "the clock is real.",
  ),
};

/** The fields that are given, and no others. */
export function replayOf(
  { seed, clock }: { readonly [N in keyof Replay]: Replay[N] | undefined },
): Replay {
  return {
    ...(seed === undefined ? {} : { seed }),
    ...(clock === undefined ? {} : { clock }),
  };
}

function wholeNumber(
  name: keyof Replay,
  most: number,
  description: string,
): z.ZodType<number | undefined, unknown> {
  const error = `${name} must be an integer from 0 to ${most}`;
  return z.custom<number>(
    (value) => typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most,
    error,
  ).meta({ type: "integer", minimum: 0, maximum: most, description }).optional();
}
