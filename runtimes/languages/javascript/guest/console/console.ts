/**
 * The console: Node's methods, messages and rules, over two sinks.
 *
 * @module
 */
import {
  append,
  ArrayIsArray,
  bare,
  createList,
  dataDescriptor,
  type List,
  listFrom,
  MapPrototypeDelete,
  MapPrototypeGet,
  MapPrototypeSet,
  MathFloor,
  NumberPrototypeToFixed,
  performanceNow,
  ReflectApply,
  ReflectDefineProperty,
  ReflectGet,
  StringPrototypePadStart,
  StringPrototypeRepeat,
  StringPrototypeSlice,
  SymbolToStringTag,
} from "../primordials.ts";
import { type Arguments, formatArguments, inspectWith } from "../inspect/inspect.ts";
import { replaceText } from "../text.ts";
import { setName } from "../web/expose.ts";
import { invalidArgument } from "../web/node_error.ts";
import { drawTable } from "./table.ts";
import { tabulate } from "./tabulate.ts";

/** Receives text, with its final newline. */
export type Sink = (text: string) => void;

/** The options of a console. */
export interface ConsoleOptions {
  readonly out: Sink;
  readonly err: Sink;
  readonly warn: (message: string) => void;
  /** `Error.captureStackTrace`. */
  readonly captureStackTrace: (target: object) => void;
  readonly groupIndentation?: number;
  readonly inspectOptions?: object;
}

type Method = (...args: unknown[]) => void;

/** A console's methods by name, in Node's order. */
type Console = Record<string, Method>;

const DEFAULT_INDENTATION = 2;

/** The label of a counter or timer. Throws for a symbol, as in Node. */
function labelOf(args: readonly unknown[]): string {
  return args.length === 0 || args[0] === undefined ? "default" : `${args[0]}`;
}

function propertyNames(value: unknown): List<string> | undefined {
  if (value === undefined) return undefined;
  if (!ArrayIsArray(value)) throw invalidArgument("properties", "an instance of Array", value);
  const names = createList<string>();
  for (let i = 0; i < value.length; i++) append(names, String(value[i]));
  return names;
}

class ConsoleState {
  readonly #options: ConsoleOptions;
  readonly #counts = new Map<string, number>();
  readonly #times = new Map<string, number>();
  #indentation = "";

  constructor(options: ConsoleOptions) {
    this.#options = options;
  }

  write(sink: Sink, text: string): void {
    const indentation = this.#indentation;
    sink(
      indentation === ""
        ? `${text}\n`
        : `${indentation}${replaceText(text, "\n", `\n${indentation}`)}\n`,
    );
  }

  print(sink: Sink, args: Arguments): void {
    this.write(sink, formatArguments(args, this.#options.inspectOptions));
  }

  get parts(): ConsoleOptions {
    return this.#options;
  }

  indent(): void {
    this.#indentation += StringPrototypeRepeat(" ", this.#width);
  }

  outdent(): void {
    const length = this.#indentation.length - this.#width;
    this.#indentation = length > 0 ? StringPrototypeSlice(this.#indentation, 0, length) : "";
  }

  get #width(): number {
    return this.#options.groupIndentation ?? DEFAULT_INDENTATION;
  }

  count(label: string): number {
    const count = Number(MapPrototypeGet(this.#counts, label) ?? 0) + 1;
    MapPrototypeSet(this.#counts, label, count);
    return count;
  }

  resetCount(label: string): void {
    if (!MapPrototypeDelete(this.#counts, label)) {
      this.#options.warn(`Count for '${label}' does not exist`);
    }
  }

  startTime(label: string): void {
    if (MapPrototypeGet(this.#times, label) === undefined) {
      MapPrototypeSet(this.#times, label, performanceNow());
    } else {
      this.#options.warn(`Label '${label}' already exists for console.time()`);
    }
  }

  /**
   * The time since a label was started, as text. Undefined, with a warning, when it was not
   * started.
   */
  elapsed(method: string, label: string): string | undefined {
    const start = MapPrototypeGet(this.#times, label);
    if (typeof start === "number") return elapsedText(performanceNow() - start);
    this.#options.warn(`No such label '${label}' for console.${method}()`);
    return undefined;
  }

  endTime(label: string): void {
    MapPrototypeDelete(this.#times, label);
  }
}

/**
 * Calls a console method through the guest's console, because guests replace methods to intercept
 * them.
 */
function callOn(target: object, name: string, args: ArrayLike<unknown>): void {
  ReflectApply(ReflectGet(target, name), target, args);
}

function printMethods(state: ConsoleState, self: Console): Console {
  const { out, err, captureStackTrace } = state.parts;
  const log: Method = (...args) => state.print(out, args);
  const warn: Method = (...args) => state.print(err, args);
  return {
    log,
    warn,
    dir: (value, options) => {
      const given = typeof options === "object" && options !== null ? options : {};
      state.write(
        out,
        inspectWith(
          value,
          bare({ customInspect: false, ...state.parts.inspectOptions, ...given }),
        ),
      );
    },
    trace: (...args) => {
      const trace = {
        name: "Trace",
        message: formatArguments(args, state.parts.inspectOptions),
        stack: "",
      };
      captureStackTrace(trace);
      callOn(self, "error", [trace.stack]);
    },
    assert: (condition, ...args) => {
      if (condition) return;
      const first = args.length === 0 ? "Assertion failed" : `Assertion failed: ${args[0]}`;
      const rest = listFrom(args);
      rest[0] = first;
      callOn(self, "warn", rest);
    },
    clear: () => {},
    group: (...args) => {
      if (args.length > 0) callOn(self, "log", args);
      state.indent();
    },
    groupEnd: () => state.outdent(),
    table: (data, properties) => {
      const names = propertyNames(properties);
      const isTable = typeof data === "object" && data !== null;
      callOn(self, "log", [isTable ? drawTable(tabulate(data, names)) : data]);
    },
    debug: (...args) => state.print(out, args),
    info: (...args) => state.print(out, args),
    dirxml: (...args) => state.print(out, args),
    error: (...args) => state.print(err, args),
    groupCollapsed: (...args) => callOn(self, "group", args),
    profile: () => {},
    profileEnd: () => {},
    timeStamp: () => {},
  };
}

function measureMethods(state: ConsoleState, self: Console): Console {
  const report = (method: string, label: string, data: ArrayLike<unknown>): boolean => {
    const elapsed = state.elapsed(method, label);
    if (elapsed === undefined) return false;
    const args = createList<unknown>();
    append(args, "%s: %s");
    append(args, label);
    append(args, elapsed);
    for (let i = 0; i < data.length; i++) append(args, data[i]);
    callOn(self, "log", args);
    return true;
  };
  return {
    time: (...args) => state.startTime(labelOf(args)),
    timeEnd: (...args) => {
      const label = labelOf(args);
      if (report("timeEnd", label, createList<unknown>())) state.endTime(label);
    },
    timeLog: (...args) => void report("timeLog", labelOf(args), listFrom(args, 1)),
    count: (...args) => {
      const label = labelOf(args);
      callOn(self, "log", [`${label}: ${state.count(label)}`]);
    },
    countReset: (...args) => state.resetCount(labelOf(args)),
  };
}

const ORDER = [
  ...["log", "warn", "dir", "time", "timeEnd", "timeLog", "trace", "assert", "clear", "count"],
  ...["countReset", "group", "groupEnd", "table", "debug", "info", "dirxml", "error"],
  ...["groupCollapsed", "profile", "profileEnd", "timeStamp"],
];

/** Puts the methods of a console on `target`. */
export function installConsole(target: object, parts: ConsoleOptions): void {
  const state = new ConsoleState(parts);
  const self = target as Console;
  const methods = { ...printMethods(state, self), ...measureMethods(state, self) };
  for (const name of ORDER) {
    const method = methods[name];
    if (method === undefined) continue;
    ReflectDefineProperty(method, "name", bare({ value: name, configurable: true }));
    self[name] = method;
  }
  ReflectDefineProperty(
    target,
    SymbolToStringTag,
    bare({ value: "console", writable: false, enumerable: false, configurable: true }),
  );
}

/** Something with a `write` method. */
interface Writable {
  write(text: string): unknown;
}

function isWritable(value: unknown): value is Writable {
  return typeof value === "object" && value !== null && "write" in value &&
    typeof value.write === "function";
}

function writableOf(value: unknown, name: string): Writable {
  if (isWritable(value)) return value;
  throw Object.assign(
    new TypeError(`Console expects a writable stream instance for ${name}`),
    { code: "ERR_CONSOLE_WRITABLE_STREAM" },
  );
}

/** Adds the `Console` class to the guest's console. */
export function installConsoleClass(console: object, shared: ConsoleOptions): void {
  class Console {
    constructor(options: unknown, stderr?: unknown) {
      const given = isWritable(options) ? { stdout: options, stderr } : options;
      const read = (key: string): unknown => given ? Reflect.get(Object(given), key) : undefined;
      const out = writableOf(read("stdout"), "stdout");
      const err = read("stderr") === undefined ? out : writableOf(read("stderr"), "stderr");
      const indentation = read("groupIndentation");
      const inspectOptions = read("inspectOptions");
      installConsole(this, {
        ...shared,
        out: (text) => void out.write(text),
        err: (text) => void err.write(text),
        ...(typeof indentation === "number" ? { groupIndentation: indentation } : {}),
        ...(typeof inspectOptions === "object" && inspectOptions !== null
          ? { inspectOptions }
          : {}),
      });
    }

    static [Symbol.hasInstance](value: unknown): boolean {
      return typeof value === "object" && value !== null && "groupCollapsed" in value;
    }
  }
  setName(Console, "Console");
  ReflectDefineProperty(console, "Console", dataDescriptor(Console, true));
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

function pad(value: number | string): string {
  return StringPrototypePadStart(`${value}`, 2, "0");
}

/** Milliseconds in the most readable unit, as `console.timeEnd` writes them. */
function elapsedText(ms: number): string {
  if (ms < SECOND) return `${Number(NumberPrototypeToFixed(ms, 3))}ms`;
  if (ms < MINUTE) return `${NumberPrototypeToFixed(ms / SECOND, 3)}s`;
  const hours = MathFloor(ms / HOUR);
  const minutes = MathFloor((ms % HOUR) / MINUTE);
  const text = NumberPrototypeToFixed((ms % MINUTE) / SECOND, 3);
  const seconds = StringPrototypeSlice(text, 0, -4);
  const rest = StringPrototypeSlice(text, -3);
  const head = hours > 0 ? `${hours}:${pad(minutes)}` : `${minutes}`;
  return `${head}:${pad(seconds)}.${rest} (${hours > 0 ? "h:m" : ""}m:ss.mmm)`;
}
