/**
 * Clocks and calendar of the guest. Sleeping is virtual: see `clock.ts`.
 *
 * @module
 */
import { ERRNO } from "../../../files/errno.ts";
import type { GuestProcess } from "./guest_process.ts";
import { readCalendarTime, writeCalendarTime } from "./time_records.ts";

const REALTIME = 0;
const MONOTONIC = 1;
/** The highest clock id. The ids above MONOTONIC are processor time of process and thread. */
const LAST_CLOCK = 3;
const RESOLUTION_NS = 1000n;
const NS_PER_MS = 1_000_000n;
/** The latest time of a clock that counts nanoseconds in 64 bits: in the year 2262. */
const LATEST_NS = 2n ** 63n - 1n;
/** Fuel for reading a clock and for converting a date: in proportion to the time taken. */
const CLOCK_FUEL = 4_500;
const CALENDAR_FUEL = 4_500;
/** Maximum advance of the clock per poll of the C library's own sleep, in milliseconds. */
const LONGEST_STEP_MS = 8;

/** Milliseconds as nanoseconds, exact to the microsecond at any magnitude. */
function nanoseconds(ms: number): bigint {
  const whole = Math.floor(ms);
  return BigInt(whole) * NS_PER_MS + BigInt(Math.floor((ms - whole) * 1000)) * 1000n;
}

function readClock(process: GuestProcess, id: number): number {
  const { clock } = process;
  if (id === REALTIME) return clock.epoch();
  return id === MONOTONIC ? clock.monotonic() : clock.monotonic() - clock.slept;
}

/**
 * The clock for the C library's own sleep, which polls the clock until enough time has passed. Each
 * further poll in a row advances the clock twice as far as the one before, within bounds, so the
 * sleep is virtual and cheap, but not exact. Python's `time.sleep` does not use it.
 */
class SleepClock {
  readonly #process: GuestProcess;
  #step = 0;
  #sleptBefore = 0;
  #run = 0;

  constructor(process: GuestProcess) {
    this.#process = process;
  }

  now(): number {
    const { clock } = this.#process;
    const again = clock.runs === this.#run && clock.slept === this.#sleptBefore &&
      clock.slept > 0;
    this.#run = clock.runs;
    this.#step = again ? Math.min(this.#step * 2, LONGEST_STEP_MS) : 1;
    this.#process.sleep(this.#step);
    this.#sleptBefore = clock.slept;
    return clock.monotonic();
  }
}

/** The calls by their import names. */
export function timeCalls(process: GuestProcess) {
  const { memory } = process;
  const sleepClock = new SleepClock(process);
  const broken = (seconds: bigint, to: number) => {
    process.charge(CALENDAR_FUEL);
    writeCalendarTime(memory, to, Number(seconds));
  };
  const joined = (at: number) => {
    process.charge(CALENDAR_FUEL);
    return BigInt(readCalendarTime(memory, at));
  };
  return {
    clock_time_get: (id: number, _precision: bigint, to: number) => {
      process.charge(CLOCK_FUEL);
      if (id < 0 || id > LAST_CLOCK) return ERRNO.EINVAL.wasi;
      const now = nanoseconds(readClock(process, id));
      memory.setI64(to, now < LATEST_NS ? now : LATEST_NS);
      return 0;
    },
    clock_res_get: (id: number, to: number) => {
      process.charge(CLOCK_FUEL);
      if (id < 0 || id > LAST_CLOCK) return ERRNO.EINVAL.wasi;
      memory.setI64(to, RESOLUTION_NS);
      return 0;
    },
    emscripten_date_now: () => {
      process.charge(CLOCK_FUEL);
      return process.clock.epoch();
    },
    emscripten_get_now: () => {
      process.charge(CLOCK_FUEL);
      return sleepClock.now();
    },
    _tzset_js: (offset: number, daylight: number, standard: number, summer: number) => {
      memory.setU32(offset, 0);
      memory.setU32(daylight, 0);
      memory.setText(standard, "UTC");
      memory.setText(summer, "UTC");
    },
    _gmtime_js: broken,
    _localtime_js: broken,
    _mktime_js: joined,
    _timegm_js: joined,
  };
}
