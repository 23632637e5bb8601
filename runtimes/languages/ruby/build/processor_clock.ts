/**
 * Makes the clock of processor time begin at boot. It counts from a moment that the package's build
 * left in memory, which is later than a run's clocks. The elapsed time would be negative, and shown
 * as about eighteen billion seconds.
 *
 * @module
 */
import { RubyAbiError, STACK_TOP } from "../host/ruby_abi.ts";
import type { RubyVm } from "../host/ruby_vm.ts";

/**
 * The nanoseconds now, and the nanoseconds since that moment, which the clock reports in whole
 * microseconds.
 */
const CLOCKS = "[Process::CLOCK_MONOTONIC, Process::CLOCK_PROCESS_CPUTIME_ID]" +
  '.map { |clock| Process.clock_gettime(clock, :nanosecond) }.join(" ")';
const RESOLUTION_NS = 1_000n;

/** Finds the moment in memory, and moves it to now. */
export function startProcessorClock(vm: RubyVm): void {
  const { value, state } = vm.evaluate(CLOCKS);
  if (state !== 0) throw new RubyAbiError("no clock of processor time");
  const [now = 0n, since = 0n] = new TextDecoder().decode(vm.stringBytes(value)).split(" ")
    .map(BigInt);
  const latest = BigInt.asUintN(64, now - since);
  const words = new BigUint64Array(vm.bytes.buffer);
  const found: number[] = [];
  for (let at = STACK_TOP / 8; at < words.length; at++) {
    const word = words[at] ?? 0n;
    if (word <= latest && latest - word < RESOLUTION_NS) found.push(at);
  }
  const [moment] = found;
  if (moment === undefined || found.length > 1) {
    throw new RubyAbiError(`${found.length} places for the beginning of processor time`);
  }
  words[moment] = now;
}
