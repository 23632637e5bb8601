//! The functions of `bc -l`, computed with more digits than asked for.

use crate::bc_number::Number;

/// Further digits, so that those asked for are exact.
const GUARD: usize = 10;

fn one() -> Number {
    Number::integer(1)
}

fn quotient(left: &Number, right: &Number, scale: usize) -> Number {
    left.divide(right, scale).unwrap_or_else(|| Number::integer(0))
}

/// Digits of the integer part.
fn whole_digits(value: &Number) -> usize {
    value.with_scale(0).length()
}

/// Adds terms, beginning with `first`, until they are 0. `next` makes the term after one from it and
/// its number, from 1 on.
fn series(first: Number, next: impl Fn(&Number, i64) -> Number) -> Number {
    let (mut sum, mut term, mut index) = (first.clone(), first, 0);
    loop {
        index += 1;
        term = next(&term, index);
        if term.is_zero() {
            return sum;
        }
        sum = sum.add(&term);
    }
}

/// e to the power of a number.
pub fn exponential(value: &Number, scale: usize) -> Number {
    if value.is_negative() {
        let inverse = exponential(&value.negated(), scale + GUARD);
        return quotient(&one(), &inverse, scale);
    }
    // The result has about 0.4343 digits for each unit of the exponent.
    let units = usize::try_from(value.to_integer().unwrap_or(i64::MAX / 2)).unwrap_or(usize::MAX / 2);
    let work = scale + units / 2 + 2 * GUARD;
    let mut halvings = 0;
    let mut reduced = value.with_scale(work.max(value.scale()));
    while reduced.compare(&quotient(&one(), &Number::integer(8), 3)).is_gt() {
        reduced = quotient(&reduced, &Number::integer(2), reduced.scale() + 1);
        halvings += 1;
    }
    let work = work + halvings;
    let reduced = reduced.with_scale(work);
    let mut result = series(one().with_scale(work), |term, index| {
        quotient(&term.multiply(&reduced, work).with_scale(work), &Number::integer(index), work)
    });
    for _ in 0..halvings {
        result = result.multiply(&result, work).with_scale(work);
    }
    result.with_scale(scale)
}

/// The natural logarithm. Without one, the negative number of `scale` nines.
pub fn logarithm(value: &Number, scale: usize) -> Number {
    if value.is_zero() || value.is_negative() {
        let nines = Number::integer(10).power(scale as i64, 0).unwrap_or_else(one);
        return one().subtract(&nines).with_scale(scale);
    }
    let work = scale + whole_digits(value) + 2 * GUARD;
    let (low, high) = (Number::parse(".9", 10), Number::parse("1.1", 10));
    let mut doublings = 0;
    let mut near = value.with_scale(work.max(value.scale() + work));
    while near.compare(&low).is_lt() || near.compare(&high).is_gt() {
        near = near.root(near.scale()).unwrap_or_else(one);
        doublings += 1;
    }
    let work = near.scale();
    // ln x = 2 (y + y^3/3 + y^5/5 + …) with y = (x - 1) / (x + 1).
    let y = quotient(&near.subtract(&one()), &near.add(&one()), work);
    let sum = odd_series(&y, &y.multiply(&y, work).with_scale(work), work);
    let factor = Number::integer(2).power(doublings + 1, 0).unwrap_or_else(one);
    sum.multiply(&factor, work).with_scale(scale)
}

/// y + y·s/3 + y·s²/5 + …
fn odd_series(y: &Number, s: &Number, work: usize) -> Number {
    let (mut sum, mut power, mut divisor) = (y.clone(), y.clone(), 1);
    loop {
        divisor += 2;
        power = power.multiply(s, work).with_scale(work);
        let term = quotient(&power, &Number::integer(divisor), work);
        if term.is_zero() {
            return sum;
        }
        sum = sum.add(&term);
    }
}

/// The angle of a tangent.
pub fn arctangent(value: &Number, scale: usize) -> Number {
    let mut work = scale + whole_digits(value) + 2 * GUARD;
    let mut reduced = value.with_scale(work);
    let limit = Number::parse(".2", 10);
    let mut doublings = 0;
    while reduced.compare(&limit).is_gt() || reduced.compare(&limit.negated()).is_lt() {
        let square = reduced.multiply(&reduced, work).with_scale(work);
        let root = square.add(&one()).root(work).unwrap_or_else(one);
        work += 1;
        reduced = quotient(&reduced, &root.add(&one()), work);
        doublings += 1;
    }
    let square = reduced.multiply(&reduced, work).with_scale(work);
    let sum = odd_series(&reduced, &square.negated(), work);
    let factor = Number::integer(2).power(doublings, 0).unwrap_or_else(one);
    sum.multiply(&factor, work).with_scale(scale)
}

pub fn sine(value: &Number, scale: usize) -> Number {
    let work = scale + whole_digits(value) + 2 * GUARD;
    let turn = arctangent(&one(), 2 * work).multiply(&Number::integer(8), 2 * work);
    let reduced = value.with_scale(2 * work).remainder(&turn, 0);
    let reduced = reduced.unwrap_or_else(|| Number::integer(0)).with_scale(work);
    let square = reduced.multiply(&reduced, work).with_scale(work).negated();
    series(reduced, |term, index| {
        let divisor = Number::integer(2 * index * (2 * index + 1));
        quotient(&term.multiply(&square, work).with_scale(work), &divisor, work)
    })
    .with_scale(scale)
}

pub fn cosine(value: &Number, scale: usize) -> Number {
    let work = scale + whole_digits(value) + 2 * GUARD;
    let quarter = arctangent(&one(), 2 * work).multiply(&Number::integer(2), 2 * work);
    let shifted = sine(&value.add(&quarter), work);
    round_away_noise(&shifted, scale, work)
}

/// Bessel's function of an integer order.
pub fn bessel(order: &Number, value: &Number, scale: usize) -> Number {
    let order = order.to_integer().unwrap_or(0);
    let size = usize::try_from(value.to_integer().unwrap_or(0).unsigned_abs()).unwrap_or(0);
    let work = scale + size + order.unsigned_abs() as usize + 2 * GUARD;
    let half = quotient(&value.with_scale(work), &Number::integer(2), work);
    let n = order.abs();
    let mut first = one().with_scale(work);
    for index in 1..=n {
        first = quotient(&first.multiply(&half, work).with_scale(work), &Number::integer(index), work);
    }
    let square = half.multiply(&half, work).with_scale(work).negated();
    let sum = series(first, |term, index| {
        let divisor = Number::integer(index * (index + n));
        quotient(&term.multiply(&square, work).with_scale(work), &divisor, work)
    });
    let sum = if order < 0 && n % 2 == 1 { sum.negated() } else { sum };
    sum.with_scale(scale)
}

/// A value that is within the guard digits of a number of `scale` digits is that number: a cosine of 0
/// is 1, not 0.99.
fn round_away_noise(value: &Number, scale: usize, work: usize) -> Number {
    let noise = quotient(&one(), &Number::integer(10).power((work - 3) as i64, 0).unwrap_or_else(one), work);
    let nudged = if value.is_negative() { value.subtract(&noise) } else { value.add(&noise) };
    nudged.with_scale(scale)
}
