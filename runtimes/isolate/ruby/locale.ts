/**
 * Tells Ruby that text of the system is UTF-8. Environment variables, arguments and whatever else
 * comes in the encoding of the locale would be binary strings otherwise: the C library of the
 * module knows the locale C only, and says that its characters are ASCII.
 *
 * @module
 */
import { ByteWriter } from "../metering/byte_writer.ts";
import { readLayout } from "../metering/module_layout.ts";
import { Op, SectionId } from "../metering/opcodes.ts";
import { RubyAbiError } from "./ruby_abi.ts";

/** `if (item == CODESET) return …`, at the beginning of `nl_langinfo_l`. */
const CODESET_ASKED = Uint8Array.of(0x20, 0, Op.i32Const, 14, 0x46, 0x04, 0x40);
/** `locale has characters of many bytes ? first : second`. */
const CHOICE = Uint8Array.of(0x20, 1, 0x28, 2, 0, 0x1b, 0x0f);
/** Bytes of an address above the C stack, as an operand. */
const ADDRESS_BYTES = 4;
const NAME_BYTES = 1 + ADDRESS_BYTES;

/** The module whose locale is UTF-8: the second of the two names becomes the first. */
export function useUtf8Locale(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const section = readLayout(source).sections.find(({ id }) => id === SectionId.code);
  if (section === undefined) throw new RubyAbiError("the module has no code");
  const found: number[] = [];
  for (let at = section.start; at < section.end; at++) {
    if (isQuestion(source, at)) found.push(at + CODESET_ASKED.length);
  }
  const [utf8] = found;
  if (utf8 === undefined || found.length > 1) {
    throw new RubyAbiError(`${found.length} places that name the encoding of the locale`);
  }
  const out = new ByteWriter(source.length);
  out.copy(source, 0, utf8 + NAME_BYTES);
  out.copy(source, utf8, utf8 + NAME_BYTES);
  out.copy(source, utf8 + 2 * NAME_BYTES);
  return out.toBytes();
}

function isQuestion(source: Uint8Array, at: number): boolean {
  const names = at + CODESET_ASKED.length;
  return matches(source, at, CODESET_ASKED) &&
    source[names] === Op.i32Const && source[names + NAME_BYTES] === Op.i32Const &&
    matches(source, names + 2 * NAME_BYTES, CHOICE);
}

function matches(source: Uint8Array, at: number, pattern: Uint8Array): boolean {
  for (let index = 0; index < pattern.length; index++) {
    if (source[at + index] !== pattern[index]) return false;
  }
  return true;
}
