/**
 * The length of arrays with holes. When a smaller length deletes many elements, the engine walks the
 * properties from the first to the last, and deletes those beyond the length. Now and then a deletion
 * moves the properties together, and then the walk passes over some: they stay, beyond the
 * length. The patch lets it walk from the last to the first. What moves together then has been passed
 * already, or keeps its order before it.
 *
 * @module
 */
import { ANY, type ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op, Type } from "../../../../wasm/metering/opcodes.ts";

/** Local variables of the function. */
const LOCAL = {
  context: 0,
  object: 1,
  length: 4,
  atom: 5,
  property: 6,
  frame: 7,
  shape: 8,
  index: 9,
  offset: 10,
} as const;
/** At first the atom's variable has the number of properties. */
const COUNT = LOCAL.atom;

const I32_EQZ = 0x45;
const I32_LT_U = 0x49;
const I32_LE_S = 0x4c;
const I32_GE_U = 0x4f;
const I32_SHL = 0x74;

const get = (local: number) => [Op.localGet, local];
const set = (local: number) => [Op.localSet, local];
const tee = (local: number) => [Op.localTee, local];
const constant = (value: number) => [Op.i32Const, value];
const load = (offset: number) => [Op.i32Load, 2, offset];

/** Offsets in an object, a shape and an entry of a shape. */
const SHAPE = 12;
const HASH_SIZE = 16;
const PROPERTY_COUNT = 24;
const ENTRIES = 44;
const ENTRY_BYTES = 8;
const ENTRY_ATOM = 4;
/** Where the index of an element is written. */
const ELEMENT_INDEX = 8;

/** Where the entries of a shape lie: behind a table of `hashes` words. */
const BEYOND_HASHES = [...load(HASH_SIZE), ...constant(2), I32_SHL, Op.i32Add];
const isElementBeyond = (call: readonly number[]) => [
  ...[...get(LOCAL.context), ...get(LOCAL.frame), ...constant(ELEMENT_INDEX), Op.i32Add],
  ...[...get(LOCAL.atom), ...call, I32_EQZ, Op.brIf, 0],
  ...[...get(LOCAL.frame), ...load(ELEMENT_INDEX), ...get(LOCAL.length), I32_LT_U, Op.brIf, 0],
];
const IS_ELEMENT_CALL = [Op.call, ANY, ANY];
const DELETE_CALL = [Op.call, ANY];
const next = (local: number, by: number) => [
  ...[...get(local), ...constant(by), Op.i32Add],
  ...set(local),
];

/** The walk from the first to the last. */
const FORWARDS = [
  ...[...constant(ENTRIES), ...set(LOCAL.offset), ...get(LOCAL.shape), ...get(LOCAL.shape)],
  ...[...BEYOND_HASHES, ...constant(ENTRIES), Op.i32Add, ...set(LOCAL.property)],
  ...[...constant(0), ...set(LOCAL.index), Op.loop, Type.empty],
  ...[...get(COUNT), ...get(LOCAL.index), I32_LE_S, Op.brIf, 1, Op.block, Type.empty],
  ...[...get(LOCAL.property), ...load(ENTRY_ATOM), ...tee(LOCAL.atom), I32_EQZ, Op.brIf, 0],
  ...isElementBeyond(IS_ELEMENT_CALL),
  ...[...get(LOCAL.context), ...get(LOCAL.object), ...get(LOCAL.property), ...load(ENTRY_ATOM)],
  ...[...DELETE_CALL, Op.drop, ...get(LOCAL.object), ...load(SHAPE), ...tee(LOCAL.shape)],
  ...[...get(LOCAL.shape), ...BEYOND_HASHES, ...get(LOCAL.offset), Op.i32Add],
  ...[...set(LOCAL.property), Op.end, ...next(LOCAL.offset, ENTRY_BYTES)],
  ...[...next(LOCAL.property, ENTRY_BYTES), ...next(LOCAL.index, 1)],
  ...[...get(LOCAL.shape), ...load(PROPERTY_COUNT), ...set(COUNT), Op.br, 0, Op.end],
];

/** The walk from the last to the first. The shape may be another one, or shorter, after a deletion. */
function backwards(isElement: readonly number[], remove: readonly number[]): number[] {
  return [
    ...[...get(COUNT), ...set(LOCAL.index), Op.loop, Type.empty],
    ...[...get(LOCAL.index), I32_EQZ, Op.brIf, 1],
    ...[...get(LOCAL.index), ...constant(1), Op.i32Sub, ...tee(LOCAL.index)],
    ...[...get(LOCAL.object), ...load(SHAPE), ...tee(LOCAL.shape)],
    ...[...load(PROPERTY_COUNT), I32_GE_U, Op.brIf, 0],
    ...[...get(LOCAL.shape), ...get(LOCAL.shape), ...BEYOND_HASHES],
    ...[...get(LOCAL.index), ...constant(3), I32_SHL, Op.i32Add],
    ...[...load(ENTRIES + ENTRY_ATOM), ...tee(LOCAL.atom), I32_EQZ, Op.brIf, 0],
    ...isElementBeyond(isElement),
    ...[...get(LOCAL.context), ...get(LOCAL.object), ...get(LOCAL.atom), ...remove, Op.drop],
    ...[Op.br, 0, Op.end],
  ];
}

/** Applies the patch. */
export function shortenFromTheEnd(patch: ModulePatch): void {
  const at = patch.findOne(FORWARDS, "the walk over an array's properties");
  const call = (pattern: readonly number[], nth: number) => {
    const places = FORWARDS.flatMap((byte, index) => byte === ANY ? [index] : []);
    const first = places[nth] ?? 0;
    return [...patch.bytes.subarray(at + first - 1, at + first + pattern.length - 1)];
  };
  const code = backwards(call(IS_ELEMENT_CALL, 0), call(DELETE_CALL, 2));
  patch.overwrite(at, FORWARDS.length, code);
}
