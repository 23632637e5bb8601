/** The image, the module's interface, and the bounds of its stacks. */
import { assert, assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { Buffer } from "node:buffer";
import { rubyModule } from "../../../../runtimes/languages/ruby/build/builder.ts";
import { hideEmbeddedFiles } from "../../../../runtimes/languages/ruby/build/embedded_files.ts";
import { unpacked } from "../../../../runtimes/files/packed_bytes.ts";
import { readLibrary } from "../../../../runtimes/engine/packed_library.ts";
import { useUtf8Locale } from "../../../../runtimes/languages/ruby/build/locale.ts";
import { moveUnwindBuffers } from "../../../../runtimes/languages/ruby/build/asyncify_buffers.ts";
import {
  UNWIND_PLACES,
  VALUE_IMPORTS,
  VALUE_MODULE,
} from "../../../../runtimes/languages/ruby/host/ruby_abi.ts";
import { ForbiddenImportError } from "../../../../runtimes/files/wasi/errors.ts";
import { WASI_MODULE } from "../../../../runtimes/files/wasi/abi.ts";
import { WasiHost } from "../../../../runtimes/files/wasi/host.ts";
import { MeterError } from "../../../../wasm/metering/meter_error.ts";
import { ModulePatchError } from "../../../../wasm/metering/module_patch.ts";
import { builtIsolate } from "../../../support/built.ts";
import { MEMORY_BYTES } from "../../../../shared/limits.ts";
import { run, shortEnding } from "./ruby.ts";

/** Module name of the imports that reach a JavaScript host. */
const JAVASCRIPT_MODULE = "rb-js-abi-host";

Deno.test("ruby boot: any call that reaches JavaScript ends the run", async () => {
  const { artifact } = await builtIsolate("ruby");
  const module = await WebAssembly.compile(artifact.module);
  const host = new WasiHost({
    time: { now: () => 0, monotonic: () => 0 },
    random: (into) => void into.fill(0),
    charge: () => undefined,
  });
  const imports = host.imports(module, { [VALUE_MODULE]: VALUE_IMPORTS });
  assertEquals(Object.keys(imports).sort(), [VALUE_MODULE, JAVASCRIPT_MODULE, WASI_MODULE].sort());
  const bridge = Object.entries(imports[JAVASCRIPT_MODULE] ?? {});
  assert(bridge.length >= 20);
  for (const [name, value] of bridge) {
    assert(typeof value === "function", name);
    assertThrows(() => value(), ForbiddenImportError, name);
  }
  for (const name of Object.keys(imports[VALUE_MODULE] ?? {})) {
    const value = imports[VALUE_MODULE]?.[name];
    assert(typeof value === "function", name);
    if (name in VALUE_IMPORTS) assertEquals(value(7), 7);
    else assertThrows(() => value(7), ForbiddenImportError, name);
  }
});

Deno.test("ruby boot: the memory has a maximum", async () => {
  const { artifact } = await builtIsolate("ruby");
  const host = new WasiHost({
    time: { now: () => 0, monotonic: () => 0 },
    random: (into) => void into.fill(0),
    charge: () => undefined,
  });
  const module = await WebAssembly.compile(artifact.module);
  const { exports } = await WebAssembly.instantiate(
    module,
    host.imports(module, { [VALUE_MODULE]: VALUE_IMPORTS }),
  );
  const { memory } = exports;
  assert(memory instanceof WebAssembly.Memory);
  const pages = MEMORY_BYTES.ruby / 65_536 - memory.buffer.byteLength / 65_536;
  memory.grow(pages);
  assertThrows(() => memory.grow(1), RangeError);
});

Deno.test("ruby boot: moving the buffers keeps the module valid, and is refused elsewhere", async () => {
  const source = await rubyModule();
  const moved = moveUnwindBuffers(source, UNWIND_PLACES);
  assert(WebAssembly.validate(moved));
  assert(moved.length > source.length);
  const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
  assertThrows(() => moveUnwindBuffers(empty, UNWIND_PLACES), Error, "no code");
  assertThrows(() => moveUnwindBuffers(source.subarray(0, 1_000), UNWIND_PLACES), MeterError);
});

Deno.test("ruby boot: naming the locale's encoding keeps the module valid, and is refused elsewhere", async () => {
  const source = await rubyModule();
  const changed = useUtf8Locale(source);
  assert(WebAssembly.validate(changed));
  assertEquals(changed.length, source.length);
  const differing = changed.filter((byte, at) => byte !== source[at]).length;
  assert(differing > 0 && differing <= 4, `${differing} bytes differ`);
  assertThrows(() => useUtf8Locale(changed.slice(0, 8)), ModulePatchError, "no section");
});

Deno.test("ruby boot: objects of the image are old, and collections of a run skip them", async () => {
  const { ending } = await run("s = GC.stat; s[:old_objects] > 0.98 * s[:heap_marked_slots]");
  assertEquals(shortEnding(ending), "text true");
});

Deno.test("ruby boot: the library that the host serves is the package's, and memory holds none of it", async () => {
  const { artifact } = await builtIsolate("ruby");
  const [library] = artifact.extras;
  const files = new Map(readLibrary(library));
  assert(files.size > 1_900);
  const decoder = new TextDecoder();
  const path = "/usr/local/lib/ruby/4.0.0/prism/node.rb";
  const source = decoder.decode(unpacked(files.get(path) ?? new Uint8Array()));
  assertStringIncludes(source, "class ProgramNode");
  assertEquals(Buffer.from(artifact.image).indexOf(source.slice(5_000, 5_200)), -1);
  const found = await run(
    `[File.size("${path}"), File.read("${path}").hash == File.binread("${path}").force_encoding("UTF-8").hash, Dir.children("/"), Dir.children("/usr")]`,
  );
  const size = files.get(path)?.length;
  assertEquals(
    shortEnding(found.ending),
    `json [${size},true,["dev","lib","tmp","workspace"],["local"]]`,
  );
});

Deno.test("ruby boot: hiding the module's files keeps it valid, and is refused elsewhere", async () => {
  const source = await rubyModule();
  const hidden = hideEmbeddedFiles(source);
  assert(WebAssembly.validate(hidden));
  assertEquals(hidden.filter((byte, at) => byte !== source[at]).length, 3);
  assertThrows(() => hideEmbeddedFiles(hidden), ModulePatchError, "place of the files");
});
