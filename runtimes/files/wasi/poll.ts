/**
 * `poll_oneoff` on virtual time. Files and streams are always ready; when a call waits for
 * clocks only, time advances to the earliest of them.
 *
 * @module
 */
import { ERRNO } from "../errno.ts";
import { FileError } from "../file_error.ts";
import { ABSOLUTE_TIME, EVENT, SIZE, SUCCESS } from "./abi.ts";
import { clockTime } from "./clock_time.ts";
import { milliseconds } from "./file_stat.ts";
import type { CallOptions } from "./host_call.ts";

/** More than the descriptors and timers of any guest. */
const MAX_SUBSCRIPTIONS = 4_096;
/** Fuel for reading a subscription and writing its event. */
const SUBSCRIPTION_FUEL = 1_500;
/**
 * Milliseconds that a wait of no length takes on a clock that stands: a guest that waits until its
 * clock is past a moment, not at it, would wait without end.
 */
const SHORTEST_WAIT_MS = 0.001;

interface Subscription {
  readonly userdata: bigint;
  readonly type: number;
  /** For a clock: milliseconds until it fires. For a descriptor: 0. */
  readonly waitMs: number;
  readonly error: number;
}

function errorOf(check: () => void): number {
  try {
    check();
    return SUCCESS;
  } catch (error) {
    if (error instanceof FileError) return ERRNO[error.code].wasi;
    throw error;
  }
}

function readClock(parts: CallOptions, at: number): Pick<Subscription, "waitMs" | "error"> {
  const { memory } = parts;
  const id = memory.getUint32(at + 16);
  const timeout = milliseconds(memory.getUint64(at + 24));
  const absolute = (memory.getUint16(at + 40) & ABSOLUTE_TIME) !== 0;
  let waitMs = 0;
  const error = errorOf(() => {
    waitMs = absolute ? Math.max(0, timeout - clockTime(parts.clock, id)) : timeout;
  });
  return { waitMs, error };
}

function readSubscription(parts: CallOptions, at: number): Subscription {
  const { memory, files } = parts;
  const userdata = memory.getUint64(at);
  const type = memory.getUint8(at + 8);
  if (type === EVENT.clock) return { userdata, type, ...readClock(parts, at) };
  if (type !== EVENT.read && type !== EVENT.write) throw new FileError("EINVAL");
  const descriptor = memory.getUint32(at + 16);
  const error = errorOf(() => void files.descriptors.get(descriptor));
  return { userdata, type, waitMs: 0, error };
}

function writeEvent(parts: CallOptions, at: number, { userdata, type, error }: Subscription): void {
  const { memory } = parts;
  memory.bytes(at, SIZE.event).fill(0);
  memory.setUint64(at, userdata);
  memory.setUint16(at + 8, error);
  memory.setUint8(at + 10, type);
  if (type !== EVENT.clock && error === SUCCESS) memory.setUint64(at + 16, 1n);
}

function waitsForClock({ type, error }: Subscription): boolean {
  return type === EVENT.clock && error === SUCCESS;
}

/** Waits, writes the events, and returns their number. EINVAL without subscriptions. */
export function pollOneoff(
  parts: CallOptions,
  subscriptions: number,
  events: number,
  count: number,
): number {
  if (count === 0 || count > MAX_SUBSCRIPTIONS) throw new FileError("EINVAL");
  parts.charge(count * SUBSCRIPTION_FUEL);
  const all = Array.from(
    { length: count },
    (_, index) => readSubscription(parts, subscriptions + index * SIZE.subscription),
  );
  const first = Math.min(...all.map(({ waitMs }) => waitMs));
  if (first > 0) parts.sleep(first);
  else if (parts.clock.stands && all.every(waitsForClock)) parts.sleep(SHORTEST_WAIT_MS);
  const happened = all.filter(({ waitMs }) => waitMs <= first);
  happened.forEach((event, index) => writeEvent(parts, events + index * SIZE.event, event));
  return happened.length;
}
