/**
 * Makes a syntax error report its position. In an evaluated string, Perl mistakes every semicolon
 * for the one that it appended itself, so an error before any semicolon is reported "at EOF". With
 * the patch that happens only if nothing follows; otherwise the text before the semicolon is
 * quoted, as for a program that is read from a file.
 *
 * @module
 */
import { ANY, encodeIndex, type ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../wasm/metering/opcodes.ts";

/** An unused function: `(i32) -> i32`. */
const MORE_FOLLOWS = "zeroperl_to_bool";
/** Token of a semicolon in Perl 5.42. */
const SEMICOLON = [0x95, 0x02];
/**
 * Fields of the parser: the file being read, the current position in the text, and the end of the
 * text.
 */
const [FILE, POSITION, END] = [176, 136, 148];

const I32_NE = 0x47;
const I32_LT_U = 0x49;

/** If the token is not a semicolon, or there is a file, this is not the end. */
const TEST = [
  ...[Op.i32Const, ...SEMICOLON, I32_NE, Op.localTee, ANY, Op.brIf, 1],
  ...[Op.localGet, ANY, Op.i32Load, 2, ...encodeIndex(FILE), Op.localTee, ANY, Op.brIf, 1],
];
/** The position and the length, in bytes, of the test for the file. */
const [LOOK, LOOK_BYTES] = [8, 6];

/** Applies the patch. */
export function tellSyntaxErrors(patch: ModulePatch): void {
  const test = patch.findOne(TEST, "the place of a syntax error");
  const parser = patch.bytes[test + LOOK + 1] ?? 0;
  patch.replaceBody(MORE_FOLLOWS, [
    ...[Op.localGet, 0, Op.i32Load, 2, ...encodeIndex(POSITION)],
    ...[Op.localGet, 0, Op.i32Load, 2, ...encodeIndex(END), I32_LT_U],
  ]);
  patch.overwrite(test + LOOK, LOOK_BYTES, [Op.localGet, parser, ...patch.call(MORE_FOLLOWS)]);
}
