//! Sizes as GNU's programs write them with `-h`.

const UNITS: [&str; 5] = ["K", "M", "G", "T", "P"];

/// A number of bytes in powers of 1,024, rounded up, with one digit after the point below 10.
pub fn human(bytes: u64) -> String {
    if bytes < 1024 {
        return bytes.to_string();
    }
    let mut divisor = 1u128;
    for unit in UNITS {
        divisor *= 1024;
        let tenths = (u128::from(bytes) * 10).div_ceil(divisor);
        if tenths < 100 {
            return format!("{}.{}{unit}", tenths / 10, tenths % 10);
        }
        let whole = u128::from(bytes).div_ceil(divisor);
        if whole < 1024 {
            return format!("{whole}{unit}");
        }
    }
    format!("{}E", u128::from(bytes).div_ceil(divisor * 1024))
}
