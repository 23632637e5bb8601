/**
 * The guest's environment: everything between the engine and a program. It is bundled into one
 * script and evaluated once, when the image is made. Every run starts from the state that it
 * leaves.
 *
 * @module
 */
import { WORKSPACE } from "../../../../client/protocol/paths.ts";
import { early } from "./early_globals.ts";
import type { InputRead } from "./event_loop.ts";
import { BuiltIns } from "./built_ins.ts";
import { captureGlobals } from "../host/captured_globals.ts";
import { installConsole, installConsoleClass } from "./console/console.ts";
import { createDriver, leaveDriver } from "./driver.ts";
import { createDisplays } from "./display.ts";
import { installFetch } from "./fetch.ts";
import { nameFunctions } from "./function_names.ts";
import { installGlobals } from "./globals.ts";
import { usePromiseReader } from "./inspect/promises.ts";
import { createBuiltInModules } from "./modules/built_in_modules.ts";
import { installResources, Loader } from "./modules/loader.ts";
import { createCompileFunction } from "./modules/compile_function.ts";
import { createModuleModule } from "./modules/module_module.ts";
import { createPrepareFile } from "./modules/prepared_file.ts";
import { from as toBuffer } from "./node/buffer.ts";
import { completeEvents } from "./node/events.ts";
import { HostFiles } from "./node/fs/host_files.ts";
import { createProcess, type Process } from "./node/process.ts";
import { StandardStreams } from "./node/standard_streams.ts";
import { streams, useLoopForStreams } from "./node/streams.ts";
import { OnDemand } from "./on_demand.ts";
import { createList, ReflectApply } from "./primordials.ts";
import { createPromiseReader } from "./promise_reader.ts";
import { Resources } from "./resources.ts";
import { SCRIPT_PATH } from "./script_name.ts";
import { bytesOfPart, useBlobStreams } from "./web/blob.ts";
import { Tools } from "./tools.ts";
import { createChangeDirectory, createLocalFiles } from "./workspace.ts";

/** Standard input is read in chunks of this length. */
const INPUT_BYTES = 64 * 1024;

function startProcess(): Process {
  const { host, loop } = early;
  const files = new HostFiles(host, () => WORKSPACE);
  const input = {
    read: () => toBuffer(files.bytes({ op: "read", fd: 0, length: INPUT_BYTES })),
    await: (read: InputRead) => loop.addRead(read),
  };
  return createProcess({ host, loop, streams: new StandardStreams(host, toBuffer, input) });
}

function startConsole(process: Process): object {
  const parts = {
    out: process.print.out,
    err: process.print.err,
    warn: (message: string) => process.warn(message),
    captureStackTrace: Error.captureStackTrace,
  };
  const console = {};
  installConsole(console, parts);
  installConsoleClass(console, parts);
  return console;
}

function start(): void {
  usePromiseReader(createPromiseReader(early.host));
  useLoopForStreams(early.loop);
  const process = startProcess();
  const warn = (message: string, name: string) => process.warn(message, name);
  completeEvents(warn);
  early.useWarn(warn);
  const console = startConsole(process);
  const { modules, Buffer } = createBuiltInModules({ early, process, console });
  process.useChangeDirectory(createChangeDirectory(modules, process.cwd));
  const displays = createDisplays(early.host);
  const { display } = displays;
  installGlobals({ console, process: process.process, Buffer, display });
  const loader = new Loader(modules, createLocalFiles(modules), {
    prepare: createPrepareFile(early.host),
    compile: createCompileFunction(early.host),
  });
  modules.set("module", createModuleModule(loader, modules));
  loader.installScope(SCRIPT_PATH, WORKSPACE);
  loader.installImports(SCRIPT_PATH);
  const resources = new Resources();
  installResources(resources);
  const builtIns = new BuiltIns();
  builtIns.addGlobals();
  for (const module of modules.values()) builtIns.addNamespace(Object(module));
  builtIns.addPrototypesOf(process.process);
  builtIns.addPrototypesOf(early.timers.setTimeout(() => {}));
  builtIns.addPrototypesOf(early.timers.setImmediate(() => {}));
  const onDemand = new OnDemand({
    host: early.host,
    builtIns,
    environment: {
      blobBytes: bytesOfPart,
      defer: (callback) => early.loop.addCompletion(callback, createList<unknown>()),
      stream: streams,
      zlib: Object(modules.get("zlib")),
    },
  });
  onDemand.defineGlobals();
  onDemand.adapt(streams);
  modules.set("stream/web", onDemand.streamModule());
  modules.set("diagnostics_channel", onDemand.diagnosticsModule());
  useBlobStreams((bytes) => ReflectApply(onDemand.get("streamOf"), undefined, [bytes]));
  installFetch();
  const named = new Set<unknown>();
  for (const holder of [...modules.values(), globalThis]) nameFunctions(holder, named);
  captureGlobals();
  const tools = new Tools(early.host);
  leaveDriver(createDriver({ early, process, builtIns, loader, displays, resources, tools }));
}

start();
