/**
 * The limits that a caller sets in the body of a run: at most the service's own
 * (docs/contract.md#limits-by-request).
 *
 * @module
 */
import { z } from "zod";
import { quoted } from "../client/protocol/text.ts";
import type { PublishedLimits, RunLimits } from "../client/protocol/types.ts";
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
