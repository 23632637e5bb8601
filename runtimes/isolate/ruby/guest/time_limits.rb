# frozen_string_literal: true

# Timeout without threads. Waiting is virtual, so a block that waits past its time is stopped
# exactly then. Computing takes fuel; the time that it takes is noticed when a block waits or ends.
module Timeout
  DEADLINES = [] # deadlines on the monotonic clock, and the errors to raise
  private_constant :DEADLINES

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

  # Waits for a number of seconds, or forever for nil, but not past the first deadline. The block
  # does the waiting, for the time passed to it.
  def self.within(seconds)
    deadline = DEADLINES.min_by(&:first)
    return yield(seconds) if deadline.nil? || !(seconds.nil? || time?(seconds))
    left = [deadline[0] - now, 0].max
    return yield(seconds) if seconds && seconds <= left
    yield(left)
    expire(deadline)
  end

  def self.time?(seconds) = ::Numeric === seconds && seconds.real? && seconds.finite?

  def self.now = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)

  def self.expire(deadline) = raise(deadline[1], deadline[2])

  private_class_method :time?, :now, :expire

  # Ruby's methods that wait, and their replacements for a single thread.
  module Waits
    # Seconds of an endless wait: longer than any run may last.
    FOREVER = 1_000_000_000
    SLEEP = ::Kernel.instance_method(:sleep)
    SELECT = ::Kernel.instance_method(:select)
    MUTEX_SLEEP = ::Thread::Mutex.instance_method(:sleep)
    CONDITION_WAIT = ::Thread::ConditionVariable.instance_method(:wait)
    QUEUE_POP = ::Thread::Queue.instance_method(:pop)
    SIZED_POP = ::Thread::SizedQueue.instance_method(:pop)
    SIZED_PUSH = ::Thread::SizedQueue.instance_method(:push)

    def self.sleep(caller, duration)
      return SLEEP.bind_call(caller, *duration) if duration.size > 1
      ::Timeout.within(duration.first) { |seconds| SLEEP.bind_call(caller, seconds || FOREVER) }
    end

    # Streams and files are always ready, so `select` without any is a sleep.
    def self.select(caller, arguments)
      *watched, duration = arguments.values_at(0..3)
      if arguments.empty? || arguments.size > 4 || watched.any? { |list| !list.nil? && list != [] }
        return SELECT.bind_call(caller, *arguments)
      end
      ::Timeout.within(duration) { |seconds| SELECT.bind_call(caller, nil, nil, nil, seconds || FOREVER) }
    end

    # No other thread exists to fill a queue, to empty it, or to wake this one, so only time ends
    # such a wait. Without a time Ruby raises an error about a deadlock.
    def self.pop(original, queue, non_block, timeout)
      if non_block || !queue.empty? || queue.closed?
        return original.bind_call(queue, non_block, timeout:)
      end
      ::Timeout.within(timeout) { |seconds| original.bind_call(queue, timeout: seconds) }
    end

    def self.push(queue, object, non_block, timeout)
      if non_block || queue.size < queue.max || queue.closed?
        return SIZED_PUSH.bind_call(queue, object, non_block, timeout:)
      end
      ::Timeout.within(timeout) { |seconds| SIZED_PUSH.bind_call(queue, object, timeout: seconds) }
    end

    freeze
  end
end

module Kernel
  def sleep(*duration) = ::Timeout::Waits.sleep(self, duration)
  def select(*arguments) = ::Timeout::Waits.select(self, arguments)
  private :sleep, :select

  def self.sleep(*duration) = ::Timeout::Waits.sleep(self, duration)
  def self.select(*arguments) = ::Timeout::Waits.select(self, arguments)
end

class IO
  def self.select(*arguments) = ::Timeout::Waits.select(self, arguments)
end

class Thread
  class Mutex
    def sleep(timeout = nil)
      ::Timeout.within(timeout) { |seconds| ::Timeout::Waits::MUTEX_SLEEP.bind_call(self, seconds) }
    end
  end

  class ConditionVariable
    def wait(mutex, timeout = nil)
      ::Timeout.within(timeout) { |seconds| ::Timeout::Waits::CONDITION_WAIT.bind_call(self, mutex, seconds) }
    end
  end

  class Queue
    def pop(non_block = false, timeout: nil)
      ::Timeout::Waits.pop(::Timeout::Waits::QUEUE_POP, self, non_block, timeout)
    end
    alias deq pop
    alias shift pop
  end

  class SizedQueue
    def pop(non_block = false, timeout: nil)
      ::Timeout::Waits.pop(::Timeout::Waits::SIZED_POP, self, non_block, timeout)
    end
    alias deq pop
    alias shift pop

    def push(object, non_block = false, timeout: nil)
      ::Timeout::Waits.push(self, object, non_block, timeout)
    end
    alias enq push
    alias << push
  end
end
