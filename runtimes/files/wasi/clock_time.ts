/**
 * The clocks of preview 1.
 *
 * @module
 */
import type { RunClock } from "../../engine/clock.ts";
import { FileError } from "../file_error.ts";
import { CLOCK } from "./abi.ts";

/** A clock's time in milliseconds. EINVAL. */
export function clockTime(clock: RunClock, id: number): number {
  if (id === CLOCK.realtime) return clock.epoch();
  if (id === CLOCK.monotonic) return clock.monotonic();
  // Sleeping uses no processor time.
  if (id === CLOCK.process || id === CLOCK.thread) return clock.monotonic() - clock.slept;
  throw new FileError("EINVAL");
}
