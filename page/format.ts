/**
 * Numbers for people.
 *
 * @module
 */

const LOCALE = "en";
const EXACT = new Intl.NumberFormat(LOCALE);
const COMPACT = new Intl.NumberFormat(LOCALE, {
  notation: "compact",
  maximumSignificantDigits: 3,
});
const SHORT = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });
const BYTE_UNITS = ["bytes", "KiB", "MiB", "GiB"] as const;

/** All digits: `1,234,567`. */
export function exact(number: number): string {
  return EXACT.format(number);
}

/** Three digits: `1.23M`. */
export function compact(number: number): string {
  return COMPACT.format(number);
}

/** A length: `1.5 MiB`. */
export function bytes(count: number): string {
  let [value, unit] = [count, 0];
  while (value >= 1024 && unit < BYTE_UNITS.length - 1) [value, unit] = [value / 1024, unit + 1];
  return `${SHORT.format(value)} ${BYTE_UNITS[unit]}`;
}

/** A duration: `12 ms`, `3.4 s`. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1) return "under 1 ms";
  return milliseconds < 1000
    ? `${Math.round(milliseconds)} ms`
    : `${(milliseconds / 1000).toFixed(1)} s`;
}

/** Part of a whole: `12%`, `under 1%`. */
export function share(part: number, whole: number): string {
  const percent = 100 * part / whole;
  if (percent > 0 && percent < 1) return "under 1%";
  return `${Math.min(100, Math.round(percent))}%`;
}

/** A count with its noun: `1 line`, `2 lines`. */
export function countText(count: number, noun: string, nouns = `${noun}s`): string {
  return `${exact(count)} ${count === 1 ? noun : nouns}`;
}

/** A text of others as a label: what would move or hide its other characters is replaced. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/gu, "\ufffd");
}

/** A moment, in the reader's own time. */
export function moment(date: Date | number): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(
    date,
  );
}

/** A time that is left: `3 days`, `23 h`, `5 min`. */
export function timeLeft(milliseconds: number): string {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.round(minutes / 60);
  return hours < 48 ? `${hours} h` : `${Math.round(hours / 24)} days`;
}
