# frozen_string_literal: true

# By hand: version 4 of the gem is not in the engine, and version 3 gives other digits.

require "bigdecimal"

# Functions of BigDecimals to a wanted number of significant digits.
module BigMath
  module_function

  GUARD_DIGITS = 8
  private_constant :GUARD_DIGITS

  def sqrt(x, precision) = BigDecimal(x, 0).sqrt(precision)

  # Machin's formula.
  def PI(precision)
    check(precision)
    digits = precision + GUARD_DIGITS
    unit = 10**digits
    scaled(4 * (4 * inverse_tangent(5, unit) - inverse_tangent(239, unit)), digits, precision)
  end

  def E(precision) = exp(BigDecimal(1), precision)

  def exp(x, precision)
    check(precision)
    x = BigDecimal(x, 0)
    return x if x.nan? || x.infinite? && x.positive?
    return BigDecimal(0) if x.infinite?
    return BigDecimal(1) if x.zero?
    halvings = [x.exponent * 4, 0].max + 8
    digits = precision + GUARD_DIGITS + halvings
    small = fixed(x, digits) / 2**halvings
    halvings.times.inject(exponential_series(small, 10**digits)) { |sum, _| sum * sum / 10**digits }
      .then { |sum| scaled(sum, digits, precision) }
  rescue FloatDomainError
    BigDecimal::NAN
  end

  def log(x, precision)
    check(precision)
    x = BigDecimal(x, 0)
    raise Math::DomainError, "Zero or negative argument for log" if !x.nan? && (x.zero? || x.negative?)
    return x if x.nan? || x.infinite?
    return BigDecimal(0) if x == 1
    digits = precision + GUARD_DIGITS * 2
    unit = 10**digits
    mantissa = fixed(x.mult(BigDecimal("1e#{-x.exponent}"), 0), digits) # 0.1 up to 1
    result = logarithm_series(mantissa, unit) + x.exponent * logarithm_series(10 * unit, unit)
    scaled(result, digits, precision)
  end

  def sin(x, precision) = circular(x, precision, 1)
  def cos(x, precision) = circular(x, precision, 0)
  def tan(x, precision) = sin(x, precision + GUARD_DIGITS).div(cos(x, precision + GUARD_DIGITS), precision)

  def atan(x, precision)
    check(precision)
    x = BigDecimal(x, 0)
    return x if x.nan? || x.zero?
    return -atan(-x, precision) if x.negative?
    digits = precision + GUARD_DIGITS
    half = PI(digits).div(2, digits)
    return half.round(precision) if x.infinite?
    return (half - atan(BigDecimal(1).div(x, digits), digits)).mult(1, precision) if x > 1
    # Twice the angle of half the tangent, until the series is quick.
    3.times { x = x.div(BigDecimal(1) + (BigDecimal(1) + x * x).sqrt(digits), digits) }
    scaled(8 * tangent_series(fixed(x, digits), 10**digits), digits, precision)
  end

  def check(precision)
    raise ArgumentError, "Zero or negative precision for BigMath" unless precision.positive?
  end

  def fixed(x, digits) = (x * BigDecimal("1e#{digits}")).to_i

  def scaled(whole, digits, precision) = (BigDecimal(whole) * BigDecimal("1e-#{digits}")).mult(1, precision)

  def inverse_tangent(x, unit)
    sum = term = unit / x
    (3..).step(2) do |n|
      term = -term / (x * x)
      return sum if term.abs < n
      sum += term / n
    end
  end

  def tangent_series(x, unit)
    sum = term = x
    (3..).step(2) do |n|
      term = -(term * x / unit * x / unit)
      return sum if term.abs < n
      sum += term / n
    end
  end

  def exponential_series(x, unit)
    sum = term = unit
    (1..).each do |n|
      term = term * x / unit / n
      return sum if term.zero? || term == -1
      sum += term
    end
  end

  # Twice the area tangent of (x - 1) / (x + 1), after roots have brought x near 1.
  def logarithm_series(x, unit)
    roots = 0
    while (x - unit).abs * 10 > unit
      x = Integer.sqrt(x * unit)
      roots += 1
    end
    term = sum = (x - unit) * unit / (x + unit)
    square = term * term / unit
    (3..).step(2) do |n|
      term = term * square / unit
      break if term.abs < n
      sum += term / n
    end
    sum * 2 * 2**roots
  end

  def circular(x, precision, first)
    check(precision)
    x = BigDecimal(x, 0)
    return BigDecimal::NAN unless x.finite?
    digits = precision + GUARD_DIGITS + [x.exponent, 0].max
    turn = 2 * PI(digits)
    x = x.remainder(turn) if x.abs > turn
    value = fixed(x, digits)
    unit = 10**digits
    sum = term = first.zero? ? unit : value
    ((first + 2)..).step(2) do |n|
      term = -(term * value / unit * value / unit / (n * (n - 1)))
      break if term.abs <= 1
      sum += term
    end
    scaled(sum, digits, precision)
  end

  private_class_method :check, :fixed, :scaled, :inverse_tangent, :tangent_series, :exponential_series,
                       :logarithm_series, :circular
end
