import { assert, assertEquals, assertThrows } from "@std/assert";
import { meterModule } from "../../../wasm/metering/meter.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { call, counter, INITIAL_FUEL, instantiate, meter } from "./metered_program.ts";
import { buildModule, I32 } from "./module_builder.ts";
import { assemble } from "./wat.ts";

const TOP = 65_536;
/** Where Asyncify keeps the unwound stack: start and end of the space, then the space. */
const STATE_AT = 16;

const PADDING = { global: "auto", base: 64, perLocal: 8, minimumLocals: 0 } as const;

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

/** Runs up to the pause, unwinds, rewinds and ends. Records the stack pointer on the way. */
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

Deno.test("asyncify: padding stays while the stack is unwound, and the pointer is restored afterwards", () => {
  const padded = meter(SOURCE, { stackPadding: PADDING });
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

Deno.test("asyncify: beginning to unwind and to rewind costs what the options set", () => {
  for (const name of ["asyncify_start_unwind", "asyncify_start_rewind"]) {
    const cost = (unwindUnits: number): bigint => {
      const bytes = meter(SOURCE, { stackPadding: PADDING, unwindUnits });
      const instance = instantiate(bytes, { env: { pause: () => {} } });
      const { memory } = instance.exports;
      assert(memory instanceof WebAssembly.Memory);
      new Uint32Array(memory.buffer, STATE_AT).set([STATE_AT + 8, 8_192]);
      const fuel = counter(instance);
      fuel.value = INITIAL_FUEL;
      call(instance, [name, STATE_AT]);
      return INITIAL_FUEL - BigInt(fuel.value);
    };
    assertEquals(cost(7_000) - cost(0), 7_000n, name);
  }
});

/**
 * `setjmp` and `longjmp` as built on Asyncify: the host unwinds to the bottom and rewinds to the
 * earlier position.
 */
const JUMPING = assemble(
  `(module
  (import "env" "mark" (func $mark (param i32)))
  (import "env" "set" (func $set (result i32)))
  (import "env" "jump" (func $jump (param i32)))
  (memory (export "memory") 2)
  (global $sp (export "__stack_pointer") (mut i32) (i32.const ${TOP}))
  (func $deep (param i32 i32) (local $f i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 48))))
    (if (local.get 0) (then (call $deep (i32.sub (local.get 0) (i32.const 1)) (local.get 1)))
      (else (call $jump (local.get 1))))
    (global.set $sp (i32.add (local.get $f) (i32.const 48))))
  (func $protected (param i32) (local $r i32)
    (local.set $r (call $set))
    (call $mark (global.get $sp))
    (if (i32.lt_s (local.get $r) (local.get 0))
      (then (call $deep (i32.const 5) (i32.add (local.get $r) (i32.const 1))))))
  (func (export "run") (param i32) (call $protected (local.get 0))))`,
  ["asyncify"],
);

const [SET_ROOM, JUMP_ROOM, ROOM_BYTES] = [70_000, 100_000, 8_192];

/**
 * Jumps back `times` times. Returns the stack pointer after each return of `set`, and at the end.
 */
function jumpBack(bytes: Uint8Array<ArrayBuffer>, times: number): number[] {
  const marks: number[] = [];
  let set = { captured: false, level: 0, value: 0 };
  let after: "rewind" | undefined;
  const unwind = (room: number) => {
    words(room)[0] = room + 8;
    after = "rewind";
    call(instance, ["asyncify_start_unwind", room]);
  };
  const instance = instantiate(bytes, {
    env: {
      mark: (pointer: number) => void marks.push(pointer),
      set: () => {
        if (call(instance, ["asyncify_get_state"]) === 2) call(instance, ["asyncify_stop_rewind"]);
        else unwind(SET_ROOM);
        return set.value;
      },
      jump: (value: number) => {
        set = { ...set, value };
        unwind(JUMP_ROOM);
      },
    },
  });
  const { memory, __stack_pointer: pointer } = instance.exports;
  assert(memory instanceof WebAssembly.Memory && pointer instanceof WebAssembly.Global);
  const words = (room: number) => new Uint32Array(memory.buffer, room, 2);
  for (const room of [SET_ROOM, JUMP_ROOM]) words(room)[1] = room + 8 + ROOM_BYTES;
  call(instance, ["run", times]);
  while (after === "rewind") {
    after = undefined;
    call(instance, ["asyncify_stop_unwind"]);
    if (!set.captured) set = { ...set, captured: true, level: words(SET_ROOM)[0] ?? 0 };
    words(SET_ROOM)[0] = set.level;
    call(instance, ["asyncify_start_rewind", SET_ROOM]);
    call(instance, ["run", times]);
  }
  return [...marks, pointer.value];
}

Deno.test("asyncify: jumps out of deeper frames release their stack and padding", () => {
  const leaking = jumpBack(JUMPING, 3);
  assert(new Set(leaking).size > 2, "Asyncify alone leaves the pointer where it was");
  const pointers = jumpBack(meter(JUMPING, { stackPadding: PADDING }), 200);
  assertEquals(pointers.length, 202);
  // Two functions are active when the pointer is recorded.
  assertEquals(new Set(pointers.slice(0, -1)).size, 1, `${new Set(pointers)}`);
  assertEquals(pointers.at(-1), TOP);
});

Deno.test("asyncify: padding refuses a module if its state cannot be found", () => {
  const functions = ["asyncify_get_state", "asyncify_start_unwind", "asyncify_start_rewind"]
    .map((name) => ({ name, results: [I32], body: [0x41, 0] }));
  const refuses = (source: Uint8Array, message: string) =>
    assertThrows(() => meterModule(source, { stackPadding: { global: 0 } }), MeterError, message);
  const unreadable = buildModule({ functions, globals: [64] });
  refuses(unreadable, 'the state of Asyncify cannot be read from "asyncify_get_state"');
  refuses(
    buildModule({ functions: functions.slice(0, 2), globals: [64] }),
    "without the other functions of Asyncify",
  );
  meter(unreadable);
});
