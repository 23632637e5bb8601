//! Dates of several items, as GNU `date -d` reads them: `next monday 10:00`, `2024-01-31 +1 month`,
//! `5 Jan 2026`. Compiled as a module of the crate's `date`.

use chrono::{DateTime, Datelike, Duration, Month, NaiveDate, NaiveTime, Timelike, Utc, Weekday};

use super::SandboxTimezone;

const SECONDS_PER_MINUTE: i64 = 60;
const SECONDS_PER_HOUR: i64 = 3_600;
const DAYS_PER_WEEK: i64 = 7;
const MONTHS_PER_YEAR: i64 = 12;
const NOON: u32 = 12;
/// Digits of a date such as `20260105`.
const COMPACT_DATE_DIGITS: usize = 8;

#[derive(Clone, Copy)]
enum Unit {
    Seconds(i64),
    Days(i64),
    Months(i64),
}

#[derive(Default)]
struct Items {
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    /// A day of the week, and how many of them ahead: 0 for `monday`, 1 for `next monday`.
    weekday: Option<(i64, Weekday)>,
    /// Seconds east of UTC.
    zone: Option<i64>,
    months: i64,
    days: i64,
    seconds: i64,
    /// The last shift, which `ago` turns round.
    last: Option<(i64, Unit)>,
    count: usize,
}

/// The time that items name. `None` if one of them has another form.
pub(super) fn parse(
    text: &str,
    now: DateTime<Utc>,
    timezone: SandboxTimezone,
) -> Option<Result<DateTime<Utc>, String>> {
    let items = read(text, now)?;
    let time = moment(&items, now, timezone);
    Some(time.ok_or_else(|| format!("date: invalid date '{text}'")))
}

fn read(text: &str, now: DateTime<Utc>) -> Option<Items> {
    let lower = text.to_lowercase();
    let words: Vec<&str> = lower
        .split(|c: char| c.is_whitespace() || c == ',')
        .flat_map(date_and_time)
        .filter(|word| !word.is_empty())
        .collect();
    let mut items = Items::default();
    let mut rest = words.as_slice();
    let mut after_time = false;
    while let Some((&word, others)) = rest.split_first() {
        let signed = word.starts_with(['+', '-']);
        let (used, is_time) = if signed && after_time {
            (zone(&mut items, word, others)?, false)
        } else if let Some(time) = clock(word) {
            set(&mut items.time, time)?;
            (1, true)
        } else if word.starts_with(|c: char| c.is_ascii_digit()) || signed {
            (number(&mut items, word, others, now)?, false)
        } else {
            (name(&mut items, word, others, now)?, false)
        };
        items.count += 1;
        after_time = is_time;
        rest = &rest[used..];
    }
    Some(items)
}

/// `2026-01-01T10:00:00Z` is a date, a time and a zone.
fn date_and_time(word: &str) -> Vec<&str> {
    match word.split_once('t') {
        Some((date, time)) if iso_date(date).is_some() => match time.strip_suffix('z') {
            Some(time) => vec![date, time, "z"],
            None => vec![date, time],
        },
        _ => vec![word],
    }
}

fn iso_date(word: &str) -> Option<NaiveDate> {
    NaiveDate::parse_from_str(word, "%Y-%m-%d").ok()
}

/// `10:00`, `10:00:00.5`, `10am`, `10:30pm`.
fn clock(word: &str) -> Option<NaiveTime> {
    let half = word.strip_suffix("am").map(|rest| (rest, 0));
    let half = half.or_else(|| word.strip_suffix("pm").map(|rest| (rest, NOON)));
    let Some((rest, more)) = half else { return whole_day(word) };
    let time = if rest.contains(':') { whole_day(rest) } else { whole_day(&format!("{rest}:00")) }?;
    let hour = time.hour();
    if !(1..=NOON).contains(&hour) {
        return None;
    }
    time.with_hour(hour % NOON + more)
}

/// A time of a day of 24 hours.
fn whole_day(word: &str) -> Option<NaiveTime> {
    let forms = ["%H:%M", "%H:%M:%S%.f"];
    forms.iter().find_map(|form| NaiveTime::parse_from_str(word, form).ok())
}

/// An item of a kind that a date has once.
fn set<T>(place: &mut Option<T>, value: T) -> Option<()> {
    place.replace(value).is_none().then_some(())
}

/// A number with its sign, which may be a word of its own. Returns it, the rest of the last word, and
/// how many words these are.
fn signed<'a>(word: &'a str, others: &[&'a str]) -> Option<(i64, &'a str, usize)> {
    let unsigned = word.trim_start_matches(['+', '-']);
    let sign = match word.len() - unsigned.len() {
        0 => 1,
        1 if word.starts_with('-') => -1,
        1 => 1,
        _ => return None,
    };
    let (digits, used) = if unsigned.is_empty() { (*others.first()?, 2) } else { (unsigned, 1) };
    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
    let value: i64 = digits[..end].parse().ok()?;
    Some((sign * value, &digits[end..], used))
}

/// `+02`, `+0200` or `+02:00` after a time. Returns how many words it is.
fn zone(items: &mut Items, word: &str, others: &[&str]) -> Option<usize> {
    let (value, rest, used) = signed(word, others)?;
    let digits = if used == 1 { word.len() - 1 - rest.len() } else { others[0].len() - rest.len() };
    let minutes = match (rest.strip_prefix(':'), digits) {
        (Some(minutes), 1..=2) if minutes.len() == 2 => {
            let minutes: i64 = minutes.parse().ok()?;
            value * SECONDS_PER_MINUTE + if word.starts_with('-') { -minutes } else { minutes }
        }
        (None, 1..=2) if rest.is_empty() => value * SECONDS_PER_MINUTE,
        (None, 3..=4) if rest.is_empty() => value / 100 * SECONDS_PER_MINUTE + value % 100,
        _ => return None,
    };
    set(&mut items.zone, minutes * SECONDS_PER_MINUTE)?;
    Some(used)
}

/// A date, or a number with its unit or month. Returns how many words it is.
fn number(items: &mut Items, word: &str, others: &[&str], now: DateTime<Utc>) -> Option<usize> {
    let slashed = || NaiveDate::parse_from_str(word, "%m/%d/%Y").ok();
    if let Some(date) = iso_date(word).or_else(slashed) {
        set(&mut items.date, date)?;
        return Some(1);
    }
    let (value, attached, used) = signed(word, others)?;
    let named = if attached.is_empty() { others.get(used - 1).copied() } else { Some(attached) };
    let used = if attached.is_empty() { used + 1 } else { used };
    if let Some(unit) = named.and_then(unit) {
        shift(items, value, unit)?;
        return Some(used);
    }
    if attached.is_empty() && word.len() == COMPACT_DATE_DIGITS {
        set(&mut items.date, NaiveDate::parse_from_str(word, "%Y%m%d").ok()?)?;
        return Some(1);
    }
    let month: Month = named?.parse().ok()?;
    let (year, more) = year_of(others.get(used - 1..)?, now);
    set(&mut items.date, day_of(year, month, value)?)?;
    Some(used + more)
}

/// A year of four digits, which may be absent, and how many words it is.
fn year_of(words: &[&str], now: DateTime<Utc>) -> (i32, usize) {
    let year = words.first().filter(|word| word.len() == 4).and_then(|word| word.parse().ok());
    year.map_or((now.year(), 0), |year| (year, 1))
}

fn day_of(year: i32, month: Month, day: i64) -> Option<NaiveDate> {
    NaiveDate::from_ymd_opt(year, month.number_from_month(), u32::try_from(day).ok()?)
}

/// A word without digits, and the words that belong to it. Returns how many words it is.
fn name(items: &mut Items, word: &str, others: &[&str], now: DateTime<Utc>) -> Option<usize> {
    let ahead = match word {
        "now" | "today" => return Some(1),
        "tomorrow" => return shift(items, 1, Unit::Days(1)).map(|()| 1),
        "yesterday" => return shift(items, -1, Unit::Days(1)).map(|()| 1),
        "utc" | "gmt" | "z" => return set(&mut items.zone, 0).map(|()| 1),
        "ago" => {
            let (amount, unit) = items.last.take()?;
            shift(items, amount.checked_mul(-2)?, unit)?;
            items.last = None;
            return Some(1);
        }
        "last" => -1,
        "this" => 0,
        "next" | "first" => 1,
        "third" => 3,
        _ => return single(items, word, others, now),
    };
    let named = others.first()?;
    if let Some(unit) = unit(named) {
        shift(items, ahead, unit)?;
    } else {
        set(&mut items.weekday, (ahead, named.parse().ok()?))?;
    }
    Some(2)
}

/// A unit, a day of the week, or a month with its day. Returns how many words it is.
fn single(items: &mut Items, word: &str, others: &[&str], now: DateTime<Utc>) -> Option<usize> {
    if let Some(unit) = unit(word) {
        return shift(items, 1, unit).map(|()| 1);
    }
    if let Ok(weekday) = word.parse() {
        return set(&mut items.weekday, (0, weekday)).map(|()| 1);
    }
    let month: Month = word.parse().ok()?;
    let day: i64 = others.first()?.parse().ok()?;
    let (year, more) = year_of(&others[1..], now);
    set(&mut items.date, day_of(year, month, day)?)?;
    Some(2 + more)
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word.strip_suffix('s').unwrap_or(word) {
        "sec" | "second" => Unit::Seconds(1),
        "min" | "minute" => Unit::Seconds(SECONDS_PER_MINUTE),
        "hour" => Unit::Seconds(SECONDS_PER_HOUR),
        "day" => Unit::Days(1),
        "week" => Unit::Days(DAYS_PER_WEEK),
        "fortnight" => Unit::Days(2 * DAYS_PER_WEEK),
        "month" => Unit::Months(1),
        "year" => Unit::Months(MONTHS_PER_YEAR),
        _ => return None,
    })
}

fn shift(items: &mut Items, amount: i64, unit: Unit) -> Option<()> {
    let (place, size) = match unit {
        Unit::Seconds(size) => (&mut items.seconds, size),
        Unit::Days(size) => (&mut items.days, size),
        Unit::Months(size) => (&mut items.months, size),
    };
    *place = place.checked_add(amount.checked_mul(size)?)?;
    items.last = Some((amount, unit));
    Some(())
}

fn moment(items: &Items, now: DateTime<Utc>, timezone: SandboxTimezone) -> Option<DateTime<Utc>> {
    let today = timezone.date_naive(&now)?;
    let is_shift_only = items.date.is_none() && items.weekday.is_none() && items.count > 0;
    let time = items.time.unwrap_or(if is_shift_only { now.time() } else { NaiveTime::MIN });
    let mut date = items.date.unwrap_or(today);
    if let (None, Some((ahead, weekday))) = (items.date, items.weekday) {
        let until = i64::from(weekday.days_since(date.weekday()));
        let weeks = if ahead > 0 && until > 0 { ahead - 1 } else { ahead };
        date = date.checked_add_signed(Duration::try_days(until + DAYS_PER_WEEK * weeks)?)?;
    }
    let date = add_months(date, items.months)?;
    let date = date.checked_add_signed(Duration::try_days(items.days)?)?;
    let local = date.and_time(time);
    let utc = match items.zone {
        Some(east) => local.checked_sub_signed(Duration::try_seconds(east)?)?.and_utc(),
        None => timezone.local_to_utc(local, "").ok()?,
    };
    utc.checked_add_signed(Duration::try_seconds(items.seconds)?)
}

/// A day that its month lacks is one of the next month: 31 January and a month are 2 or 3 March.
fn add_months(date: NaiveDate, months: i64) -> Option<NaiveDate> {
    let whole = i64::from(date.year()) * MONTHS_PER_YEAR + i64::from(date.month0());
    let whole = whole.checked_add(months)?;
    let year = i32::try_from(whole.div_euclid(MONTHS_PER_YEAR)).ok()?;
    let month = u32::try_from(whole.rem_euclid(MONTHS_PER_YEAR)).ok()? + 1;
    let first = NaiveDate::from_ymd_opt(year, month, 1)?;
    first.checked_add_signed(Duration::try_days(i64::from(date.day0()))?)
}
