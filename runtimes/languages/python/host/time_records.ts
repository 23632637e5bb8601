/**
 * Calendar time in C structures. The guest's zone is UTC, without daylight saving.
 *
 * @module
 */
import type { GuestMemory } from "./guest_memory.ts";

const DAY_SECONDS = 86_400;
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_DAYS = 719_468;
const ERA_DAYS = 146_097;
const MAX_YEAR = 2 ** 31 - 1;

const UTIME_NOW = 0x3fffffff;
const UTIME_OMIT = 0x3ffffffe;
const TIMESPEC_BYTES = 16;

/** The modification time that a pair of `struct timespec` asks for; undefined to leave it unchanged. */
export function readTimes(memory: GuestMemory, at: number, now: number): number | undefined {
  if (at === 0) return now;
  const record = (at >>> 0) + TIMESPEC_BYTES;
  const nanoseconds = memory.u32(record + 8);
  if (nanoseconds === UTIME_NOW) return now;
  if (nanoseconds === UTIME_OMIT) return undefined;
  return Number(memory.view.getBigInt64(record, true)) * 1000 + nanoseconds / 1e6;
}

/** Days from 1970-01-01 to a date of the Gregorian calendar. The month counts from 0. */
function daysFromCivil(year: number, month: number, day: number): number {
  const shifted = month < 2 ? year - 1 : year;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * ((month + 10) % 12) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) +
    dayOfYear;
  return era * ERA_DAYS + dayOfEra - EPOCH_DAYS;
}

function civilFromDays(days: number): readonly [year: number, month: number, day: number] {
  const shifted = days + EPOCH_DAYS;
  const era = Math.floor(shifted / ERA_DAYS);
  const dayOfEra = shifted - era * ERA_DAYS;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra -
    (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const day = dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1;
  const month = (shiftedMonth + 2) % 12;
  return [yearOfEra + era * 400 + (month < 2 ? 1 : 0), month, day];
}

/** Fills a `struct tm` with a UTC time, given in seconds since the epoch. */
export function writeCalendarTime(memory: GuestMemory, at: number, seconds: number): void {
  const days = Math.floor(seconds / DAY_SECONDS);
  const rest = seconds - days * DAY_SECONDS;
  const [year, month, day] = civilFromDays(days);
  const fields = [
    rest % 60,
    Math.floor(rest / 60) % 60,
    Math.floor(rest / 3600),
    day,
    month,
    Math.min(MAX_YEAR, year) - 1900,
    ((days % 7) + 11) % 7,
    days - daysFromCivil(year, 0, 1),
    0,
    0,
  ];
  fields.forEach((value, index) => memory.view.setInt32((at >>> 0) + index * 4, value, true));
}

/** Seconds since the epoch of a `struct tm` in UTC. Normalises the fields of the struct. */
export function readCalendarTime(memory: GuestMemory, at: number): number {
  const field = (index: number) => memory.i32((at >>> 0) + index * 4);
  const months = field(4);
  const year = field(5) + 1900 + Math.floor(months / 12);
  const month = months - Math.floor(months / 12) * 12;
  const days = daysFromCivil(year, month, 1) + field(3) - 1;
  const seconds = days * DAY_SECONDS + field(2) * 3600 + field(1) * 60 + field(0);
  writeCalendarTime(memory, at, seconds);
  return seconds;
}
