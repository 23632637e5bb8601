# frozen_string_literal: true

# Timeout where threads take turns. Waiting is virtual, so a block that waits past its time is stopped at
# the very moment; computing takes fuel, and time that passes with it is seen when a block waits
# or ends.
module Timeout
  def self.timeout(seconds, error = nil, message = nil, &block)
    return yield(seconds) if seconds.nil? || seconds.zero?
    raise ::ArgumentError, "Timeout sec must be a non-negative number" if seconds.negative?
    deadline = [now + seconds, error || Error, message || "execution expired"]
    deadlines = ::Belljar::Threads.deadlines # moments on the monotonic clock, and what to raise
    deadlines.push(deadline)
    begin
      result = yield(seconds)
      expire(deadline) if now > deadline[0]
      result
    ensure
      deadlines.delete_if { |other| other.equal?(deadline) }
    end
  end

  def timeout(*arguments, &block) = ::Timeout.timeout(*arguments, &block)
  private :timeout

  # Waits for so many seconds, without end for nil, but not past the first of the deadlines. The
  # block does the waiting, for the time it is given.
  def self.within(seconds)
    deadline = ::Belljar::Threads.deadlines.min_by(&:first)
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

  # The methods that wait, as Ruby has them, and what becomes of them: they let the other threads
  # run, if there are any.
  module Waits
    # Seconds of a wait that nothing ends: longer than any run may last.
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
      return SLEEP.bind_call(caller, *duration) if duration.first && !(::Numeric === duration.first && duration.first >= 0)
      ::Timeout.within(duration.first) do |seconds|
        next SLEEP.bind_call(caller, seconds || FOREVER) unless ::Belljar::Threads.others?
        started = ::Belljar::Threads.clock
        ::Belljar::Threads.sleep(seconds)
        (::Belljar::Threads.clock - started).round
      end
    end

    # Streams and files are always ready: without any it is a sleep.
    def self.select(caller, arguments)
      *watched, duration = arguments.values_at(0..3)
      if arguments.empty? || arguments.size > 4 || watched.any? { |list| !list.nil? && list != [] }
        return SELECT.bind_call(caller, *arguments)
      end
      ::Timeout.within(duration) { |seconds| SELECT.bind_call(caller, nil, nil, nil, seconds || FOREVER) }
    end

    # Without another thread to put something into a queue, to take something out, or to wake this
    # one, only time ends such a wait. Without a time Ruby raises that it never ends.
    def self.pop(original, queue, non_block, timeout)
      if non_block || !queue.empty? || queue.closed?
        return original.bind_call(queue, non_block, timeout:)
      end
      ::Timeout.within(timeout) do |seconds|
        wait_for(seconds) { !queue.empty? || queue.closed? }
        original.bind_call(queue, timeout: seconds && 0)
      end
    end

    def self.push(queue, object, non_block, timeout)
      if non_block || queue.size < queue.max || queue.closed?
        return SIZED_PUSH.bind_call(queue, object, non_block, timeout:)
      end
      ::Timeout.within(timeout) do |seconds|
        wait_for(seconds) { queue.size < queue.max || queue.closed? }
        SIZED_PUSH.bind_call(queue, object, timeout: seconds && 0)
      end
    end

    def self.wait_for(seconds, &) = ::Belljar::Threads.wait(seconds, &)
    private_class_method :wait_for

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
      ::Timeout.within(timeout) do |seconds|
        next ::Timeout::Waits::MUTEX_SLEEP.bind_call(self, seconds) unless ::Belljar::Threads.others?
        unlock
        begin
          ::Belljar::Threads.sleep(seconds)
        ensure
          lock
        end
      end
    end
  end

  class ConditionVariable
    def wait(mutex, timeout = nil)
      ::Timeout.within(timeout) do |seconds|
        next belljar_wait(mutex, seconds) if ::Belljar::Threads.others?
        ::Timeout::Waits::CONDITION_WAIT.bind_call(self, mutex, seconds)
      end
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
