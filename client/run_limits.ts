/**
 * Limits of a run as they are sent, checked with the rules of the service. Only the service knows
 * the maxima.
 *
 * @module
 */
import { validationFailed } from "./errors.ts";
import { quoted } from "./protocol/text.ts";

/** Limits of one run, at most the service's own. The service's limit for each absent field. */
export interface RunLimits {
  /** Units of fuel at which the run is ended: a positive integer. */
  readonly fuel?: number | undefined;
  /** Milliseconds at which the run is ended, virtual sleeps included: a positive integer. */
  readonly wallMs?: number | undefined;
}

/** The field of the body; none without limits. `undefined` is omitted. */
export function limitsField(limits: RunLimits | undefined): { limits?: object } {
  if (limits === undefined) return {};
  if (typeof limits !== "object" || limits === null || Array.isArray(limits)) {
    throw validationFailed("limits must be an object");
  }
  for (const [name, amount] of Object.entries(limits)) checkLimit(name, amount);
  const { fuel, wallMs } = limits;
  return {
    limits: {
      ...(fuel === undefined ? {} : { fuel }),
      ...(wallMs === undefined ? {} : { wallMs }),
    },
  };
}

function checkLimit(name: string, amount: unknown): void {
  if (name !== "fuel" && name !== "wallMs") {
    throw validationFailed(`Unknown limit ${quoted(name)}: limits takes fuel and wallMs`);
  }
  if (amount === undefined) return;
  if (typeof amount !== "number" || !Number.isInteger(amount) || amount < 1) {
    throw validationFailed(`limits.${name} must be a positive integer`);
  }
}
