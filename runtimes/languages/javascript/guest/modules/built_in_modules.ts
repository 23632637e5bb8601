/**
 * The modules of Node that exist here, built from the parts of this environment.
 *
 * @module
 */
import { WORKSPACE } from "../../../../../client/protocol/paths.ts";
import type { EarlyGlobals } from "../early_globals.ts";
import type { HostFunction } from "../host.ts";
import { createList } from "../primordials.ts";
import { scriptName } from "../script_name.ts";
import { createAssert } from "../node/assert.ts";
import { useCipherHost } from "../web/cipher_bytes.ts";
import { createCryptoModule } from "../node/crypto.ts";
import { EventEmitter } from "../node/events.ts";
import { createFs } from "../node/fs.ts";
import { createOs } from "../node/os.ts";
import { createPath } from "../node/path.ts";
import type { Process } from "../node/process.ts";
import { querystringModule } from "../node/querystring.ts";
import { createReadline } from "../node/readline.ts";
import { streamConsumers } from "../node/stream_consumers.ts";
import { streams } from "../node/streams.ts";
import { createStringDecoderModule } from "../node/string_decoder.ts";
import { createTestModule } from "../node/test_module.ts";
import { createTimerPromises, PROMISIFY_CUSTOM } from "../node/timers.ts";
import { createUrlModule } from "../node/url.ts";
import { createUtil } from "../node/util.ts";
import { createZlib } from "../node/zlib.ts";

/** The position in the first frame of a stack. */
const POSITION = /:(\d+):(\d+)\)?(?:\n|$)/;

/** The options of the modules. */
export interface ModuleOptions {
  readonly early: EarlyGlobals;
  readonly process: Process;
  readonly console: object;
}

function createTimersModule(early: EarlyGlobals): { timers: object; promises: object } {
  const promises = createTimerPromises(early.timers);
  const { setTimeout, setImmediate } = early.timers;
  for (
    const [original, twin] of [[setTimeout, promises.setTimeout], [
      setImmediate,
      promises.setImmediate,
    ]] as const
  ) {
    Object.defineProperty(original, PROMISIFY_CUSTOM, {
      get: () => twin,
      enumerable: true,
      configurable: true,
    });
  }
  return { timers: { ...early.timers, promises }, promises };
}

function createFiles(host: HostFunction, parts: ModuleOptions, buffer: object) {
  const { loop } = parts.early;
  return createFs(host, {
    cwd: parts.process.cwd,
    defer: (callback) => loop.addCompletion(callback, createList<unknown>()),
    buffer: (memory) => Reflect.apply(Reflect.get(buffer, "from"), buffer, [memory]),
    streams,
  });
}

function createPerformanceModule(): object {
  const names = ["PerformanceEntry", "PerformanceMark", "PerformanceMeasure", "performance"];
  const module: Record<string, unknown> = {};
  for (const name of names) module[name] = Reflect.get(globalThis, name);
  return { ...module, constants: {} };
}

function createTests(process: object): object {
  const property = (name: string): unknown => Reflect.get(process, name);
  const call = (object: unknown, name: string, args: readonly unknown[]): unknown =>
    Reflect.apply(Reflect.get(Object(object), name), object, args);
  return createTestModule({
    write: (text) => void call(property("stdout"), "write", [text]),
    atEnd: (action) => void call(process, "once", ["beforeExit", action]),
    fail: () => void Reflect.set(process, "exitCode", 1),
    place: () => {
      const [, line = 1, column = 1] = POSITION.exec(`${new Error().stack}`) ?? [];
      return `${WORKSPACE}/${scriptName()}:${line}:${column}`;
    },
  });
}

function memoryOf(process: object): () => number {
  return () => {
    const usage: unknown = Reflect.apply(Reflect.get(process, "memoryUsage"), process, []);
    return Number(Reflect.get(Object(usage), "rss"));
  };
}

/** Modules that need only the basic parts of the environment. */
function createBasics(parts: ModuleOptions): Record<string, unknown> {
  const { early, process } = parts;
  const util = createUtil({
    warn: (message, name, code) => process.warn(message, name, code),
    later: (action) => early.loop.addTick(action, createList<unknown>()),
  });
  const { timers, promises } = createTimersModule(early);
  const { readline, promises: readlinePromises } = createReadline();
  const assert = createAssert();
  const environment: unknown = Reflect.get(process.process, "env");
  return {
    assert,
    "assert/strict": assert.strict,
    console: parts.console,
    events: EventEmitter,
    os: createOs(Object(environment), memoryOf(process.process)),
    perf_hooks: createPerformanceModule(),
    process: process.process,
    querystring: querystringModule,
    readline,
    "readline/promises": readlinePromises,
    stream: streams,
    "stream/consumers": streamConsumers,
    "stream/promises": streams.promises,
    string_decoder: createStringDecoderModule(),
    sys: util,
    test: createTests(process.process),
    timers,
    "timers/promises": promises,
    tty: { isatty: () => false },
    util,
    "util/types": Reflect.get(util, "types"),
    zlib: createZlib((action) => early.loop.addCompletion(action, createList<unknown>())),
  };
}

/** All modules by name, and the global `Buffer`. */
export function createBuiltInModules(parts: ModuleOptions): {
  readonly modules: Map<string, unknown>;
  readonly Buffer: object;
} {
  const { early, process } = parts;
  const { buffer } = early;
  const files = createFiles(early.host, parts, buffer.Buffer);
  const path = createPath(process.cwd);
  useCipherHost(early.host);
  const crypto = createCryptoModule({
    randomBytes: early.web.randomBytes,
    webcrypto: early.web.crypto,
  });
  const modules = {
    ...createBasics(parts),
    buffer,
    crypto,
    fs: files.fs,
    "fs/promises": files.promises,
    path,
    "path/posix": path,
    url: createUrlModule({ cwd: process.cwd }),
  };
  return { modules: new Map(Object.entries(modules)), Buffer: buffer.Buffer };
}
