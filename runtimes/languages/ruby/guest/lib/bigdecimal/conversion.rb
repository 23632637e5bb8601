# frozen_string_literal: true

# BigDecimals as text and as other numbers.
# By hand: the gem's conversions are compiled C, which the engine does not have.
class BigDecimal
  # "F" for plain digits, else with an exponent; a number before it parts the digits in groups,
  # "+" or a space shows the sign of positive numbers.
  def to_s(format = nil)
    format = format.to_s
    sign = minus? ? "-" : format[/\A[+ ]/] || ""
    return "NaN" if nan?
    return "#{sign}Infinity" if infinite?
    return "#{sign}0.0" if zero?
    group = format[/\d+/].to_i
    "#{sign}#{format.match?(/f/i) ? plain(group) : scientific(group)}"
  end
  alias inspect to_s

  def to_i
    check_finite
    return 0 if zero?
    return coefficient * 10**scale10 if scale10 >= 0
    whole = coefficient.abs / 10**-scale10
    minus? ? -whole : whole
  end
  alias to_int to_i

  def to_r
    check_finite
    scale10 >= 0 ? Rational(coefficient * 10**scale10) : Rational(coefficient, 10**-scale10)
  end

  def to_f
    return Float::NAN if nan?
    return infinite? * Float::INFINITY if infinite?
    return minus? ? -0.0 : 0.0 if zero?
    return minus? ? -Float::INFINITY : Float::INFINITY if exponent > 400
    return minus? ? -0.0 : 0.0 if exponent < -400
    "#{coefficient}e#{scale10}".to_f
  end

  private

  def check_finite
    raise FloatDomainError, "Computation results in 'NaN' (Not a Number)" if nan?
    raise FloatDomainError, "Computation results in '#{"-" if minus?}Infinity'" if infinite?
  end

  def scientific(group)
    "0.#{grouped(coefficient.abs.to_s, group)}e#{exponent}"
  end

  def plain(group)
    digits = coefficient.abs.to_s
    return "#{grouped(digits + "0" * scale10, group)}.0" if scale10 >= 0
    digits = digits.rjust(1 - scale10, "0")
    "#{grouped(digits[0...scale10], group)}.#{grouped(digits[scale10..], group)}"
  end

  def grouped(digits, size) = size.zero? ? digits : digits.scan(/.{1,#{size}}/).join(" ")
end
