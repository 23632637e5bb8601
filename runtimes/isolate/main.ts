/**
 * The isolate program: what runs in the child process. It is bundled into one file, gets its
 * token over standard input and its engine over HTTP, and its only permission is to listen on
 * loopback.
 *
 * @module
 */
import { encodeFrame, type EngineHead, FRAME_READY, type IsolateLimits } from "./protocol.ts";
import { type ByLanguage, isLanguage } from "../../shared/languages.ts";
import type { Message } from "../../shared/message.ts";
import type { FileLimits } from "../files/file_limits.ts";
import { startGuardian } from "./guardian.ts";
import { withMemoryOf } from "../engine/memory_maximum.ts";
import { fillRandom, garbageCollector, PROCESS_TIME } from "../engine/process_services.ts";
import { revokePermissions, sealGlobals } from "./seal.ts";
import type { Engine } from "../engine/engine.ts";
import { readDelivery } from "./deliveries.ts";
import { createPipeMemory, SharedPipe } from "./shared_pipe.ts";
import { IsolateServer } from "./server.ts";
import { createJavaScriptEngine } from "../languages/javascript/create.ts";
import { createPerlEngine } from "../languages/perl/create.ts";
import { createPythonEngine } from "../languages/python/create.ts";
import { createRubyEngine } from "../languages/ruby/create.ts";
import { createShellEngine } from "../languages/shell/create.ts";

/** A built engine, as bytes. */
interface EngineSource {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  /** Bytes of linear memory a guest may have. */
  readonly memoryBytes: number;
  readonly fileLimits: Partial<FileLimits>;
  readonly warmPreloads: boolean | undefined;
}

/**
 * Time from a loaded engine to a garbage collection, in milliseconds. The received bytes are a large
 * part of the heap, and the request holds them until its answer has been sent.
 */
const COLLECT_AFTER_MS = 50;

/** How each language's engine is put together; an isolate holds one of them. */
const ENGINE_LOADERS: ByLanguage<(source: EngineSource) => Promise<Engine>> = {
  javascript: createJavaScriptEngine,
  python: createPythonEngine,
  perl: createPerlEngine,
  ruby: createRubyEngine,
  shell: createShellEngine,
};

async function createEngine(
  head: EngineHead,
  parts: Message["parts"],
  { memoryBytes, fileBytes, workspaceBytes, warmPreloads }: IsolateLimits,
): Promise<Engine> {
  const [module, image, ...extras] = parts;
  if (module === undefined || image === undefined) throw new TypeError("The engine is incomplete");
  if (!isLanguage(head.language)) throw new TypeError(`No engine for "${head.language}"`);
  return await ENGINE_LOADERS[head.language]({
    module: withMemoryOf(module, memoryBytes),
    image: image.slice(), // the engine keeps views of it, which must not retain the whole message
    extras: extras.map((extra) => extra.slice()),
    memoryBytes,
    fileLimits: { fileBytes, workspaceBytes, temporaryBytes: workspaceBytes },
    warmPreloads,
  });
}

/** Writes a whole frame. Created before the seal removes access to the stream. */
function frameWriter({ stdout }: Pick<typeof Deno, "stdout">): (frame: Uint8Array) => void {
  return (frame) => {
    for (let at = 0; at < frame.length;) at += stdout.writeSync(frame.subarray(at));
  };
}

async function main(): Promise<void> {
  const memory = createPipeMemory();
  const token = await startGuardian(memory);
  const pipe = new SharedPipe(memory);
  const { serve, permissions } = Deno;
  const { setImmediate } = globalThis;
  const writeAll = frameWriter(Deno);
  sealGlobals();
  const server = new IsolateServer({
    token,
    createEngine: async (head, parts, limits) => {
      const engine = await createEngine(head, parts, limits);
      setTimeout(() => garbageCollector()?.(), COLLECT_AFTER_MS);
      return engine;
    },
    writeFrame: writeAll,
    nextDelivery: () => readDelivery((length) => pipe.read(length)),
    readInput: (length) => pipe.read(length),
    random: fillRandom,
    monotonic: PROCESS_TIME.monotonic,
    // a timer of 0 ms fires two milliseconds later
    defer: (task, soon) => void (soon ? setImmediate(task) : setTimeout(task, 0)),
  });
  serve({
    hostname: "127.0.0.1",
    port: 0,
    onListen: ({ port }) => {
      revokePermissions((permission) => permissions.revokeSync(permission));
      const ready = new TextEncoder().encode(JSON.stringify({ port }));
      writeAll(encodeFrame(FRAME_READY, 0, ready));
    },
    onError: () => new Response(null, { status: 500 }),
  }, (request) => server.handle(request));
}

if (import.meta.main) await main();
