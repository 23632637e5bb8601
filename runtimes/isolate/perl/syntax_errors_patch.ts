/**
 * Lets a syntax error say where it is. Perl takes a semicolon in a string that it evaluates for the
 * one it has put at the end itself, so what is wrong before any semicolon is "at EOF". Here it is
 * so only if nothing follows; elsewhere the text before the semicolon is quoted, as it is for a
 * program that is read from a file.
 *
 * @module
 */
import { ANY, encodeIndex, type ModulePatch } from "../metering/module_patch.ts";
import { Op } from "../metering/opcodes.ts";

/** A function that nobody calls: `(i32) -> i32`. */
const MORE_FOLLOWS = "zeroperl_to_bool";
/** Token of a semicolon in Perl 5.42. */
const SEMICOLON = [0x95, 0x02];
/** Of the parser: the file that is read, how far the text is read, and where it ends. */
const [FILE, POSITION, END] = [176, 136, 148];

const I32_NE = 0x47;
const I32_LT_U = 0x49;

/** The token is not a semicolon, or there is a file: then this is not the end. */
const TEST = [
  ...[Op.i32Const, ...SEMICOLON, I32_NE, Op.localTee, ANY, Op.brIf, 1],
  ...[Op.localGet, ANY, Op.i32Load, 2, ...encodeIndex(FILE), Op.localTee, ANY, Op.brIf, 1],
];
/** Where in the test the file is looked for, in how many bytes. */
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
