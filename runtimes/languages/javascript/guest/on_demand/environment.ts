/**
 * The parts of the environment that the globals loaded on demand use. The wrapper of their bundle
 * provides them (`shared/captured_globals.ts`).
 *
 * @module
 */

/** Parts of the environment. */
export interface OnDemandEnvironment {
  /** Calls back as the event loop calls back for input. */
  readonly defer: (callback: () => void) => void;
  /** The module `zlib`. */
  readonly zlib: object;
  /** The module `stream`. */
  readonly stream: object;
  /** The bytes of a blob. */
  readonly blobBytes: (blob: unknown) => Uint8Array<ArrayBuffer>;
}

/** The globals that are loaded on demand, by name. */
export type OnDemandGlobals = Readonly<Record<string, unknown>>;

declare global {
  var __belljar_environment__: OnDemandEnvironment;
  /** Receives the globals. */
  var __belljar_deliver__: (globals: OnDemandGlobals) => void;
}

/** The parts. */
export const environment: OnDemandEnvironment = __belljar_environment__;
