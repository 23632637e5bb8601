/**
 * The files that ruby.wasm's modules carry in their memory: in one of the package's modules the
 * standard library, in the other hardly anything.
 *
 * As part of memory the library would be compared at each reset, and an isolate would hold it twice.
 * So the engine uses the module without it, and the host serves the files, which a build reads from the
 * other module.
 *
 * @module
 */
import { BootError } from "../../../engine/boot_error.ts";
import { STOPPED_TIME } from "../../../engine/clock.ts";
import { UNLIMITED_FUEL } from "../../../engine/fuel.ts";
import { ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op, SectionId } from "../../../../wasm/metering/opcodes.ts";
import { WasiHost } from "../../../files/wasi/host.ts";
import type { LibraryFile } from "../../../engine/packed_library.ts";
import { LIBRARY_ROOT } from "../host/ruby_abi.ts";
import { RubyVm } from "../host/ruby_vm.ts";

/** Where the module shows its files. */
const PLACE = `/${LIBRARY_ROOT}`;
/** In place of that name, one that nobody uses. */
const NO_NAME = 1;
/** The name stands at the end of a data segment, which begins the next one. */
const PLACE_IN_DATA = [...new TextEncoder().encode(PLACE), 0, Op.i32Const];
/** A command line: no RubyGems, an empty program. */
const COMMAND_LINE = ["ruby", "-EUTF-8", "--disable-gems", "-e", ""];
const LIST =
  `$files = Dir.glob("${PLACE}/**/*", File::FNM_DOTMATCH).select { |path| File.file?(path) }.sort`;

/** The module without its own files: then the host's are found at that place. */
export function hideEmbeddedFiles(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  const at = patch.findOne(PLACE_IN_DATA, "place of the files", patch.section(SectionId.data));
  patch.bytes.fill(NO_NAME, at + 1, at + PLACE.length);
  return patch.bytes;
}

/** The files of a module, in the order of their paths. It needs the exports that metering adds. */
export function readEmbeddedFiles(module: WebAssembly.Module): readonly LibraryFile[] {
  const host = new WasiHost({
    time: STOPPED_TIME,
    random: (into) => void into.fill(0),
    charge: () => undefined,
  });
  const vm = new RubyVm(module, host);
  vm.fuel.value = UNLIMITED_FUEL;
  vm.start(COMMAND_LINE);
  const answer = (code: string): Uint8Array<ArrayBuffer> => {
    const { value, state } = vm.evaluate(code);
    if (state !== 0) throw new BootError("The module's files cannot be read");
    return vm.stringBytes(value);
  };
  const words = (code: string): readonly string[] =>
    new TextDecoder().decode(answer(code)).split("\0");
  const paths = words(`${LIST}; $files.join("\\0")`);
  const sizes = words(`$files.map { |path| File.size(path) }.join("\\0")`).map(Number);
  const content = answer("$files.map { |path| File.binread(path) }.join");
  let at = 0;
  return paths.map((path, index): LibraryFile => {
    const from = at;
    at += sizes[index] ?? 0;
    return [path, content.subarray(from, at)];
  });
}
