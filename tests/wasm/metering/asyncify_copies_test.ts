import { assert, assertEquals, assertThrows } from "@std/assert";
import { copyForNormalState } from "../../../wasm/metering/asyncify_copies.ts";
import { MeterError } from "../../../wasm/metering/meter_error.ts";
import { call, instantiate, meter } from "./metered_program.ts";
import { assemble } from "./wat.ts";

const TOP = 65_536;
/** Where Asyncify keeps the unwound stack: start and end of the space, then the space. */
const STATE_AT = 16;
const PADDING = { global: "auto", base: 64, perLocal: 8, minimumLocals: 0 } as const;

/** The indexes of all functions, as steps. */
const ALL = "1 1 1 1 1 1 1 1 1";

const SOURCE = assemble(
  `(module
  (import "env" "pause" (func $pause (param i32) (result i32)))
  (memory (export "memory") 1)
  (table funcref (elem $tree))
  (type $tree (func (param i32 i64) (result i64)))
  (global $sp (export "__stack_pointer") (mut i32) (i32.const ${TOP}))
  (func $tree (type $tree) (local $f i32) (local $sum i64) (local $i i32)
    (global.set $sp (local.tee $f (i32.sub (global.get $sp) (i32.const 32))))
    (i64.store (local.get $f) (local.get 1))
    (if (i32.eqz (local.get 0))
      (then (local.set $sum (i64.extend_i32_u (call $pause (global.get $sp)))))
      (else (loop $again
        (local.set $sum (i64.add (local.get $sum)
          (if (result i64) (i32.and (local.get $i) (i32.const 1))
            (then (call_indirect (type $tree)
              (i32.sub (local.get 0) (i32.const 1)) (i64.const 3) (i32.const 0)))
            (else (call $tree (i32.sub (local.get 0) (i32.const 1)) (i64.const 5))))))
        (br_if $again
          (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 3))))))
    (local.set $sum (i64.add (local.get $sum) (i64.load (local.get $f))))
    (global.set $sp (i32.add (local.get $f) (i32.const 32)))
    (local.get $sum))
  (func (export "run") (param i32) (result i64)
    (i64.add (call $tree (local.get 0) (i64.const 1)) (call $tree (i32.const 0) (i64.const 2)))))`,
  ["asyncify"],
);

/** Runs to the end, with a pause at each of the calls whose number is in `pauses`. */
function run(bytes: Uint8Array<ArrayBuffer>, depth: number, pauses: ReadonlySet<number>) {
  const pointers: number[] = [];
  let calls = 0;
  const pause = (pointer: number): number => {
    pointers.push(pointer);
    if (call(instance, ["asyncify_get_state"]) === 2) call(instance, ["asyncify_stop_rewind"]);
    else if (pauses.has(calls)) {
      call(instance, ["asyncify_start_unwind", STATE_AT]);
      return 0;
    }
    return calls++;
  };
  const instance = instantiate(bytes, { env: { pause } });
  const { memory, __stack_pointer: pointer } = instance.exports;
  assert(memory instanceof WebAssembly.Memory && pointer instanceof WebAssembly.Global);
  new Uint32Array(memory.buffer, STATE_AT).set([STATE_AT + 8, 8_192]);
  let result = call(instance, ["run", depth]);
  while (call(instance, ["asyncify_get_state"]) === 1) {
    call(instance, ["asyncify_stop_unwind"]);
    call(instance, ["asyncify_start_rewind", STATE_AT]);
    result = call(instance, ["run", depth]);
  }
  return { result, pointers, end: pointer.value };
}

Deno.test("asyncify copies: a run is the same wherever it is unwound and rewound", () => {
  const choices = [ALL, "2 2 2 2", "1 2 2 2"];
  for (const chosen of choices) {
    const { bytes, copies } = copyForNormalState(SOURCE, chosen);
    assert(copies.size > 0);
    for (const pauses of [[], [0], [1], [0, 1, 2, 4], [8], [9], [...Array(10).keys()]]) {
      const places = new Set(pauses);
      assertEquals(run(bytes, 2, places), run(SOURCE, 2, places));
      const padded = run(meter(bytes, { stackPadding: PADDING, copies }), 2, places);
      const plain = run(meter(SOURCE, { stackPadding: PADDING }), 2, places);
      assertEquals(padded, plain);
      assertEquals(padded.end, TOP);
    }
  }
});

Deno.test("asyncify copies: the normal body asks for the state only when it is entered and after calls", () => {
  const { bytes, copies } = copyForNormalState(SOURCE, ALL);
  const reads = (module: Uint8Array) => {
    const read = [0x23, 1]; // the state is the second global
    return module.reduce(
      (sum, byte, at) => sum + Number(byte === read[0] && module[at + 1] === read[1]),
      0,
    );
  };
  const added = reads(bytes) - reads(SOURCE);
  assertEquals(copies.size, 2);
  // one at each entry, one behind each of the calls: of pause, of tree by the table and directly
  // twice in `run`
  assertEquals(added, 2 + 3 + 2);
});

Deno.test("asyncify copies: functions that are not chosen stay as they are", () => {
  const { bytes, copies } = copyForNormalState(SOURCE, "");
  assertEquals(bytes, SOURCE);
  assertEquals(copies.size, 0);
});

Deno.test("asyncify copies: a module without Asyncify is refused", () => {
  const source = assemble('(module (func (export "run")))');
  assertThrows(() => copyForNormalState(source, ALL), MeterError, "no Asyncify");
});
