import { assert, assertEquals, assertThrows } from "@std/assert";
import { meterModule } from "../../../runtimes/isolate/metering/meter.ts";
import { MeterError } from "../../../runtimes/isolate/metering/meter_error.ts";
import { call, instantiate, meter } from "./metered_program.ts";
import { buildModule, I32 } from "./module_builder.ts";
import { assemble } from "./wat.ts";

const TOP = 65_536;
/** Where Asyncify keeps the stack it has unwound: begin and end of the room, then the room. */
const STATE_AT = 16;

const SOURCE = assemble(
  `(module
  (import "env" "pause" (func $pause (param i32)))
  (memory (export "memory") 1)
  (global $sp (export "__stack_pointer") (mut i32) (i32.const ${TOP}))
  (func $frameless (param i32) (result i32)
    (if (i32.eqz (local.get 0)) (then (call $pause (global.get $sp)) (return (i32.const 100))))
    (i32.add (local.get 0) (call $framed (i32.sub (local.get 0) (i32.const 1)))))
  (func $framed (param i32) (result i32) (local $f i32) (local $r i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 32))))
    (i32.store (local.get $f) (local.get 0))
    (local.set $r (call $frameless (local.get 0)))
    (local.set $r (i32.add (local.get $r) (i32.load (local.get $f))))
    (global.set $sp (i32.add (local.get $f) (i32.const 32)))
    (local.get $r))
  (func (export "run") (param i32) (result i32) (call $frameless (local.get 0))))`,
  ["asyncify"],
);

/** Runs up to the pause, unwinds, rewinds and ends. Notes the stack pointer on the way. */
function pauseAndGoOn(bytes: Uint8Array<ArrayBuffer>, depth: number) {
  const pointers: number[] = [];
  const pause = (pointer: number) => {
    pointers.push(pointer);
    if (call(instance, ["asyncify_get_state"]) === 2) call(instance, ["asyncify_stop_rewind"]);
    else call(instance, ["asyncify_start_unwind", STATE_AT]);
  };
  const instance = instantiate(bytes, { env: { pause } });
  const { memory, __stack_pointer: pointer } = instance.exports;
  assert(memory instanceof WebAssembly.Memory && pointer instanceof WebAssembly.Global);
  new Uint32Array(memory.buffer, STATE_AT).set([STATE_AT + 8, 8_192]);
  call(instance, ["run", depth]);
  call(instance, ["asyncify_stop_unwind"]);
  const unwound: number = pointer.value;
  call(instance, ["asyncify_start_rewind", STATE_AT]);
  const result = call(instance, ["run", depth]);
  return { result, pointers, unwound, end: pointer.value };
}

Deno.test("asyncify: while the stack is unwound the padding stays, and afterwards the pointer is back", () => {
  const padding = { global: "auto", base: 64, perLocal: 8, minimumLocals: 0 } as const;
  const padded = meter(SOURCE, { stackPadding: padding });
  for (const depth of [0, 1, 6]) {
    const expected = pauseAndGoOn(SOURCE, depth);
    const actual = pauseAndGoOn(padded, depth);
    assertEquals(actual.result, expected.result);
    assertEquals(expected.unwound, expected.pointers[0]);
    assertEquals(actual.unwound, actual.pointers[0]);
    assertEquals(actual.end, TOP);
    const moved = (expected.pointers[0] ?? 0) - (actual.pointers[0] ?? 0);
    assert(moved >= 64 * (2 * depth + 1), `depth ${depth}: ${moved} bytes of padding`);
  }
});

Deno.test("asyncify: a module whose state is not to be found is refused for padding", () => {
  const source = buildModule({
    functions: [{ name: "asyncify_get_state", results: [I32], body: [0x41, 0] }],
    globals: [64],
  });
  assertThrows(
    () => meterModule(source, { stackPadding: { global: 0 } }),
    MeterError,
    'the state of Asyncify is not to be read from "asyncify_get_state"',
  );
  meter(source);
});
