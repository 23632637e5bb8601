import { assertEquals, assertThrows } from "@std/assert";
import {
  ANY,
  encodeIndex,
  ModulePatch,
  ModulePatchError,
} from "../../../wasm/metering/module_patch.ts";
import { Op, SectionId } from "../../../wasm/metering/opcodes.ts";
import { assemble } from "./wat.ts";

const SOURCE = assemble(`(module
  (import "env" "zero" (func (result i32)))
  (import "env" "given" (func $given (result i32)))
  (memory 1)
  (data (i32.const 1024) "\\00first\\00second\\00")
  (func (export "one") (result i32) (i32.const 11))
  (func (export "two") (result i32) (i32.add (i32.const 21) (call $given))))`);

function exportsOf(bytes: Uint8Array<ArrayBuffer>): Record<string, () => number> {
  const env = { zero: () => 0, given: () => 5 };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(bytes), { env });
  return exports as Record<string, () => number>;
}

Deno.test("module patch: code is found by its pattern and overwritten, and nothing moves", () => {
  const patch = new ModulePatch(SOURCE);
  const place = patch.findOne([Op.i32Const, 21, Op.call, ANY, Op.i32Add], "the sum");
  patch.overwrite(place, 5, patch.callImport("given"));
  patch.replaceBody("one", patch.call("two"));
  const { one, two } = exportsOf(patch.bytes);
  assertEquals([one?.(), two?.()], [5, 5]);
  assertEquals(patch.bytes.length, SOURCE.length);
  assertEquals(exportsOf(SOURCE)["one"]?.(), 11); // the source is unchanged
});

Deno.test("module patch: texts and bodies are found by name", () => {
  const patch = new ModulePatch(SOURCE);
  assertEquals(patch.addressOf("second"), 1024 + "\0first\0".length);
  assertEquals(patch.code("one"), [Op.i32Const, 11]);
  assertEquals(patch.importIndex("given"), 1);
  assertEquals(encodeIndex(300), [0xac, 0x02]);
});

Deno.test("module patch: a module other than the intended one is refused", () => {
  const patch = new ModulePatch(SOURCE);
  const refusals = [
    () => patch.findOne([Op.i32Const, 12], "twelve"),
    () => patch.find([Op.i32Const, ANY], 1, "a constant"),
    () => patch.findOne([Op.i32Const, 21], "what is elsewhere", patch.body("one")),
    () => patch.overwrite(0, 1, [Op.nop, Op.nop]),
    () => patch.call("three"),
    () => patch.callImport("taken"),
    () => patch.addressOf("third"),
    () => patch.section(SectionId.table),
  ];
  for (const refusal of refusals) assertThrows(refusal, ModulePatchError);
  assertEquals(patch.bytes, SOURCE);
});
