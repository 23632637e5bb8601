/**
 * The driver: what the host calls. It is left on `globalThis` for the host to take away.
 *
 * @module
 */
import type { BuiltIns } from "./built_ins.ts";
import { describeThrown } from "./describe.ts";
import type { EarlyGlobals } from "./early_globals.ts";
import { exitRun } from "./host.ts";
import type { Process } from "./node/process.ts";
import { bare, JSONParse, ObjectDefineProperty } from "./primordials.ts";
import { mapResult } from "./result.ts";
import { prepareStackTrace } from "./stack_trace.ts";

/** What the host calls. */
export interface Driver {
  /** Before each run, with `{"env":[["NAME","value"],…],"cwd":"/workspace"}`. */
  begin(json: string): void;
  /** Runs one callback that is due; false when there is none. */
  fire(): boolean;
  /** Maps the program's value: `n`, `t` and text, or `j` and JSON. */
  finish(value: unknown): string;
  /** JSON of what was thrown: `{"name","message","traceback","lineNumber"?}`. */
  describe(thrown: unknown): string;
  /** Offers what was thrown, or what a promise was rejected with, to the guest's handlers. */
  uncaught(thrown: unknown, origin: string, promise?: unknown): boolean;
  /** The working directory as the run left it. */
  cwd(): string;
  /** Writes the stack of a new error; for a native hook with more stack than the guest. */
  prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown;
}

const FAILED_STATUS = 1;

interface Setup {
  readonly env: ArrayLike<readonly [string, string]>;
  readonly cwd: string;
}

/** Handlers of `exit` hear of a failed run, too; what they throw comes too late. */
function runExitHandlers(process: Process): void {
  try {
    process.runExitHandlers(FAILED_STATUS);
  } catch {
    return; // the run has its error already
  }
}

/** Makes the driver's functions. */
export function createDriver(
  early: EarlyGlobals,
  process: Process,
  builtIns: BuiltIns,
): Driver {
  const { loop, web, host } = early;
  loop.use({
    onUncaught: (error) => process.uncaught(error, "uncaughtException"),
    onIdle: () => {
      if (process.idle()) return true;
      process.runExitHandlers(process.status());
      return false;
    },
  });
  return {
    begin(json) {
      const setup: Setup = JSONParse(json);
      process.begin(setup.env, setup.cwd);
      web.beginRun();
      loop.begin();
    },
    fire: () => loop.fire(),
    finish(value) {
      const status = process.status();
      if (status !== 0) exitRun(host, status);
      return mapResult(value, builtIns);
    },
    describe(thrown) {
      const description = describeThrown(thrown, builtIns);
      runExitHandlers(process);
      return description;
    },
    uncaught: (thrown, origin, promise) => process.uncaught(thrown, origin, promise),
    cwd: () => process.cwd(),
    prepareStackTrace,
  };
}

/** Leaves the driver where the host finds it. */
export function leaveDriver(driver: Driver): void {
  ObjectDefineProperty(globalThis, "__driver", {
    value: bare({ ...driver }),
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
