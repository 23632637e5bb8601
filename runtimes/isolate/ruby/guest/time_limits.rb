# frozen_string_literal: true

# Timeout without threads. Sleeping is virtual, so a block that sleeps past its time is stopped
# at the very moment; computing takes fuel, and time that passes with it is seen when a block
# sleeps or ends.
module Timeout
  DEADLINES = [] # moments on the monotonic clock, and what to raise
  private_constant :DEADLINES
  SLEEP = ::Kernel.instance_method(:sleep)

  def self.timeout(seconds, error = nil, message = nil, &block)
    return yield(seconds) if seconds.nil? || seconds.zero?
    raise ::ArgumentError, "Timeout sec must be a non-negative number" if seconds.negative?
    deadline = [now + seconds, error || Error, message || "execution expired"]
    DEADLINES.push(deadline)
    begin
      result = yield(seconds)
      expire(deadline) if now > deadline[0]
      result
    ensure
      DEADLINES.delete_if { |other| other.equal?(deadline) }
    end
  end

  def timeout(*arguments, &block) = ::Timeout.timeout(*arguments, &block)
  private :timeout

  # Sleeps, but not past the first of the deadlines.
  def self.sleep(original, duration)
    deadline = DEADLINES.min_by(&:first)
    left = deadline && deadline[0] - now
    return original.call(*duration) if left.nil? || duration.first && duration.first <= left
    original.call(left) if left.positive?
    expire(deadline)
  end

  def self.now = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)

  def self.expire(deadline) = raise(deadline[1], deadline[2])

  private_class_method :now, :expire
end

module Kernel
  def sleep(*duration) = ::Timeout.sleep(::Timeout::SLEEP.bind(self), duration)
  private :sleep
  singleton_class.define_method(:sleep, instance_method(:sleep))
end
