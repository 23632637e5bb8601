# frozen_string_literal: true

# Arithmetic and comparison of BigDecimals.
# By hand: the gem's arithmetic is compiled C, which the engine does not have.
class BigDecimal
  include Comparable

  MIN_QUOTIENT_DIGITS = 32
  private_constant :MIN_QUOTIENT_DIGITS

  def +@ = self

  def -@
    return self if nan?
    BigDecimal.send(:new, -@sign, -@coefficient, @scale10)
  end

  def abs = minus? ? -self : self

  def +(other) = calculated(:+, other) { |number| sum(number) }
  def -(other) = calculated(:-, other) { |number| sum(-number) }
  def *(other) = calculated(:*, other) { |number| product(number) }
  def /(other) = calculated(:/, other) { |number| ratio(number, quotient_digits(number)) }
  alias quo /

  def add(other, digits) = limited(self + other, digits)
  def sub(other, digits) = limited(self - other, digits)
  def mult(other, digits) = limited(self * other, digits)

  # Without `digits` the floor of the quotient, an Integer; with `digits` a BigDecimal.
  def div(other, digits = nil)
    return calculated(:/, other) { |number| digits.zero? ? ratio(number, quotient_digits(number)) : ratio(number, digits) } if digits
    calculated(:div, other) do |number|
      divided(number).first.to_i
    end
  end

  def divmod(other) = calculated(:divmod, other) { |number| divided(number) }
  def %(other) = calculated(:%, other) { |number| divided(number).last }
  alias modulo %

  def remainder(other)
    calculated(:remainder, other) do |number|
      next BigDecimal::NAN if number.zero? || !finite? || !number.finite?
      rest = abs.modulo(number.abs)
      minus? ? -rest : rest
    end
  end

  def **(other) = power(other)

  # To a power, with a number of significant digits.
  def power(other, digits = nil)
    raise TypeError, "wrong argument type #{other.class} (expected scalar Numeric)" unless Numeric === other && other.real?
    return BigDecimal::NAN if nan?
    whole = other.to_i
    return root_power(other, digits || 0) unless other == whole
    return limited(BigDecimal(1), 0) if whole.zero?
    return whole.positive? ? infinite_power(whole) : BigDecimal.send(:zero) if infinite?
    return zero_power(whole) if zero?
    return limited(BigDecimal.send(:of, coefficient**whole, scale10 * whole), digits || 0) if whole.positive?
    wanted = digits.to_i.positive? ? digits : [n_significant_digits * -whole, MIN_QUOTIENT_DIGITS].max
    limited(BigDecimal(1).div(power(-whole), wanted), digits || 0)
  end

  # With at least so many digits.
  def sqrt(digits = 0)
    raise FloatDomainError, "sqrt of 'NaN'(Not a Number)" if nan?
    raise FloatDomainError, "sqrt of negative value" if minus? && !zero?
    raise ArgumentError, "negative precision" if digits.negative?
    return self if zero? || infinite?
    wanted = [digits, n_significant_digits, DOUBLE_FIG].max + 2
    shift = [2 * wanted - n_significant_digits, 0].max
    shift += 1 if (scale10 - shift).odd?
    BigDecimal.send(:of, Integer.sqrt(coefficient * 10**shift), (scale10 - shift) / 2, wanted)
  end

  def <=>(other)
    number = Numeric === other ? comparable(other) : nil
    return compared_by_coercion(other) if number.nil?
    return nil if nan? || number.nan?
    return rank <=> number.rank unless finite? && number.finite?
    shift = [scale10, number.scale10].min
    coefficient * 10**(scale10 - shift) <=> number.coefficient * 10**(number.scale10 - shift)
  end

  def ==(other)
    return !nan? && (self <=> other) == 0 if Numeric === other
    other.nil? || String === other ? false : super
  end
  alias === ==
  alias eql? ==

  %i[< <= > >=].each do |operator|
    define_method(operator) do |other|
      order = self <=> other
      return order.public_send(operator, 0) if order
      number = Numeric === other && comparable(other)
      return false if number && (nan? || number.nan?)
      shown = other.nil? || other == true || other == false || Float === other ? other.inspect : other.class
      raise ArgumentError, "comparison of BigDecimal with #{shown} failed"
    end
  end

  def coerce(other)
    return [BigDecimal.send(:convert, other, quotient_digits(self)), self] if Rational === other
    [BigDecimal.send(:convert, other, 0), self]
  end

  protected

  # Orders numbers that are not finite.
  def rank = infinite? || 0

  private

  # Applies an operator to a number of any kind.
  def calculated(operator, other)
    number = operand(other)
    if number.nil?
      raise TypeError, "#{other.nil? ? "nil" : other.class} can't be coerced into BigDecimal" unless other.respond_to?(:coerce)
      left, right = other.coerce(self)
      return left.public_send(operator, right)
    end
    result = yield(number)
    BigDecimal === result ? limited(result, 0) : result
  end

  def operand(other)
    case other
    when BigDecimal then other
    when Integer, Float then BigDecimal.send(:convert, other, 0)
    when Rational then BigDecimal.send(:convert, other, quotient_digits(self))
    end
  end

  # A non-terminating fraction is compared to as many digits as this number has.
  def comparable(other)
    return BigDecimal.send(:convert, other, [precision + scale, MIN_QUOTIENT_DIGITS].max * 2) if Rational === other
    operand(other)
  end

  def compared_by_coercion(other)
    return nil unless other.respond_to?(:coerce) && !(Numeric === other)
    left, right = other.coerce(self)
    left <=> right
  end

  def limited(number, digits)
    bound = BigDecimal.limit
    digits = bound if bound.positive? && (digits.zero? || digits > bound)
    return number if digits.zero? || !number.finite? || number.zero?
    BigDecimal.send(:of, number.coefficient, number.scale10, digits)
  end

  def quotient_digits(other)
    [MIN_QUOTIENT_DIGITS, n_significant_digits, other.n_significant_digits].max
  end

  def sum(other)
    return BigDecimal::NAN if nan? || other.nan? || infinite? && other.infinite? && sign != other.sign
    return self if infinite? || other.zero? && !zero?
    return other if other.infinite? || zero? && !other.zero?
    return BigDecimal.send(:zero, minus? && other.minus?) if zero?
    shift = [scale10, other.scale10].min
    total = coefficient * 10**(scale10 - shift) + other.coefficient * 10**(other.scale10 - shift)
    BigDecimal.send(:of, total, shift)
  end

  def product(other)
    return BigDecimal::NAN if nan? || other.nan? || infinite? && other.zero? || zero? && other.infinite?
    negative = minus? != other.minus?
    return BigDecimal.send(:infinity, negative) if infinite? || other.infinite?
    return BigDecimal.send(:zero, negative) if zero? || other.zero?
    BigDecimal.send(:of, coefficient * other.coefficient, scale10 + other.scale10)
  end

  def ratio(other, digits)
    return BigDecimal::NAN if nan? || other.nan? || infinite? && other.infinite?
    negative = minus? != other.minus?
    return by_zero(negative) if other.zero?
    return BigDecimal.send(:infinity, negative) if infinite?
    return BigDecimal.send(:zero, negative) if zero? || other.infinite?
    shift = [digits + other.n_significant_digits - n_significant_digits + 1, 0].max
    whole, rest = (coefficient.abs * 10**shift).divmod(other.coefficient.abs)
    scale = scale10 - other.scale10 - shift
    unless rest.zero? # so that the digits that were cut can decide the rounding
      whole = whole * 10 + 1
      scale -= 1
    end
    BigDecimal.send(:of, negative ? -whole : whole, scale, digits)
  end

  def by_zero(negative)
    raise ZeroDivisionError, "divided by 0" if BigDecimal.mode(EXCEPTION_ALL) & EXCEPTION_ZERODIVIDE != 0
    zero? ? BigDecimal::NAN : BigDecimal.send(:infinity, negative)
  end

  # The floor of the quotient, and the remainder.
  def divided(other)
    return [BigDecimal::NAN, BigDecimal::NAN] if nan? || other.nan? || infinite? && other.infinite?
    raise ZeroDivisionError, "divided by 0" if other.zero?
    return [BigDecimal.send(:infinity, minus? != other.minus?), BigDecimal::NAN] if infinite?
    return [BigDecimal(0), self] if other.infinite?
    shift = [scale10, other.scale10].min
    whole, rest = (coefficient * 10**(scale10 - shift)).divmod(other.coefficient * 10**(other.scale10 - shift))
    [BigDecimal.send(:of, whole, 0), BigDecimal.send(:of, rest, shift)]
  end

  def infinite_power(whole) = BigDecimal.send(:infinity, minus? && whole.odd?)

  def zero_power(whole)
    negative = minus? && whole.odd?
    whole.positive? ? BigDecimal.send(:zero, negative) : BigDecimal.send(:infinity, negative)
  end

  def root_power(other, digits)
    raise Math::DomainError, "a non-integral exponent for a negative base" if minus? && !zero?
    return other.negative? ? BigDecimal.send(:infinity, false) : self if zero? || infinite?
    wanted = digits.positive? ? digits : [n_significant_digits, DOUBLE_FIG].max
    return limited(sqrt(wanted), wanted) if other == 0.5
    require "bigdecimal/math"
    power = Rational === other ? BigDecimal(other, wanted + 5) : BigDecimal(other, 0)
    limited(BigMath.exp(BigMath.log(self, wanted + 5) * power, wanted + 5), wanted)
  end
end
