/**
 * Lets time interrupt a program that computes. Ruby looks for interrupts at every jump back and every
 * return, in a flag, and calls a function if it is set. While an alarm is set, the flag has a bit that
 * Ruby does not know, and a function of ours comes first. It compares fuel, and lets Ruby's own find a
 * pending signal once the fuel of the alarm is used. The handler of that signal raises the error.
 *
 * Each fiber has a flag. Ruby sets that of a fiber to which it changes if the count of all pending signals
 * is not zero. So that count is 1 while an alarm is set, although no signal is pending.
 *
 * The function has no state in a frame, so it needs none when Asyncify unwinds and rewinds the stack: it
 * calls Ruby's own again, and does the rest when that returns.
 *
 * @module
 */
import { ByteReader } from "../../../../wasm/metering/byte_reader.ts";
import { ByteWriter } from "../../../../wasm/metering/byte_writer.ts";
import { ADDRESS, ANY, ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";
import { wrapFunction } from "../../../../wasm/metering/wrap_function.ts";
import { ALARM, RubyAbiError } from "../host/ruby_abi.ts";

/** A signal without a name, which nobody sends; the driver handles it. */
const SIGNAL = 60;
/** Ruby counts pending signals by number, and behind that array all of them. */
const SIGNALS = 65;
const COUNT_BYTES = 4;

const LOAD = [Op.i32Load, 2, 0];
const STORE = [Op.i32Store, 2, 0];
const I64_LOAD = [0x29, 3, 0];
const I32_OR = 0x72;
/** Fields of a thread, and of its execution context. */
const CONTEXT = [Op.i32Load, 2, 24];
const FLAG = [Op.i32Load, 2, 16];
const SET_FLAG = [Op.i32Store, 2, 16];
const MASK = [Op.i32Load, 2, 20];
/** The bit of the flag for signals. While one is pending, Ruby neither sleeps nor reads or writes. */
const TRAP = 8;
/**
 * The bit of the flag while an alarm is set. Ruby uses it for turns of threads, which nothing here asks
 * for. Ruby's own function does not see it.
 */
const WATCH = 1;

/** The end of the function that takes the next pending signal: one less of all. */
const TAKEN = [
  ...[...ADDRESS, ...ADDRESS, ...LOAD, Op.i32Const, 1, Op.i32Sub, ...STORE],
  ...[Op.localGet, ANY, Op.end],
];

/**
 * Before Ruby waits, reads or writes, it looks for interrupts until the flag is zero: the test of that
 * loop, the part of it that complements the mask, and how that part leaves the watch bit out.
 */
const UNTIL_NONE = [
  ...[0x2d, 0, 84, Op.localTee, ANY, Op.i32Eqz, Op.if, Type.empty],
  ...[Op.localGet, ANY, ...FLAG, Op.localGet, ANY, ...MASK, Op.localTee, ANY],
];
const COMPLEMENT = [Op.i32Const, 0x7f, Op.i32Xor];
const ALL_BUT_WATCH = [Op.i32Const, 0x7e, Op.i32Xor];
const LOOPS = 3;
/** The head of the loop, where the same decides whether the function is called, and its distance. */
const HEAD = [...COMPLEMENT, Op.i32And, Op.i32Eqz, Op.localSet];
const HEAD_BEFORE = 87;
/** The looks after a wait, in the same functions, from which an error cannot be raised. */
const AFTER = [...FLAG, Op.localGet, ANY, ...MASK, Op.localTee, ANY];
const LOOKS = 8;
/** The same for calls that fail if there is an interrupt, and for `select`. */
const UNLESS_ANY = [Op.localGet, ANY, ...COMPLEMENT, Op.localSet, ANY, Op.loop, Type.empty];
const SELECT = [...MASK, ...COMPLEMENT, Op.localSet, ANY, Op.end, Op.block, Type.empty];

/** The addresses of the counts of pending signals: of all, and of the alarm's. */
interface SignalCounts {
  readonly all: number;
  readonly alarm: number;
}

function constant(value: number): number[] {
  const out = new ByteWriter();
  out.u8(Op.i32Const);
  out.s32(value);
  return [...out.toBytes()];
}

function countsAt(patch: ModulePatch, place: number): SignalCounts {
  const reader = new ByteReader(patch.bytes, place + 1, place + ADDRESS.length);
  const all = reader.s32();
  return { all, alarm: all - COUNT_BYTES * (SIGNALS - SIGNAL) };
}

/** The module whose waits, reads and writes take no notice of the bit of an alarm. */
export function passAlarms(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  const loops = patch.find([...UNTIL_NONE, ...COMPLEMENT], LOOPS, "the loops before a wait");
  const places = loops.flatMap((at) => {
    const start = at - HEAD_BEFORE;
    const head = patch.findOne(HEAD, "the head of a loop", { start, end: start + HEAD.length });
    return [head, at + UNTIL_NONE.length];
  });
  const functions = new Set(loops.map((at) => patch.callOf(at).join()));
  for (
    const at of patch.find([...AFTER, ...COMPLEMENT, Op.i32And], LOOKS, "the looks at the flag")
  ) {
    if (functions.has(patch.callOf(at).join())) places.push(at + AFTER.length);
  }
  places.push(patch.findOne(UNLESS_ANY, "the look before a call that fails") + 2);
  places.push(patch.findOne(SELECT, "the look before select") + MASK.length);
  for (const at of places) patch.overwrite(at, ALL_BUT_WATCH.length, ALL_BUT_WATCH);
  return patch.bytes;
}

/** The module with the function in the place of Ruby's. */
export function ringAlarms(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  const taken = patch.findOne(TAKEN, "the end of taking a signal");
  const counts = countsAt(patch, taken);
  const taking = [...patch.callOf(taken), Op.localTee, ANY, Op.i32Eqz, Op.localTee, ANY, Op.brIf];
  const execute = patch.callOf(patch.findOne(taking, "the call that takes a signal"));
  const reader = new ByteReader(Uint8Array.from(execute), 1, execute.length);
  const unwinding = patch.code("asyncify_get_state");
  if (unwinding[0] !== Op.globalGet) throw new RubyAbiError("the state of Asyncify is elsewhere");
  return wrapFunction(source, reader.u32(), (original) => {
    const out = new ByteWriter();
    const fuel = new ByteWriter();
    fuel.u8(Op.globalGet);
    fuel.u32(patch.fuelGlobal);
    const call = new ByteWriter();
    call.u8(Op.call);
    call.u32(original);
    for (const byte of code([...fuel.toBytes()], [...call.toBytes()], unwinding, counts)) {
      out.u8(byte);
    }
    return out.toBytes();
  });
}

function code(
  fuel: readonly number[],
  callOriginal: readonly number[],
  unwinding: readonly number[],
  counts: SignalCounts,
): readonly number[] {
  const isSet = [...constant(ALARM.isSet), ...LOAD];
  /** Local 2 becomes the thread's execution context, and its flag gets a bit. */
  const setFlag = (bit: number) => [
    ...[...constant(counts.all), ...constant(1), ...STORE],
    ...[...constant(ALARM.thread), ...LOAD, ...CONTEXT, Op.localTee, 2],
    ...[Op.localGet, 2, ...FLAG, ...constant(bit), I32_OR, ...SET_FLAG],
  ];
  const nothingElse = [
    ...[Op.localGet, 0, ...CONTEXT, Op.localTee, 2, ...FLAG],
    ...[
      Op.localGet,
      2,
      ...MASK,
      ...constant(-1),
      Op.i32Xor,
      Op.i32And,
      ...constant(WATCH),
      Op.i32Eq,
    ],
  ];
  return [
    ...[1, 2, Type.i32], // two locals
    ...[...unwinding, Op.i32Eqz, Op.if, Type.empty],
    ...[...constant(ALARM.thread), Op.localGet, 0, ...STORE],
    ...[...isSet, Op.if, Type.empty],
    ...[...fuel, ...constant(ALARM.fuel), ...I64_LOAD, Op.i64LtS, Op.if, Type.empty],
    ...[...constant(ALARM.isSet), ...constant(0), ...STORE],
    ...[...constant(counts.alarm), ...constant(1), ...STORE, ...setFlag(TRAP)],
    ...[Op.else, ...nothingElse, Op.if, Type.empty, ...constant(0), Op.return, Op.end],
    ...[Op.end, Op.else],
    ...[...constant(counts.all), ...constant(counts.alarm), ...LOAD, ...STORE, Op.end],
    ...[Op.localGet, 0, ...CONTEXT, Op.localTee, 2],
    ...[Op.localGet, 2, ...FLAG, ...constant(~WATCH), Op.i32And, ...SET_FLAG, Op.end],
    ...[Op.localGet, 0, Op.localGet, 1, ...callOriginal, Op.localSet, 3],
    ...[...unwinding, Op.i32Eqz, Op.if, Type.empty, ...isSet, Op.if, Type.empty],
    ...[...setFlag(WATCH), Op.end, Op.end, Op.localGet, 3, Op.end],
  ];
}
