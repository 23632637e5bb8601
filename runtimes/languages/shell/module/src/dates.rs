//! Times of files in the forms of `ls`, in UTC.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 86_400;
/// Half a year, after which `ls` writes the year instead of the time.
const HALF_YEAR: u64 = 15_778_476;
const MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// Year, month from 1, and day of a number of days since 1970.
fn date(days: u64) -> (u64, usize, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    (year_of_era + era * 400 + u64::from(month <= 2), month as usize, day)
}

fn clock(seconds: u64) -> (u64, u64, u64) {
    let rest = seconds % DAY;
    (rest / 3600, rest / 60 % 60, rest % 60)
}

/// `Nov 28 01:46`, or `Nov 28  2025` for a time that is not of the last half year.
pub fn recent_or_year(time: Duration) -> String {
    let seconds = time.as_secs();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (year, month, day) = date(seconds / DAY);
    let name = MONTHS[month - 1];
    if seconds > now || now - seconds > HALF_YEAR {
        return format!("{name} {day:>2}  {year}");
    }
    let (hour, minute, _) = clock(seconds);
    format!("{name} {day:>2} {hour:02}:{minute:02}")
}

/// `2026-11-28 01:46`.
pub fn long_iso(time: Duration) -> String {
    let seconds = time.as_secs();
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, _) = clock(seconds);
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}")
}

/// `2026-11-28 01:46:12.000000000 +0000`.
pub fn full_iso(time: Duration) -> String {
    let seconds = time.as_secs();
    let (year, month, day) = date(seconds / DAY);
    let (hour, minute, second) = clock(seconds);
    let fraction = time.subsec_nanos();
    format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{fraction:09} +0000")
}
