/**
 * `process`: the environment, the streams, the clock and the end of the run. There are no other
 * processes.
 *
 * @module
 */
import { WORKSPACE } from "../../../../../client/protocol/paths.ts";
import type { EventLoop } from "../event_loop.ts";
import { exitRun, type HostFunction } from "../host.ts";
import {
  bare,
  dataDescriptor,
  defineHidden,
  listFrom,
  MathFloor,
  performanceNow,
  ReflectApply,
  ReflectDefineProperty,
  SymbolToStringTag,
} from "../primordials.ts";
import { SCRIPT_PATH } from "../script_name.ts";
import { invalidArgument, outOfRange, requireFunction } from "../web/node_error.ts";
import { createEnvironment, type Environment } from "./environment.ts";
import { type Emitter, EventEmitter } from "./events.ts";
import type { StandardStreams } from "./standard_streams.ts";
import { createWarn, type WarnFunction } from "./warnings.ts";

/** Version of Node whose interfaces these follow. */
const NODE_VERSION = "20.0.0";
const EXECUTABLE = "/usr/local/bin/node";
const PROCESS_ID = 1;
const NANOSECONDS = 1_000_000;
const UMASK = 0o022;

/** The options of a process. */
export interface ProcessParts {
  readonly host: HostFunction;
  readonly loop: EventLoop;
  readonly streams: StandardStreams;
}

/** Resolves a new working directory; throws unless it is a directory. */
export type ChangeDirectory = (path: string) => string;

/** The process, and the driver's functions for it. */
export interface Process {
  /** The facts that guests see. */
  readonly process: Emitter & object;
  readonly warn: WarnFunction;
  /** The console's ways to the output streams. */
  readonly print: { readonly out: (text: string) => void; readonly err: (text: string) => void };
  cwd(): string;
  /** Sets the function with which `chdir` checks a directory. */
  useChangeDirectory(change: ChangeDirectory): void;
  /** Sets the state of a new run. */
  begin(
    environment: ArrayLike<readonly [string, string]>,
    cwd: string,
    hasInput: boolean,
  ): void;
  /** Called when nothing is left to do. True when a handler of `beforeExit` added work. */
  idle(): boolean;
  /** Runs the handlers of `exit`, once in a run. */
  runExitHandlers(status: number): void;
  /** The exit status that the guest set; 0 if none. */
  status(): number;
  /** Offers a thrown value to the guest's handlers; true if there was one. */
  uncaught(error: unknown, origin: string, promise?: unknown): boolean;
}

interface State {
  readonly environment: Environment;
  cwd: string;
  exitCode: number | string | undefined;
  exiting: boolean;
  started: number | undefined;
  title: string;
  changeDirectory: ChangeDirectory;
}

function readStatus(value: unknown): number | string | undefined {
  if (value === undefined || value === null) return undefined;
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  if (typeof number === "number" && Number.isInteger(number)) return value as number | string;
  throw invalidArgument("code", "of type number", value);
}

function statusOf(state: State): number {
  return state.exitCode === undefined ? 0 : Number(state.exitCode) & 0xff;
}

function milliseconds(): number {
  return performanceNow();
}

/** Seconds and nanoseconds since an unspecified moment, or since another reading. */
function hrtime(previous?: unknown): [number, number] {
  const total = MathFloor(milliseconds() * NANOSECONDS);
  let seconds = MathFloor(total / 1e9);
  let nanoseconds = total % 1e9;
  if (previous === undefined) return [seconds, nanoseconds];
  if (!Array.isArray(previous)) throw invalidArgument("time", "an instance of Array", previous);
  if (previous.length !== 2) throw outOfRange("time", "2", previous.length);
  seconds -= Number(previous[0]);
  nanoseconds -= Number(previous[1]);
  return nanoseconds < 0 ? [seconds - 1, nanoseconds + 1e9] : [seconds, nanoseconds];
}

function clockMembers(state: State): object {
  const age = () => milliseconds() - (state.started ?? 0);
  const bigint = () => BigInt(MathFloor(milliseconds() * NANOSECONDS));
  return {
    hrtime: Object.assign(hrtime, { bigint }),
    uptime: () => age() / 1000,
    cpuUsage: () => ({ user: MathFloor(age() * 1000), system: 0 }),
  };
}

/** Bytes of memory, if the host reports them: the whole guest is one linear memory. */
function memoryMembers(host: HostFunction): object {
  const bytes = (): number => {
    const reply = host("memory");
    return reply === undefined ? 0 : Number(reply);
  };
  const usage = () => {
    const total = bytes();
    return { rss: total, heapTotal: total, heapUsed: total, external: 0, arrayBuffers: 0 };
  };
  return { memoryUsage: Object.assign(usage, { rss: bytes }) };
}

const CONSTANTS = {
  version: `v${NODE_VERSION}`,
  versions: { node: NODE_VERSION },
  arch: "wasm32",
  platform: "linux",
  release: { name: "node" },
  pid: PROCESS_ID,
  ppid: 0,
  execPath: EXECUTABLE,
  argv0: "node",
  features: {},
  config: {},
};

function notPermitted(call: string): never {
  throw Object.assign(new Error(`${call} is not available: there are no other processes`), {
    code: "ENOSYS",
    syscall: call,
  });
}

function exitMembers(state: State, parts: ProcessParts, exit: (status: number) => void): object {
  return {
    exit(code?: unknown): never {
      if (code !== undefined && code !== null) state.exitCode = readStatus(code);
      exit(statusOf(state));
      return exitRun(parts.host, statusOf(state));
    },
    reallyExit: (code?: unknown): never => exitRun(parts.host, Number(code ?? 0)),
    abort: (): never => exitRun(parts.host, 134),
    kill: () => notPermitted("kill"),
  };
}

function directoryMembers(state: State, host: HostFunction): object {
  return {
    cwd: () => state.cwd,
    chdir(directory: unknown): void {
      if (typeof directory !== "string") {
        throw invalidArgument("directory", "of type string", directory);
      }
      state.cwd = state.changeDirectory(directory);
      host("cwd", state.cwd);
    },
    umask: () => UMASK,
    getuid: () => 1000,
    geteuid: () => 1000,
    getgid: () => 1000,
    getegid: () => 1000,
  };
}

function loopMembers(loop: EventLoop): object {
  return {
    nextTick(callback: unknown, ...args: unknown[]): void {
      requireFunction("callback", callback);
      loop.addTick(callback, listFrom(args));
    },
  };
}

function defineStatus(process: object, state: State): void {
  ReflectDefineProperty(process, "exitCode", {
    get: () => state.exitCode,
    set: (value: unknown) => {
      state.exitCode = readStatus(value);
    },
    enumerable: true,
    configurable: false,
  });
  ReflectDefineProperty(process, "title", {
    get: () => state.title,
    set: (value: unknown) => {
      state.title = String(value);
    },
    enumerable: true,
    configurable: true,
  });
}

/** An emitter whose class is called `process`. */
function createEmitter(): Emitter & Record<string, unknown> {
  const prototype = Object.create(EventEmitter.prototype);
  const constructor = { process: function () {} }.process;
  constructor.prototype = prototype;
  defineHidden(prototype, "constructor", constructor);
  const emitter = Object.create(prototype);
  EventEmitter.init.call(emitter);
  ReflectDefineProperty(
    emitter,
    SymbolToStringTag,
    bare({ value: "process", writable: false, enumerable: false, configurable: true }),
  );
  return emitter;
}

/** Makes the process. */
export function createProcess(parts: ProcessParts): Process {
  const { loop } = parts;
  const state: State = {
    environment: createEnvironment(),
    cwd: WORKSPACE,
    exitCode: undefined,
    exiting: false,
    started: undefined,
    title: "node",
    changeDirectory: () => notPermitted("chdir"),
  };
  const process = createEmitter();
  const { emit, listenerCount } = EventEmitter.prototype;
  const send = (event: string, first: unknown, second?: unknown) =>
    ReflectApply(emit, process, [event, first, second]);
  const hears = (event: string) => Number(ReflectApply(listenerCount, process, [event])) > 0;
  const runExitHandlers = (status: number): void => {
    if (state.exiting) return;
    state.exiting = true;
    if (hears("exit")) send("exit", status);
  };
  const warn = createWarn({ process, loop, print: (text) => parts.streams.print.err(text) });
  const members = {
    ...CONSTANTS,
    argv: [EXECUTABLE, SCRIPT_PATH],
    execArgv: [],
    env: state.environment.env,
    ...clockMembers(state),
    ...memoryMembers(parts.host),
    ...exitMembers(state, parts, runExitHandlers),
    ...directoryMembers(state, parts.host),
    ...loopMembers(loop),
    emitWarning: warn,
    setUncaughtExceptionCaptureCallback: () => notPermitted("capture"),
    hasUncaughtExceptionCaptureCallback: () => false,
  };
  for (const [name, value] of Object.entries(members)) {
    ReflectDefineProperty(process, name, dataDescriptor(value, true));
  }
  parts.streams.define(process);
  defineStatus(process, state);
  return {
    process,
    warn,
    print: parts.streams.print,
    cwd: () => state.cwd,
    useChangeDirectory: (change) => {
      state.changeDirectory = change;
    },
    begin(environment, cwd, hasInput) {
      state.environment.reset(environment);
      state.cwd = cwd;
      state.exitCode = undefined;
      state.exiting = false;
      state.started ??= milliseconds(); // in a context, the first run started the process
      parts.streams.beginRun(process, hasInput);
    },
    idle() {
      if (!hears("beforeExit")) return false;
      const before = loop.pending;
      send("beforeExit", statusOf(state));
      return loop.pending > before;
    },
    runExitHandlers,
    status: () => statusOf(state),
    uncaught(error, origin, promise) {
      if (origin === "unhandledRejection" && hears("unhandledRejection")) {
        send("unhandledRejection", error, promise);
        return true;
      }
      if (!hears("uncaughtException")) return false;
      send("uncaughtException", error, origin);
      return true;
    },
  };
}
