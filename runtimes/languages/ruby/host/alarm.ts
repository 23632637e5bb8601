/**
 * The alarm of a Ruby guest, which interrupts a program that computes. It counts fuel, so that a program
 * is always interrupted at the same place; sleep counts too. See `alarm_patch.ts`.
 *
 * @module
 */
import { ALARM } from "./ruby_abi.ts";
import type { RubyVm } from "./ruby_vm.ts";

/** Fuel that counts as a second, as in Perl. Ordinary programs use about as much, an empty loop three times as much. */
const FUEL_PER_SECOND = 6e9;
/** Maximum seconds of an alarm; no fuel lasts that long. */
const MAX_SECONDS = 1e8;

/** Sets the alarm of an instance, in seconds from now; 0 for none. */
export function setAlarm(vm: RubyVm, seconds: number): void {
  const { view } = vm;
  view.setUint32(ALARM.isSet, Number(seconds > 0), true);
  view.setBigInt64(ALARM.fuel, BigInt(vm.fuel.value) - fuelOf(seconds), true);
}

/** Called after the program slept: an alarm is due that much earlier. */
export function advanceAlarm({ view }: RubyVm, ms: number): void {
  view.setBigInt64(ALARM.fuel, view.getBigInt64(ALARM.fuel, true) + fuelOf(ms / 1_000), true);
}

function fuelOf(seconds: number): bigint {
  return BigInt(Math.round(Math.min(seconds, MAX_SECONDS) * FUEL_PER_SECOND));
}
