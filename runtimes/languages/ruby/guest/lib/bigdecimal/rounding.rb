# frozen_string_literal: true

# Rounding of BigDecimals, and the modes that are in force.
# By hand: the gem's rounding is compiled C, which the engine does not have.
class BigDecimal
  ROUND_MODE = 256
  ROUND_UP = 1
  ROUND_DOWN = 2
  ROUND_HALF_UP = 3
  ROUND_HALF_DOWN = 4
  ROUND_CEILING = 5
  ROUND_FLOOR = 6
  ROUND_HALF_EVEN = 7

  ROUND_NAMES = {
    up: ROUND_UP, down: ROUND_DOWN, truncate: ROUND_DOWN, half_up: ROUND_HALF_UP,
    default: ROUND_HALF_UP, half_down: ROUND_HALF_DOWN, half_even: ROUND_HALF_EVEN,
    banker: ROUND_HALF_EVEN, ceiling: ROUND_CEILING, ceil: ROUND_CEILING, floor: ROUND_FLOOR,
  }.freeze
  HALF_NAMES = { up: ROUND_HALF_UP, down: ROUND_HALF_DOWN, even: ROUND_HALF_EVEN }.freeze
  private_constant :ROUND_NAMES, :HALF_NAMES

  # Modes of all BigDecimals: rounding, exceptions, and a limit of digits that is 0 for none.
  SETTINGS = { rounding: ROUND_HALF_UP, exceptions: 0, limit: 0 }
  private_constant :SETTINGS

  class << self
    def mode(which, value = nil)
      raise TypeError, "no implicit conversion of #{which.class} into Integer" unless Integer === which
      return rounding_mode(value) if which == ROUND_MODE
      raise TypeError, "first argument for BigDecimal.mode invalid" if (which & EXCEPTION_ALL).zero?
      case value
      when true then SETTINGS[:exceptions] |= which
      when false then SETTINGS[:exceptions] &= ~which
      when nil then nil
      else raise ArgumentError, "second argument must be true or false"
      end
      SETTINGS[:exceptions]
    end

    def limit(digits = nil)
      before = SETTINGS[:limit]
      raise ArgumentError, "argument must be positive" if digits&.negative?
      SETTINGS[:limit] = digits if digits
      before
    end

    def save_rounding_mode(&block) = saving(:rounding, &block)
    def save_exception_mode(&block) = saving(:exceptions, &block)
    def save_limit(&block) = saving(:limit, &block)

    # An Integer without its last digits, rounded.
    def rounded(coefficient, digits, mode)
      unit = 10**digits
      quotient, rest = coefficient.abs.divmod(unit)
      quotient += 1 if !rest.zero? && away?(mode, coefficient.negative?, rest * 2 <=> unit, quotient.odd?)
      coefficient.negative? ? -quotient : quotient
    end
    private :rounded

    # The number of a mode that is given by number, name, or `half:`.
    def mode_number(given)
      case given
      when nil then SETTINGS[:rounding]
      when Hash then half_number(given[:half])
      when Integer then return given if given.between?(ROUND_UP, ROUND_HALF_EVEN)
      when String, Symbol then found = ROUND_NAMES[given.to_s.downcase.to_sym]
      end.then { |number| found || number || raise(ArgumentError, "invalid rounding mode") }
    end
    private :mode_number

    private

    def rounding_mode(value)
      SETTINGS[:rounding] = mode_number(value) unless value.nil?
      SETTINGS[:rounding]
    end

    def half_number(half)
      return SETTINGS[:rounding] if half.nil?
      HALF_NAMES[half.to_s.downcase.to_sym] || raise(ArgumentError, "invalid rounding mode (#{half})")
    end

    def saving(name)
      before = SETTINGS[name]
      yield
    ensure
      SETTINGS[name] = before
    end

    # Whether a number is rounded away from zero; `half` compares what is cut with one half.
    def away?(mode, negative, half, odd)
      case mode
      when ROUND_UP then true
      when ROUND_DOWN then false
      when ROUND_HALF_UP then half >= 0
      when ROUND_HALF_DOWN then half.positive?
      when ROUND_HALF_EVEN then half.positive? || half.zero? && odd
      when ROUND_CEILING then !negative
      when ROUND_FLOOR then negative
      end
    end
  end

  # Without digits, or with none after the point, an Integer; with a mode always a BigDecimal.
  def round(digits = nil, mode = nil)
    if Hash === digits
      mode = digits
      digits = nil
    end
    result = to_scale(digits || 0, BigDecimal.send(:mode_number, mode))
    mode.nil? && (digits.nil? || digits < 1) ? result.to_i : result
  end

  def floor(digits = nil) = stepped(digits, ROUND_FLOOR)
  def ceil(digits = nil) = stepped(digits, ROUND_CEILING)
  def truncate(digits = nil) = stepped(digits, ROUND_DOWN)

  # The whole part and the fraction, as BigDecimals.
  def fix = to_scale(0, ROUND_DOWN)
  def frac = finite? ? self - fix : self

  private

  def stepped(digits, mode)
    result = to_scale(digits || 0, mode)
    digits.nil? ? result.to_i : result
  end

  # With at most so many digits after the point.
  def to_scale(digits, mode)
    excess = -scale10 - digits
    return self if zero? || !finite? || excess <= 0
    whole = BigDecimal.send(:rounded, coefficient, excess, mode)
    return BigDecimal.send(:zero, minus?) if whole.zero?
    BigDecimal.send(:of, whole, scale10 + excess)
  end
end
