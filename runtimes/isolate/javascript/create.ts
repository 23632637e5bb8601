/**
 * Puts the JavaScript engine together from its built parts, and warms it up.
 *
 * @module
 */
import { RunClock, type TimeSource } from "../clock.ts";
import { decodeImage } from "../image.ts";
import type { OutputSink, RunRequest } from "../engine.ts";
import type { GuestFileSystem } from "../files/guest_file_system.ts";
import { createGuestFileSystem } from "../files/memory_file_system.ts";
import type { StandardStreams } from "../files/devices.ts";
import { JavaScriptEngine } from "./engine.ts";
import { createFileService } from "./host_fs.ts";
import type { HostServices } from "./host_calls.ts";
import { createModuleService } from "./host_modules.ts";
import { CIPHER_SERVICE } from "./host_cipher.ts";
import { HASH_SERVICE } from "./host_hash.ts";
import { createPlaceService, type PlaceService } from "./host_places.ts";
import { TEXT_SERVICE } from "./host_text.ts";
import { createIntlService } from "./host_intl.ts";
import { type ImageHead, STACK_BYTES } from "./interpreter.ts";
import { createPreparer, type Preparer } from "./source/prepare.ts";

/** What `runtimes/build/javascript.ts` built. */
export interface BuiltJavaScript {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  /** One: the metered type stripper. */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  readonly memoryBytes: number;
  /** Less than the most, for a process with a small native stack. */
  readonly stackBytes?: number;
}

const TIME: TimeSource = { now: () => Date.now(), monotonic: () => performance.now() };

/** Programs that take V8 through the engine once, so that the first guest finds it compiled. */
const WARM_UP = [
  "console.log('x', [1, { a: 'b' }]); ({ a: [1, 2] })",
  "const f = async () => { await null; return new Map([[1, 'x']]) }; await f()",
  "throw new TypeError('x')",
  "enum Color { Red } const list: Color[] = [Color.Red]; list",
];
const WARM_UP_LIMITS = {
  fuel: 1_000_000_000,
  outputBytes: 10_000,
  outputLines: 100,
  resultBytes: 10_000,
  tracebackBytes: 10_000,
  wallMs: 1_000,
};
const NO_OUTPUT: OutputSink = () => true;

/** Image heads come from our own build, through our own parent process. */
function readHead(head: unknown): ImageHead {
  return head as ImageHead;
}

/** Fills with secure random bytes. */
function fillRandom(target: Uint8Array): void {
  target.set(crypto.getRandomValues(new Uint8Array(target.length)));
}

/** V8's collector, where the process was started with `--expose-gc`. */
function exposedCollector(): (() => void) | undefined {
  const collect: unknown = Reflect.get(globalThis, "gc");
  return typeof collect === "function" ? () => void collect() : undefined;
}

/** Times of files are the guest's, sleeps included. */
function createServices(
  parts: {
    readonly clock: RunClock;
    readonly preparer: Preparer;
    readonly collectGarbage: (() => void) | undefined;
  },
  streams: StandardStreams,
): HostServices & {
  readonly places: PlaceService;
  readonly guestFiles: GuestFileSystem;
  readonly reset: () => void;
} {
  const files = createGuestFileSystem({
    now: () => parts.clock.epoch(),
    streams,
    random: fillRandom,
  });
  const intl = createIntlService(parts.collectGarbage);
  return {
    random: fillRandom,
    guestFiles: files,
    files: createFileService(files),
    intl,
    hashes: HASH_SERVICE,
    ciphers: CIPHER_SERVICE,
    texts: TEXT_SERVICE,
    places: createPlaceService(),
    modules: createModuleService(parts.preparer),
    reset: () => {
      files.reset();
      intl.beginRun();
    },
  };
}

/** An engine, warm and pristine. */
export async function createJavaScriptEngine(built: BuiltJavaScript): Promise<JavaScriptEngine> {
  const [stripper] = built.extras;
  if (stripper === undefined) throw new TypeError("The type stripper is missing");
  const clock = new RunClock(TIME);
  const collectGarbage = exposedCollector();
  const preparer = createPreparer({ stripper: () => new WebAssembly.Module(stripper) });
  const services = createServices({ clock, preparer, collectGarbage }, {
    output: (stream, bytes) => engine.write(stream, bytes),
  });
  const engine: JavaScriptEngine = new JavaScriptEngine({
    module: await WebAssembly.compile(built.module),
    image: decodeImage(built.image, readHead),
    memoryBytes: built.memoryBytes,
    stackBytes: Math.min(built.stackBytes ?? STACK_BYTES, STACK_BYTES),
    clock,
    monotonic: TIME.monotonic,
    files: services.guestFiles,
    services,
    preparer,
    onReset: (isReplaced) => {
      services.reset();
      // V8 waits until several memories of dead instances are there: more than a guest may have
      if (isReplaced) collectGarbage?.();
    },
    onRun: (script) => services.places.beginRun(script),
  });
  for (const code of WARM_UP) {
    const request: RunRequest = {
      code,
      env: new Map(),
      typescript: false,
      limits: WARM_UP_LIMITS,
    };
    engine.run(request, NO_OUTPUT);
    engine.reset();
  }
  return engine;
}
