//! Decimal numbers of `bc`: an integer of any size and the number of its digits after the point.

use std::cmp::Ordering;

use num_bigint::BigInt;
use num_bigint::Sign;

/// The value is `digits` divided by 10 to the power of `scale`.
#[derive(Clone, Debug)]
pub struct Number {
    digits: BigInt,
    scale: usize,
}

/// Bits of the largest power that is computed.
const MAX_POWER_BITS: u64 = 1 << 26;

fn ten_to(power: usize) -> BigInt {
    BigInt::from(10).pow(power as u32)
}

impl Number {
    pub fn integer(value: i64) -> Number {
        Number { digits: BigInt::from(value), scale: 0 }
    }

    pub fn truth(value: bool) -> Number {
        Number::integer(i64::from(value))
    }

    /// Reads digits with at most one point. A lone digit has its own value, whatever the base is.
    pub fn parse(text: &str, base: u32) -> Number {
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        if base == 10 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
            let digits = BigInt::parse_bytes(format!("0{whole}{fraction}").as_bytes(), 10);
            return Number { digits: digits.unwrap_or_default(), scale: fraction.len() };
        }
        let highest = if text.len() == 1 { 35 } else { base - 1 };
        let read = |part: &str| {
            part.chars().fold(BigInt::default(), |sum, digit| {
                sum * base + digit.to_digit(36).unwrap_or(0).min(highest)
            })
        };
        let divisor = BigInt::from(base).pow(fraction.len() as u32);
        let fraction_digits = read(fraction) * ten_to(fraction.len()) / divisor;
        Number { digits: read(whole) * ten_to(fraction.len()) + fraction_digits, scale: fraction.len() }
    }

    pub fn scale(&self) -> usize {
        self.scale
    }

    /// The number of its digits: those of the integer part, unless it is 0, and those after the point.
    pub fn length(&self) -> usize {
        let whole = self.whole();
        let count = if whole.sign() == Sign::NoSign { 0 } else { whole.magnitude().to_string().len() };
        (count + self.scale).max(1)
    }

    pub fn is_zero(&self) -> bool {
        self.digits.sign() == Sign::NoSign
    }

    pub fn is_negative(&self) -> bool {
        self.digits.sign() == Sign::Minus
    }

    fn whole(&self) -> BigInt {
        &self.digits / ten_to(self.scale)
    }

    /// The integer part, if it fits.
    pub fn to_integer(&self) -> Option<i64> {
        i64::try_from(self.whole()).ok()
    }

    /// The same value with another number of digits after the point; digits beyond them are lost.
    pub fn with_scale(&self, scale: usize) -> Number {
        let digits = match scale.cmp(&self.scale) {
            Ordering::Less => &self.digits / ten_to(self.scale - scale),
            Ordering::Equal => self.digits.clone(),
            Ordering::Greater => &self.digits * ten_to(scale - self.scale),
        };
        Number { digits, scale }
    }

    pub fn negated(&self) -> Number {
        Number { digits: -&self.digits, scale: self.scale }
    }

    pub fn compare(&self, other: &Number) -> Ordering {
        let scale = self.scale.max(other.scale);
        self.with_scale(scale).digits.cmp(&other.with_scale(scale).digits)
    }

    pub fn add(&self, other: &Number) -> Number {
        let scale = self.scale.max(other.scale);
        Number { digits: self.with_scale(scale).digits + other.with_scale(scale).digits, scale }
    }

    pub fn subtract(&self, other: &Number) -> Number {
        self.add(&other.negated())
    }

    pub fn multiply(&self, other: &Number, scale: usize) -> Number {
        let product =
            Number { digits: &self.digits * &other.digits, scale: self.scale + other.scale };
        product.with_scale(product.scale.min(scale.max(self.scale).max(other.scale)))
    }

    /// The quotient with that many digits after the point; undefined for a divisor of 0.
    pub fn divide(&self, divisor: &Number, scale: usize) -> Option<Number> {
        if divisor.is_zero() {
            return None;
        }
        let digits = self.with_scale(scale + self.scale + divisor.scale).digits * ten_to(divisor.scale)
            / (&divisor.digits * ten_to(self.scale + divisor.scale));
        Some(Number { digits, scale })
    }

    /// What is left of a division with `scale` digits.
    pub fn remainder(&self, divisor: &Number, scale: usize) -> Option<Number> {
        let quotient = self.divide(divisor, scale)?;
        let kept = self.scale.max(scale + divisor.scale);
        Some(self.subtract(&quotient.multiply(divisor, kept)).with_scale(kept))
    }

    /// The power with an integer exponent; undefined for one that is too large, and for 0 to a negative
    /// power.
    pub fn power(&self, exponent: i64, scale: usize) -> Option<Number> {
        if exponent == 0 {
            return Some(Number::integer(1));
        }
        let times = u32::try_from(exponent.unsigned_abs()).ok()?;
        if self.digits.bits().checked_mul(u64::from(times))? > MAX_POWER_BITS {
            return None;
        }
        let exact = Number { digits: self.digits.pow(times), scale: self.scale * times as usize };
        if exponent < 0 {
            return Number::integer(1).divide(&exact, scale);
        }
        Some(exact.with_scale(exact.scale.min(scale.max(self.scale))))
    }

    /// The square root; undefined for a negative number.
    pub fn root(&self, scale: usize) -> Option<Number> {
        if self.is_negative() {
            return None;
        }
        let scale = scale.max(self.scale);
        Some(Number { digits: self.with_scale(2 * scale).digits.sqrt(), scale })
    }

    /// The digits in a base from 2 on. From base 17 on, each digit is a decimal number after a space.
    pub fn text(&self, base: i64) -> String {
        if self.is_zero() {
            return "0".to_owned();
        }
        let sign = if self.is_negative() { "-" } else { "" };
        let magnitude = BigInt::from(self.digits.magnitude().clone());
        let (whole, fraction) = (&magnitude / ten_to(self.scale), &magnitude % ten_to(self.scale));
        let whole_text = match base {
            _ if whole.sign() == Sign::NoSign => String::new(),
            2..=16 => whole.to_str_radix(base as u32).to_uppercase(),
            _ => large_digits(&whole, base),
        };
        if self.scale == 0 {
            return format!("{sign}{whole_text}");
        }
        let fraction_text = if base == 10 {
            format!("{:0>width$}", fraction.to_string(), width = self.scale)
        } else {
            fraction_digits(fraction, self.scale, base)
        };
        format!("{sign}{whole_text}.{fraction_text}")
    }
}

/// One digit of a base: a character up to base 16, else a number of the width of the largest one.
fn digit_text(digit: i64, base: i64, spaced: bool) -> String {
    if base <= 16 {
        return char::from_digit(digit as u32, 16).unwrap_or('0').to_ascii_uppercase().to_string();
    }
    let width = (base - 1).to_string().len();
    format!("{}{digit:0width$}", if spaced { " " } else { "" })
}

fn large_digits(whole: &BigInt, base: i64) -> String {
    let (mut rest, mut digits) = (whole.clone(), Vec::new());
    while rest.sign() != Sign::NoSign {
        digits.push(i64::try_from(&rest % base).unwrap_or(0));
        rest /= base;
    }
    digits.iter().rev().map(|&digit| digit_text(digit, base, true)).collect()
}

/// As many digits as are needed for those of the decimal fraction.
fn fraction_digits(fraction: BigInt, scale: usize, base: i64) -> String {
    let unit = ten_to(scale);
    let (mut rest, mut reached, mut text) = (fraction, BigInt::from(1), String::new());
    while reached.to_string().len() <= scale {
        rest *= base;
        let digit = i64::try_from(&rest / &unit).unwrap_or(0);
        text += &digit_text(digit, base, !text.is_empty());
        rest %= &unit;
        reached *= base;
    }
    text
}
