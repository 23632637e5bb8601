/**
 * Perl was built for a system without signals and warns of each that a program sets a handler for.
 * The guest file `system.pl` sends signals by name, so handlers are set without a warning.
 *
 * @module
 */
import { ANY, encodeIndex, type ModulePatch } from "../../../../wasm/metering/module_patch.ts";
import { Op } from "../../../../wasm/metering/opcodes.ts";

const WARNING = "No such signal: SIG%s";
/** `WARN_SIGNAL` of Perl 5.42. */
const CATEGORY = 26;

/** Drops the warning instead of printing it. */
export function dropSignalWarning(patch: ModulePatch): void {
  const before = [Op.i32Const, CATEGORY, Op.i32Const, ...encodeIndex(patch.addressOf(WARNING))];
  const pattern = [...before, Op.localGet, ANY, Op.call, ANY, ANY];
  const place = patch.findOne(pattern, "the warning of signals");
  const length = before.length + 2;
  patch.overwrite(place + length, pattern.length - length, [Op.drop, Op.drop, Op.drop]);
}
