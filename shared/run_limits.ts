/**
 * Fields of a run: its limits, at most the service's own (docs/contract.md#limits-by-request), and
 * those that make it repeatable, its random bytes and its clock (docs/contract.md#replay).
 *
 * @module
 */
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import {
  MAX_CLOCK_MS,
  type PublishedLimits,
  type Replay,
  type RunLimits,
} from "../client/protocol/types.ts";
import { validationFailed } from "./errors.ts";
import type { LanguageLimits } from "./limits.ts";

/** The maximum limits of a run, which are also its defaults. */
export type MostRunLimits = Pick<PublishedLimits, keyof RunLimits>;

/** The limits that a body can have, and what the OpenAPI document says of each. */
const DESCRIPTIONS: { readonly [N in keyof RunLimits]-?: string } = {
  fuel: "Units of fuel at which the run is ended; at most the language's `limits.fuel`.",
  wallMs: "Milliseconds at which the run is ended, virtual sleeps included; at most " +
    "`limits.wallMs`.",
};

/**
 * `limits` of a body: an object of positive integers and nothing else. A number over `most` is
 * refused too. If the maxima are not known yet, {@link checkRunLimits} follows.
 */
export function runLimitsSchema(most?: MostRunLimits): z.ZodType<RunLimits, unknown> {
  return z.unknown().transform((value, check) => {
    const refuse = (message: string): never => {
      check.issues.push({ code: "custom", message, input: value });
      return z.NEVER;
    };
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return refuse("limits must be an object");
    }
    const limits: { fuel?: number; wallMs?: number } = {};
    for (const [name, amount] of Object.entries(value)) {
      if (!isLimit(name)) {
        return refuse(`Unknown limit ${quoted(name)}: limits takes fuel and wallMs`);
      }
      if (!isPositiveInteger(amount)) return refuse(`limits.${name} must be a positive integer`);
      const problem = excess(name, amount, most);
      if (problem !== undefined) return refuse(problem);
      limits[name] = amount;
    }
    return limits;
  }).meta({
    type: "object",
    properties: { fuel: amountOf("fuel", most), wallMs: amountOf("wallMs", most) },
    additionalProperties: false,
    description: "Limits of this run, lower than those of the service (`GET /languages`). What " +
      "is absent is the service's.",
  });
}

/** JSON Schema of one limit: what {@link isPositiveInteger} and {@link excess} check. */
function amountOf(name: keyof RunLimits, most: MostRunLimits | undefined) {
  const maximum = most === undefined ? {} : { maximum: most[name] };
  return { type: "integer", minimum: 1, ...maximum, description: DESCRIPTIONS[name] } as const;
}

/**
 * Checks limits of the right shape against the maxima.
 *
 * @throws {ServiceError} `VALIDATION_FAILED` that names the field and its maximum.
 */
export function checkRunLimits(limits: RunLimits | undefined, most: MostRunLimits): void {
  const problem = excess("fuel", limits?.fuel, most) ?? excess("wallMs", limits?.wallMs, most);
  if (problem !== undefined) throw validationFailed(problem);
}

/** The effective limits of a run. */
export function effectiveLimits(
  limits: LanguageLimits,
  asked: RunLimits | undefined,
): LanguageLimits {
  return asked === undefined ? limits : { ...limits, ...asked };
}

function excess(
  name: keyof RunLimits,
  amount: number | undefined,
  most: MostRunLimits | undefined,
): string | undefined {
  if (amount === undefined || most === undefined || amount <= most[name]) return undefined;
  return `limits.${name} must be at most ${most[name]}`;
}

function isLimit(name: string): name is keyof RunLimits {
  return Object.hasOwn(DESCRIPTIONS, name);
}

function isPositiveInteger(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value > 0;
}

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
