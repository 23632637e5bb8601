/**
 * Puts the JavaScript engine together from its built parts, and warms it up.
 *
 * @module
 */
import { RunClock } from "../../engine/clock.ts";
import { decodeImage } from "../../engine/image.ts";
import type { FileLimits } from "../../files/file_limits.ts";
import type { GuestFileSystem } from "../../files/guest_file_system.ts";
import { createGuestFileSystem } from "../../files/memory_file_system.ts";
import type { StandardStreams } from "../../files/devices.ts";
import { readLibrary } from "../../engine/packed_library.ts";
import { fillRandom, garbageCollector, PROCESS_TIME } from "../../engine/process_services.ts";
import { type FillRandom, RunRandom } from "../../engine/run_random.ts";
import { warmUp } from "../../engine/warm_up.ts";
import { JavaScriptEngine } from "./engine.ts";
import { createFileService } from "./host/host_fs.ts";
import type { HostServices } from "./host/host_calls.ts";
import { createModuleService } from "./host/host_modules.ts";
import { CIPHER_SERVICE } from "./host/host_cipher.ts";
import { HASH_SERVICE } from "./host/host_hash.ts";
import { TEXT_SERVICE } from "./host/host_text.ts";
import { createIntlService } from "./host/host_intl.ts";
import { STACK_BYTES } from "./host/instance.ts";
import { createPreparer, type Preparer } from "./host/source/prepare.ts";
import { readImageHead } from "./host/image_head.ts";
import { WARM_UP } from "./host/warm_up.ts";

/** The parts from `runtimes/languages/javascript/build/builder.ts`. */
export interface BuiltJavaScript {
  readonly module: Uint8Array<ArrayBuffer>;
  readonly image: Uint8Array<ArrayBuffer>;
  /**
   * The metered type stripper, the source of the globals that guests load on demand, and the
   * operator's packages if there are any.
   */
  readonly extras: readonly Uint8Array<ArrayBuffer>[];
  readonly memoryBytes: number;
  /** Bytes of shadow stack; less than the maximum for a process with a small native stack. */
  readonly stackBytes?: number;
  readonly fileLimits?: Partial<FileLimits> | undefined;
}

/** File times follow the guest's clock, virtual sleeps included. */
function createServices(
  parts: {
    readonly clock: RunClock;
    readonly random: FillRandom;
    readonly preparer: Preparer;
    readonly collectGarbage: (() => void) | undefined;
    readonly onDemand: string;
    readonly fileLimits: Partial<FileLimits> | undefined;
  },
  streams: StandardStreams,
): HostServices & {
  readonly guestFiles: GuestFileSystem;
  readonly reset: () => void;
} {
  const files = createGuestFileSystem({
    now: () => parts.clock.epoch(),
    streams,
    random: parts.random,
    ...(parts.fileLimits === undefined ? {} : { limits: parts.fileLimits }),
  });
  const intl = createIntlService(parts.collectGarbage);
  return {
    random: parts.random,
    guestFiles: files,
    files: createFileService(files),
    intl,
    hashes: HASH_SERVICE,
    ciphers: CIPHER_SERVICE,
    texts: TEXT_SERVICE,
    modules: createModuleService(parts.preparer),
    onDemand: parts.onDemand,
    reset: () => {
      files.reset();
      intl.beginRun();
    },
  };
}

/** Makes an engine, warms it up and puts it back to its baseline. */
export async function createJavaScriptEngine(built: BuiltJavaScript): Promise<JavaScriptEngine> {
  const [stripper, source, packages] = built.extras;
  if (stripper === undefined || source === undefined) throw new TypeError("A part is missing");
  const onDemand = new TextDecoder().decode(source);
  const clock = new RunClock(PROCESS_TIME);
  const random = new RunRandom(fillRandom);
  const collectGarbage = garbageCollector();
  const preparer = createPreparer({ stripper: () => new WebAssembly.Module(stripper) });
  const services = createServices({
    ...{ clock, random: random.fill, preparer, collectGarbage, onDemand },
    fileLimits: built.fileLimits,
  }, { output: (stream, bytes) => engine.write(stream, bytes) });
  if (packages !== undefined) services.guestFiles.addReadOnly(readLibrary(packages));
  const engine: JavaScriptEngine = new JavaScriptEngine({
    module: await WebAssembly.compile(built.module),
    image: decodeImage(built.image, readImageHead),
    memoryBytes: built.memoryBytes,
    stackBytes: Math.min(built.stackBytes ?? STACK_BYTES, STACK_BYTES),
    clock,
    monotonic: PROCESS_TIME.monotonic,
    random,
    files: services.guestFiles,
    services,
    preparer,
    onReset: (isReplaced) => {
      services.reset();
      // V8 waits until several memories of dead instances exist, which is more memory than a guest
      // may have
      if (isReplaced) collectGarbage?.();
    },
  });
  warmUp(engine, WARM_UP);
  return engine;
}
