/**
 * The environment of a request in the gateway's routes.
 *
 * @module
 */
import type { Decider } from "../client/protocol/journal.ts";
import type { Language } from "../client/protocol/types.ts";
import type { RunAccount } from "../shared/run_account.ts";
import type { RunListener } from "../shared/run_listener.ts";

/** The environment of the gateway's apps. */
export interface GatewayEnv {
  /** Only of calls from inside the service. */
  readonly Bindings: {
    /** For whom the call is made. */
    readonly tenant?: string;
    /** Of a run in a sandbox: the context with this name, in place of the default one. */
    readonly contextName?: string | undefined;
    /** The sandbox must be there: the call creates none. */
    readonly existing?: boolean;
    /** Listens to a run; its answer is then one JSON object, whatever `Accept` says. */
    readonly listener?: RunListener | undefined;
  };
  /**
   * `isRun`: the answer belongs to a run, which has happened. `language`: that of the path, where it has
   * one. `account`: takes the fuel of the request's runs. `isAdmin`: the
   * token is an admin's. `decider`: who decides about calls, if the request does.
   */
  readonly Variables: {
    tenant: string;
    isRun: boolean;
    language: Language;
    account: RunAccount;
    isAdmin: boolean;
    decider: Decider;
  };
}
