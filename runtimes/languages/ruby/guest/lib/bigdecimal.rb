# frozen_string_literal: true

# BigDecimal in pure Ruby, because the extension of that name needs a C compiler: numbers with as
# many decimal digits as they need. A finite number is an Integer without trailing zeros times a
# power of ten. An inexact quotient is cut after 32 significant digits, or as many as the longer
# operand has, as in version 4 of the gem. By hand: the gem's arithmetic is compiled C, which the
# engine does not have.
class BigDecimal < Numeric
  VERSION = "4.0.0"
  BASE = 1_000_000_000

  EXCEPTION_ALL = 255
  EXCEPTION_INFINITY = 1
  EXCEPTION_OVERFLOW = 1
  EXCEPTION_NaN = 2
  EXCEPTION_UNDERFLOW = 4
  EXCEPTION_ZERODIVIDE = 16

  SIGN_NaN = 0
  SIGN_POSITIVE_ZERO = 1
  SIGN_NEGATIVE_ZERO = -1
  SIGN_POSITIVE_FINITE = 2
  SIGN_NEGATIVE_FINITE = -2
  SIGN_POSITIVE_INFINITE = 3
  SIGN_NEGATIVE_INFINITE = -3

  DOUBLE_FIG = 16
  private_constant :DOUBLE_FIG

  # `kind` is one of the SIGN constants. The `coefficient` of a finite number also holds its sign.
  attr_reader :coefficient, :scale10, :sign
  protected :coefficient, :scale10

  def initialize(kind, coefficient = 0, scale10 = 0)
    super()
    @sign = kind
    @coefficient = coefficient
    @scale10 = scale10
    freeze
  end

  class << self
    undef_method :allocate
    private :new

    def double_fig = DOUBLE_FIG

    # A finite number from an Integer and a power of ten, rounded to a number of digits.
    def of(coefficient, scale10, digits = 0, mode = nil)
      return zero if coefficient.zero?
      coefficient, scale10 = cut(coefficient, scale10, digits, mode) if digits.positive?
      while (coefficient % 1_000_000_000).zero?
        coefficient /= 1_000_000_000
        scale10 += 9
      end
      while (coefficient % 10).zero?
        coefficient /= 10
        scale10 += 1
      end
      new(coefficient.negative? ? SIGN_NEGATIVE_FINITE : SIGN_POSITIVE_FINITE, coefficient, scale10)
    end

    def zero(negative = false) = new(negative ? SIGN_NEGATIVE_ZERO : SIGN_POSITIVE_ZERO)

    def infinity(negative) = new(negative ? SIGN_NEGATIVE_INFINITE : SIGN_POSITIVE_INFINITE)

    def nan = new(SIGN_NaN)

    # Implements the function BigDecimal().
    def convert(value, digits)
      case value
      when BigDecimal then digits.zero? ? value : value.mult(1, digits)
      when Integer then of(value, 0)
      when Float then from_float(value, digits)
      when Rational then from_rational(value, digits)
      when String then parse(value, strict: true)
      when nil then raise TypeError, "can't convert nil into BigDecimal"
      when Complex then raise ArgumentError, "Unable to make a BigDecimal from non-zero imaginary number" unless value.imaginary == 0
        convert(value.real, digits)
      else
        raise TypeError, "can't convert #{value.class} into BigDecimal" unless value.respond_to?(:to_str)
        parse(value.to_str, strict: true)
      end
    end

    def interpret_loosely(text) = parse(text, strict: false)

    def _load(text) = parse(text.sub(/\A\d+:/, ""), strict: false)

    private :of, :zero, :infinity, :nan, :convert

    private

    def cut(coefficient, scale10, digits, mode)
      excess = coefficient.abs.to_s.size - digits
      return [coefficient, scale10] unless excess.positive?
      [rounded(coefficient, excess, mode || self.mode(ROUND_MODE)), scale10 + excess]
    end

    def from_float(float, digits)
      return nan if float.nan?
      return infinity(float.negative?) if float.infinite?
      return zero(1 / float < 0) if float.zero?
      raise ArgumentError, "can't omit precision for a Float." if digits.nil?
      raise ArgumentError, "precision too large." if digits > Float::DIG + 1
      parse(float.to_s, digits, strict: true)
    end

    def from_rational(rational, digits)
      raise ArgumentError, "can't omit precision for a Rational." if digits.nil? || digits.zero?
      of(rational.numerator, 0).div(of(rational.denominator, 0), digits)
    end

    NUMBER = /\A\s*([+-])?(\d+(?:_\d+)*)?(?:\.(\d+(?:_\d+)*))?(?:[eEdD]([+-]?\d+(?:_\d+)*))?/
    WORD = /\A\s*([+-])?(Infinity|NaN)\s*\z/
    private_constant :NUMBER, :WORD

    def parse(text, digits = 0, strict:)
      if (word = WORD.match(text))
        return word[2] == "NaN" ? nan : infinity(word[1] == "-")
      end
      match = NUMBER.match(text)
      whole = match[2] || ""
      fraction = match[3] || ""
      if strict && (whole.empty? && fraction.empty? || !match.post_match.strip.empty? || text.include?("\0"))
        raise ArgumentError, "invalid value for BigDecimal(): #{text.inspect}"
      end
      coefficient = "#{whole}#{fraction}".delete("_").to_i
      return zero(match[1] == "-") if coefficient.zero?
      coefficient = -coefficient if match[1] == "-"
      of(coefficient, match[4].to_s.delete("_").to_i - fraction.delete("_").size, digits)
    end
  end

  def nan? = @sign.zero?
  def finite? = @sign != 0 && @sign.abs != 3
  def zero? = @sign.abs == 1
  def nonzero? = zero? ? nil : self
  def negative? = @sign < -1
  def positive? = @sign > 1

  # Whether the sign is negative; zero has a sign too.
  protected def minus? = @sign.negative?

  def infinite?
    @sign.abs == 3 ? @sign <=> 0 : nil
  end

  # The exponent of the form 0.xxx times a power of ten.
  def exponent
    finite? && !zero? ? @coefficient.abs.to_s.size + @scale10 : 0
  end

  def n_significant_digits
    finite? && !zero? ? @coefficient.abs.to_s.size : 0
  end

  # Number of digits in all, and in the fraction, including zeros.
  def precision
    [exponent, 0].max + scale
  end

  # Digits after the point.
  def scale = finite? && !zero? ? [-@scale10, 0].max : 0

  def precision_scale = [precision, scale]

  # The sign, the digits, ten, and the exponent.
  def split
    digits = nan? ? "NaN" : infinite? ? "Infinity" : @coefficient.abs.to_s
    [@sign <=> 0, digits, 10, exponent]
  end

  def hash = [BigDecimal, @sign, @coefficient, @scale10].hash
  def clone = self
  def dup = self
  def _dump(_level = 0) = "18:#{self}"
end

require_relative "bigdecimal/rounding"
require_relative "bigdecimal/arithmetic"
require_relative "bigdecimal/conversion"

class BigDecimal
  INFINITY = send(:infinity, false)
  NAN = send(:nan)
end

module Kernel
  def BigDecimal(value, digits = nil, exception: true)
    raise ArgumentError, "negative precision" if digits&.negative?
    digits ||= 0 unless Float === value || Rational === value
    BigDecimal.send(:convert, value, digits)
  rescue ArgumentError, TypeError
    raise if exception
  end
  private :BigDecimal
  singleton_class.define_method(:BigDecimal, instance_method(:BigDecimal))
end
