/**
 * Makes the shell's baseline image: a shell in `/workspace`, after a program that uses common
 * commands, so that their tables are in the image. A boot gives the same bytes in every process,
 * because clocks stand still and random bytes are fixed, and therefore hash seeds too.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { STOPPED_TIME } from "../../../engine/clock.ts";
import { captureRanges, type MemoryImage } from "../../../engine/image.ts";
import { usedSpans } from "../../../engine/used_spans.ts";
import { WasiHost } from "../../../files/wasi/host.ts";
import { WASM_PAGE_BYTES } from "../../../../wasm/metering/wasm_page.ts";
import { type ImageHead, Instance } from "../host/instance.ts";

const RANDOM_BYTE = 0x5a;
/**
 * Bytes at the end of the heap that are free at the start of a run. Most programs need no more, and
 * every reset compares them.
 */
const SPARE_BYTES = 1024 * 1024;
/** Leaves no variable, no file and no entry of the history. */
const PRELUDE =
  "echo a b | grep a | sed s/a/b/ | awk '{ print $1 }' | sort | jq -R . >/dev/null; " +
  "ls -la >/dev/null; history -c";

/** Boots the module, its data included, and takes the image. */
export function bootImage(module: WebAssembly.Module): MemoryImage<ImageHead> {
  const host = new WasiHost({
    time: STOPPED_TIME,
    random: (into) => void into.fill(RANDOM_BYTE),
    charge: () => undefined,
  });
  const shell = new Instance(module, host);
  const firstChunk = shell.boot();
  host.startRun(() => true, Infinity);
  const program = { code: PRELUDE, stdin: new Uint8Array(), env: new Map(), directory: "" };
  if (shell.run(program) !== 0) throw new BootError("the first program failed");
  shell.reserve(SPARE_BYTES);
  shell.clearStack();
  return {
    head: {
      globals: Object.fromEntries(
        [...shell.globals].map(([name, { value }]) => [name, Number(value)]),
      ),
      firstChunk,
    },
    pages: shell.bytes.length / WASM_PAGE_BYTES,
    ranges: captureRanges(shell.bytes, usedSpans(shell.bytes)),
  };
}
