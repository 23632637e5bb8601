/**
 * Makes Ruby treat text from the system as UTF-8. Otherwise environment variables, arguments and
 * other text in the locale's encoding would be binary strings: the module's C library knows only
 * the locale C, whose characters are ASCII.
 *
 * @module
 */
import { ADDRESS, ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../wasm/metering/opcodes.ts";

/** `if (item == CODESET) return …`, at the beginning of `nl_langinfo_l`. */
const CODESET_ASKED = [Op.localGet, 0, Op.i32Const, 14, 0x46, Op.if, 0x40];
/** `locale has characters of many bytes ? first : second`. */
const CHOICE = [Op.localGet, 1, Op.i32Load, 2, 0, Op.select, 0x0f];

/** Makes the module's locale UTF-8: the second of the two names replaces the first. */
export function useUtf8Locale(source: Uint8Array): Uint8Array<ArrayBuffer> {
  const patch = new ModulePatch(source);
  const question = [...CODESET_ASKED, ...ADDRESS, ...ADDRESS, ...CHOICE];
  const first = patch.findOne(question, "the encoding of the locale") + CODESET_ASKED.length;
  patch.bytes.copyWithin(first + ADDRESS.length, first, first + ADDRESS.length);
  return patch.bytes;
}
