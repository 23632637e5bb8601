/**
 * The circuit breaker of a target: after some failures to connect, requests fail at once for a
 * while, and then one of them tries.
 *
 * Only failures to connect count. A slow or wrong answer of a tool may be the doing of one tenant,
 * and must not end the calls of the others.
 *
 * @module
 */
import type { Clock } from "../shared/clock.ts";
import { CIRCUIT_FAILURES, CIRCUIT_OPEN_MS } from "./limits.ts";

/** How an admitted request ended for the circuit; `unknown`: before it could connect. */
type ConnectionOutcome = "connected" | "failed" | "unknown";

/** The state of one target. */
export class Circuit {
  readonly #clock: Clock;
  #failures = 0;
  #openUntil = 0;
  #hasTrial = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether a request may go. After `true`, call {@link report} once. */
  admit(): boolean {
    if (this.#failures < CIRCUIT_FAILURES) return true;
    if (this.#hasTrial || this.#clock() < this.#openUntil) return false;
    this.#hasTrial = true;
    return true;
  }

  report(outcome: ConnectionOutcome): void {
    this.#hasTrial = false;
    if (outcome === "connected") this.#failures = 0;
    if (outcome !== "failed") return;
    this.#failures++;
    this.#openUntil = this.#clock() + CIRCUIT_OPEN_MS;
  }
}
