# frozen_string_literal: true

# Timeout without threads. Waiting is virtual, so a block that waits past its time is stopped exactly
# then. A block that computes is interrupted when it has used the fuel for its time, by a signal of the
# host's alarm; the clock is then at that time.
module Timeout
  DEADLINES = [] # deadlines on the monotonic clock, and the errors to raise
  BUSY = [] # has an element while the alarm must not interrupt
  private_constant :DEADLINES, :BUSY

  def self.timeout(seconds, error = nil, message = nil, &block)
    return yield(seconds) if seconds.nil? || seconds.zero?
    raise ::ArgumentError, "Timeout sec must be a non-negative number" if seconds.negative?
    message ||= "execution expired"
    return limited(seconds, error, message, &block) if error
    Error.handle_timeout(message) { |exception| limited(seconds, exception, message, &block) }
  end

  # The block's value, unless it takes longer.
  def self.limited(seconds, error, message)
    deadline = [now + seconds, error, message]
    DEADLINES.push(deadline)
    begin
      Alarm.set(DEADLINES, seconds)
      result = yield(seconds)
      expire(deadline) if now > deadline[0] && DEADLINES.any? { |other| other.equal?(deadline) }
      result
    ensure
      BUSY.push(true)
      remove(deadline)
      BUSY.pop
      Alarm.set(DEADLINES)
    end
  end

  # The alarm went off. The clock is then at the deadline, or moves there.
  def self.ring
    deadline = Alarm.take
    return unless BUSY.empty?
    return Alarm.set(DEADLINES) unless remove(deadline)
    left = deadline[0] - now
    Waits::SLEEP.bind_call(self, left) if left > 0
    ::Thread.current.raise(deadline[1], deadline[2])
  end

  # Removes a deadline; false if it was not there.
  def self.remove(deadline)
    size = DEADLINES.size
    DEADLINES.delete_if { |other| other.equal?(deadline) }
    DEADLINES.size < size
  end

  # The deadlines of blocks that were left without an end, in suspended fibers, end with the program.
  def self.forget
    return if DEADLINES.empty?
    DEADLINES.clear
    Alarm.set(DEADLINES)
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

  # Waits in a block, which is given the seconds until the first deadline, or nil without one, and
  # returns nil when they have passed. No alarm interrupts it.
  def self.waiting
    while true
      deadline = DEADLINES.min_by(&:first)
      BUSY.push(true)
      begin
        result = yield(deadline && [deadline[0] - now, 0].max)
      ensure
        BUSY.pop
        Alarm.set(DEADLINES)
      end
      return result unless result.nil?
      expire(deadline) if deadline
    end
  end

  def self.time?(seconds) = ::Numeric === seconds && seconds.real? && seconds.finite?

  def self.now = ::Process.clock_gettime(::Process::CLOCK_MONOTONIC)

  # A deadline is reported once, even if the block goes on.
  def self.expire(deadline)
    remove(deadline)
    raise(deadline[1], deadline[2])
  end

  private_class_method :time?, :now, :expire, :limited, :remove

  # The alarm of the host, for the first of the deadlines.
  module Alarm
    SIGNAL = 60
    DEVICE = "/dev/alarm"
    OPEN = ::IO.method(:sysopen)
    FOR_DESCRIPTOR = ::IO.method(:for_fd)
    WRITE = ::IO.instance_method(:syswrite)
    CLOSE = ::IO.instance_method(:close)
    # Makes Ruby look for interrupts.
    WAKE = ::Thread.instance_method(:wakeup)
    # The deadline that the alarm is set for.
    SOONEST = []
    SHORTEST = 1e-6

    # Sets it for the first deadline. `seconds`: what is left of the last one in the list.
    def self.set(deadlines, seconds = nil)
      soonest = deadlines.min_by(&:first)
      return if SOONEST[0].equal?(soonest)
      SOONEST[0] = soonest
      seconds = nil unless soonest.equal?(deadlines.last)
      write(soonest ? seconds || [soonest[0] - ::Process.clock_gettime(::Process::CLOCK_MONOTONIC), SHORTEST].max : 0)
      look
    end

    # The deadline of the alarm that went off; none is set any more.
    def self.take = SOONEST.pop

    def self.look = WAKE.bind_call(::Thread.current)

    def self.write(seconds)
      device = FOR_DESCRIPTOR.call(OPEN.call(DEVICE, ::File::WRONLY), ::File::WRONLY)
      WRITE.bind_call(device, seconds.to_f.to_s)
      CLOSE.bind_call(device)
    end

    private_class_method :write
    freeze
  end

  ::Signal.trap(Alarm::SIGNAL) { ring }

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
  # An error that a thread raises in itself leaves the place where Ruby looks for the alarm, and for
  # errors that wait behind it.
  plain_raise = instance_method(:raise)
  define_method(:raise) do |*arguments, **options|
    plain_raise.bind_call(self, *arguments, **options)
  ensure
    ::Timeout::Alarm.look
  end

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
