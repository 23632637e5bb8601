/**
 * Requests that become WebSockets. All rules hold for the request as for any other; only then, outside
 * of the app, the server gets the answer of the upgrade, which nobody may change.
 *
 * @module
 */

/** Answers the request with its upgrade. */
export type Upgrade = () => Response;

/** The upgrades of requests that passed all rules. */
export class Upgrades {
  readonly #upgrades = new WeakMap<Request, Upgrade>();

  /** Allows an upgrade. The answer stands for it inside of the app. */
  allow(request: Request, upgrade: Upgrade): Response {
    this.#upgrades.set(request, upgrade);
    return new Response(null, { status: 204 });
  }

  /** The answer for the server. */
  answerOf(request: Request, answer: Response): Response {
    return this.#upgrades.get(request)?.() ?? answer;
  }
}
