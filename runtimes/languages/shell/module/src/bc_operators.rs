//! The operators of `bc`, and their errors.

use std::cmp::Ordering;

use crate::bc_number::Number;

/// The rest of the line is not run.
pub struct RuntimeError(pub String);
pub type Run<T> = Result<T, RuntimeError>;

pub fn failed<T>(reason: &str) -> Run<T> {
    Err(RuntimeError(reason.to_owned()))
}

/// The value of two numbers and an operator. `scale` bounds the digits of products and quotients.
pub fn combined(operator: &str, left: &Number, right: &Number, scale: usize) -> Run<Number> {
    let order = || left.compare(right);
    let result = match operator {
        "+" => left.add(right),
        "-" => left.subtract(right),
        "*" => left.multiply(right, scale),
        "/" => match left.divide(right, scale) {
            Some(value) => value,
            None => return failed("Divide by zero"),
        },
        "%" => match left.remainder(right, scale) {
            Some(value) => value,
            None => return failed("Modulo by zero"),
        },
        "^" => return power(left, right, scale),
        "==" => Number::truth(order() == Ordering::Equal),
        "!=" => Number::truth(order() != Ordering::Equal),
        "<" => Number::truth(order() == Ordering::Less),
        ">" => Number::truth(order() == Ordering::Greater),
        "<=" => Number::truth(order() != Ordering::Greater),
        ">=" => Number::truth(order() != Ordering::Less),
        _ => Number::truth(!right.is_zero()),
    };
    Ok(result)
}

fn power(base: &Number, exponent: &Number, scale: usize) -> Run<Number> {
    let Some(times) = exponent.to_integer() else { return failed("exponent too large in raise") };
    if times < 0 && base.is_zero() {
        return failed("Divide by zero");
    }
    match base.power(times, scale) {
        Some(value) => Ok(value),
        None => failed("exponent too large in raise"),
    }
}
