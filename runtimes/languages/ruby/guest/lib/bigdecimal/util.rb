# frozen_string_literal: true

# By hand: version 4 of the gem is not in the engine; version 3 refuses a Rational without a
# precision, and its to_digits loses the sign of -0.5.

require "bigdecimal"

class Integer
  def to_d = BigDecimal(self)
end

class Float
  def to_d(precision = 0) = BigDecimal(self, precision)
end

class String
  def to_d = BigDecimal.interpret_loosely(self)
end

class Rational
  def to_d(precision = 0)
    raise ArgumentError, "negative precision" if precision.negative?
    BigDecimal(self, precision.zero? ? 32 : precision)
  end
end

class Complex
  def to_d(precision = 0)
    raise RangeError, "can't convert #{self} into BigDecimal" unless imaginary == 0
    Rational === real ? real.to_d(precision) : BigDecimal(real, precision)
  end
end

class NilClass
  def to_d = BigDecimal(0)
end

class BigDecimal
  def to_d = self

  # Plain digits, as a person writes them.
  def to_digits = to_s("F")
end
