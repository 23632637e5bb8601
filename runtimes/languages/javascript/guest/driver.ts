/**
 * The driver: the functions that the host calls. They are put on `globalThis`, and the host removes
 * them from there.
 *
 * @module
 */
import type { BuiltIns } from "./built_ins.ts";
import { describeThrown } from "./describe.ts";
import type { Displays } from "./display.ts";
import type { EarlyGlobals } from "./early_globals.ts";
import { exitRun } from "./host.ts";
import { type Loader, RETURNED } from "./modules/loader.ts";
import type { Process } from "./node/process.ts";
import {
  bare,
  JSONParse,
  ObjectDefineProperty,
  StringPrototypeSlice,
  StringPrototypeToUpperCase,
} from "./primordials.ts";
import { Redeclarations } from "./redeclaration.ts";
import { noteMatches } from "./reg_exp.ts";
import type { ToolHead, Tools } from "./tools.ts";
import type { Resources } from "./resources.ts";
import { formOf, mapResult } from "./result.ts";
import { beginScript } from "./script_name.ts";
import { prepareStackTrace } from "./stack_trace.ts";

/** The functions that the host calls. */
export interface Driver {
  /**
   * Before each run, with `{"env":[["NAME","value"],…],"cwd":"/workspace","notesMatches":false}`,
   * `"hasInput":true` when standard input is not empty, `"wantsRepr":true` when the value's own form
   * is wanted, and `"calls":{"tools":[…]}` in a run with calls; names its script.
   */
  begin(json: string): string;
  /** Runs one due callback. Returns false when none is due. */
  fire(): boolean;
  /**
   * Maps the program's value to `n`, to `t` and text, or to `j` and JSON, and shows its rich form.
   * A capital letter: not finished, the host runs the remaining jobs. A value that is JSON may come
   * with its own form, if that is wanted.
   */
  finish(value: unknown): string | MappedWithForm;
  /** The thrown value as JSON: `{"name","message","traceback","lineNumber"?}`. */
  describe(thrown: unknown): string;
  /**
   * Offers a thrown value, or the reason of a rejected promise, to the guest's handlers. `later`:
   * pending ticks ran instead, because they come before a rejection is reported.
   */
  uncaught(thrown: unknown, origin: string, promise?: unknown): boolean | "later";
  /** The working directory at the end of the run. */
  cwd(): string;
  /**
   * Writes the stack of a new error. Called by a native hook that has more stack than the guest.
   */
  prepareStackTrace(error: unknown, sites: ArrayLike<unknown>): unknown;
  /** See {@link Redeclarations}; names are JSON arrays. */
  findDeclared(lexicals: object, names: string): string;
  takeDeclared(lexicals: object, names: string): void;
  restoreDeclared(lexicals: object, unset: string): void;
  /**
   * Around a run of a context whose caller sets the clock: `begin` before the driver begins the run,
   * `end` after it.
   */
  setClock(moment: string): void;
}

/** The parts of the environment that the driver uses. */
export interface DriverOptions {
  readonly early: EarlyGlobals;
  readonly process: Process;
  readonly builtIns: BuiltIns;
  readonly loader: Loader;
  readonly displays: Displays;
  readonly resources: Resources;
  readonly tools: Tools;
}

/** The mapping of a value, and the value as a console shows it. */
export interface MappedWithForm {
  readonly mapped: string;
  readonly form: string;
}

const FAILED_STATUS = 1;

interface Setup {
  readonly env: ArrayLike<readonly [string, string]>;
  readonly cwd: string;
  /** The script uses `RegExp.$1` or a similar property. */
  readonly notesMatches?: boolean;
  readonly hasInput?: boolean;
  readonly wantsRepr?: boolean;
  /** Present in a run with calls. */
  readonly calls?: { readonly tools?: ArrayLike<ToolHead> };
  /** The run is one of the build, which is to leave no trace. */
  readonly isWarmUp?: boolean;
}

/** Handlers of `exit` run after a failed run too. What they throw is ignored. */
function runExitHandlers(process: Process): void {
  try {
    process.runExitHandlers(FAILED_STATUS);
  } catch {
    return; // the run has its error already
  }
}

/** The same with its first letter, which tells the kind, as a capital. */
function inCapitals(mapped: string): string {
  return `${StringPrototypeToUpperCase(mapped[0] ?? "")}${StringPrototypeSlice(mapped, 1)}`;
}

/** Makes the driver's functions. */
export function createDriver(
  { early, process, builtIns, loader, displays, resources, tools }: DriverOptions,
): Driver {
  const { loop, host } = early;
  const redeclarations = new Redeclarations();
  let wantsRepr = false;
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
      wantsRepr = setup.wantsRepr === true;
      process.begin(setup.env, setup.cwd, setup.hasInput === true);
      early.beginRun();
      loader.beginRun();
      resources.begin();
      tools.begin(setup.calls?.tools);
      loop.begin(setup.calls === undefined ? undefined : tools);
      if (setup.notesMatches === true) noteMatches();
      if (setup.isWarmUp !== true) return beginScript();
      early.setClock(true); // the first run's clock begins with that run
      return "";
    },
    fire: () => loop.fire(),
    finish(value) {
      const status = process.status();
      if (status !== 0) exitRun(host, status);
      const found = mapResult(value, builtIns);
      const mapped = displays.showMain(value) ? inCapitals(found) : found;
      const form = wantsRepr ? formOf(value, found) : undefined;
      return form === undefined ? mapped : bare({ mapped, form });
    },
    describe(thrown) {
      const description = describeThrown(thrown, builtIns);
      runExitHandlers(process);
      return description;
    },
    uncaught(thrown, origin, promise) {
      if (promise !== undefined && loop.runTicks()) return "later";
      const isReported = promise === undefined &&
        resources.disposeAfter(thrown === RETURNED ? undefined : { error: thrown });
      return isReported || process.uncaught(thrown, origin, promise);
    },
    cwd: () => process.cwd(),
    prepareStackTrace,
    findDeclared: (lexicals, names) => redeclarations.find(lexicals, names),
    takeDeclared: (lexicals, names) => redeclarations.take(lexicals, names),
    restoreDeclared: (lexicals, unset) => redeclarations.restore(lexicals, unset),
    setClock: (moment) => early.setClock(moment === "begin"),
  };
}

/** Puts the driver where the host finds it. */
export function leaveDriver(driver: Driver): void {
  ObjectDefineProperty(globalThis, "__driver", {
    value: bare({ ...driver }),
    writable: true,
    enumerable: false,
    configurable: true,
  });
}
