// test: slow
import { assertEquals } from "@std/assert";
import { quickJsModule } from "../../../../runtimes/languages/javascript/build/builder.ts";
import {
  NUMBER_FUNCTIONS,
  QUICKJS_IMPORTS,
  STACK_POINTER_EXPORT,
  TABLE_EXPORT,
  VALUE_FUNCTIONS,
} from "../../../../runtimes/languages/javascript/host/quickjs_abi.ts";
import { readLayout } from "../../../../wasm/metering/module_layout.ts";
import { Type } from "../../../../wasm/metering/opcodes.ts";

Deno.test("quickjs interface: the module imports exactly what the allow-list has", async () => {
  const module = new WebAssembly.Module(await quickJsModule());
  const wanted = Object.entries(QUICKJS_IMPORTS).flatMap(([from, names]) =>
    names.map((name) => `${from}.${name}`)
  );
  const found = WebAssembly.Module.imports(module).map((item) => `${item.module}.${item.name}`);
  assertEquals(found.sort(), wanted.sort());
});

Deno.test("quickjs interface: functions return values as 64 bits, and all else as 32", async () => {
  const { exportsByName, functionTypes, importedFunctions, types } = readLayout(
    await quickJsModule(),
  );
  const resultsOf = (name: string) => {
    const index = exportsByName.get(name)?.index ?? -1;
    return [...types[functionTypes[index - importedFunctions] ?? -1]?.resultBytes ?? [0]];
  };
  for (const name of VALUE_FUNCTIONS) assertEquals([name, resultsOf(name)], [name, [Type.i64]]);
  for (const name of NUMBER_FUNCTIONS) {
    const [result = Type.i32, ...more] = resultsOf(name);
    assertEquals([name, result, more], [name, Type.i32, []]);
  }
});

Deno.test("quickjs interface: the stack pointer and the function table are exported", async () => {
  const exports = WebAssembly.Module.exports(new WebAssembly.Module(await quickJsModule()));
  const kinds = new Map(exports.map(({ name, kind }) => [name, kind]));
  assertEquals([kinds.get(STACK_POINTER_EXPORT), kinds.get(TABLE_EXPORT)], ["global", "table"]);
});
