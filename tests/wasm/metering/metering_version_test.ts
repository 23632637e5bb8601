import { assertEquals } from "@std/assert";
import {
  ENGINE_ABI,
  engineDigest,
  isName,
  LOWEST_SAFE_METERING,
  METERING_VERSION,
} from "../../../runtimes/builder/engine_names.ts";
import type { MeterOptions } from "../../../wasm/metering/meter.ts";
import { contentHash } from "../../../shared/content_hash.ts";
import { meter } from "./metered_program.ts";
import { assemble } from "./wat.ts";

/** Something of all that is charged, checked or bounded. */
const PROGRAM = `(module
  (memory 1 100) (table 4 funcref) (elem (i32.const 0) $leaf $recursive)
  (global $sp (mut i32) (i32.const 65536))
  (type $void (func))
  (func $leaf (type $void))
  (func $recursive (type $void)
    (local $x i64) (local $y f64)
    (global.set $sp (i32.sub (global.get $sp) (i32.const 16)))
    (i64.store (global.get $sp) (local.get $x))
    (local.set $y (f64.mul (local.get $y) (f64.div (local.get $y) (f64.const 3))))
    (call $recursive)
    (call_indirect (type $void) (i32.const 0))
    (global.set $sp (i32.add (global.get $sp) (i32.const 16))))
  (func $branches (param i32) (result i32)
    (block $b (block $a (br_table $a $b (local.get 0))) (return (i32.const 1)))
    (if (local.get 0) (then (call $leaf)) (else (drop (i32.const 3))))
    (i32.const 2))
  (func (export "interpret") (param i32) (result i32)
    (loop $next
      (block $end (block $arm
        (if (local.get 0) (then (call $leaf) (drop (i32.mul (local.get 0) (local.get 0)))))
        (br_table $next $arm $end (local.get 0)))
        (local.set 0 (i32.const 0))
        (br $next)))
    (i32.const 3))
  (func $lookup (param i32 i32) (result i32)
    (i32.load (i32.shl (i32.and (local.get 0) (local.get 1)) (i32.const 2))))
  (global $state (mut i32) (i32.const 0))
  (func (export "asyncify_get_state") (result i32) (global.get $state))
  (func (export "asyncify_start_unwind") (param i32) (global.set $state (i32.const 1)))
  (func (export "asyncify_start_rewind") (param i32) (global.set $state (i32.const 2)))
  (func (export "run") (param i32)
    (loop $again
      (memory.fill (i32.const 0) (i32.const 1) (local.get 0))
      (memory.copy (i32.const 9) (i32.const 1) (local.get 0))
      (drop (memory.grow (local.get 0)))
      (drop (table.grow 0 (ref.null func) (local.get 0)))
      (drop (call $branches (local.get 0)))
      (br_if $again (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))))`;

const SETTINGS: readonly MeterOptions[] = [
  {},
  { mergeMax: 0, prepayMax: 0 },
  { mergeMax: 16, mergeBudget: 32, wideStoreUnits: 15, floatUnits: 100, maximumPages: 50 },
  { lookupUnits: 250 },
  { stackPadding: { global: 0, base: 64, perLocal: 8 }, unwindUnits: 7_000 },
  { ownSize: true, maximumPages: 50 },
];

/** The output of the metering of {@link METERING_VERSION}. */
const WRITTEN = "85616880e4f98b7e17d5de6e2908782f0d0b59cfe3137cdcbc57591371e781f5";

Deno.test("metering version: the version changes with the bytes that the metering writes", () => {
  const source = assemble(PROGRAM);
  const hashes = SETTINGS.map((options) => contentHash(meter(source, options)));
  const found = contentHash(new TextEncoder().encode(hashes.join()));
  assertEquals(
    found,
    WRITTEN,
    `The metering writes other bytes than version ${METERING_VERSION} did. If a guest could do ` +
      "something before that it cannot do now, raise METERING_VERSION, and LOWEST_SAFE_METERING " +
      "with it if that was a hole. Then put the new hash here",
  );
});

Deno.test("metering version: contexts of this build will be safe in the next one", () => {
  assertEquals(LOWEST_SAFE_METERING <= METERING_VERSION, true);
});

Deno.test("engine digest: another module, another ABI or another metering has another name", () => {
  const [one, other] = [new Uint8Array([0, 1]), new Uint8Array([0, 2])];
  const versions = { abi: ENGINE_ABI.python, metering: METERING_VERSION };
  const names = [
    engineDigest(one, versions),
    engineDigest(other, versions),
    engineDigest(one, { ...versions, abi: versions.abi + 1 }),
    engineDigest(one, { ...versions, metering: versions.metering + 1 }),
    engineDigest(one, { ...versions, metering: versions.metering + 2 }),
  ];
  assertEquals(new Set(names).size, names.length);
  assertEquals(names.filter((name) => !isName(name)), []);
});
