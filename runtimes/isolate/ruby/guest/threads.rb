# frozen_string_literal: true

# Threads that take turns: each runs in a fiber of its own until it waits or ends. Who waits lets
# the others run; where none can, the clocks move on to the first who waits for a time.
class Thread
  # A thread as programs see it.
  class Green
    attr_accessor :name, :priority, :report_on_exception, :abort_on_exception
    # What the thread waits for, and until when.
    attr_accessor :awaited, :deadline, :passing, :woken, :deadlines, :pending
    # Whether it runs, or runs others while it waits in a fiber of its own.
    attr_accessor :running

    def initialize(place, arguments, options, block)
      @place = place
      @locals = {}
      @variables = {}
      @deadlines = []
      @priority = 0
      @report_on_exception = Belljar::Threads.reports
      @abort_on_exception = false
      @arguments, @options, @block = arguments, options, block
    end

    # Runs until the thread waits or ends. Its fiber, which takes a megabyte, is made when it begins.
    def resume
      @fiber ||= ::Fiber.new(blocking: true) do
        @value = @block.call(*@arguments, **@options)
      rescue ::Exception => error # what ends a thread is told to who joins it
        Belljar::Threads.failed(self, @error = error)
      ensure
        @ended = true
        Belljar::Threads.ended(self)
      end
      @fiber.resume
    end

    def fiber?(fiber) = @fiber.equal?(fiber)

    def join(limit = nil)
      ::Kernel.raise ::ThreadError, "Current thread cannot join itself" if Belljar::Threads.current.equal?(self)
      return nil unless Belljar::Threads.wait(limit) { @ended }
      ::Kernel.raise @error if @error && !(::SystemExit === @error)
      self
    end

    def value = (join; @value)
    def alive? = !@ended
    def stop? = @ended || !Belljar::Threads.current.equal?(self)

    def status
      return @error ? nil : false if @ended
      stop? && @awaited ? "sleep" : "run"
    end

    def kill
      return self if @ended
      @ended = true
      Belljar::Threads.ended(self)
      @fiber&.kill
      self
    end
    alias exit kill
    alias terminate kill

    def raise(*arguments, **options)
      return Belljar::Threads.throw(arguments, options) if Belljar::Threads.current.equal?(self)
      @pending = [arguments, options] unless @ended
      nil
    end

    def wakeup
      ::Kernel.raise ::ThreadError, "killed thread" if @ended
      @woken = true
      self
    end

    def run = (wakeup; Belljar::Threads.pass; self)
    def [](name) = @locals[name.to_sym]
    def []=(name, value)
      @locals[name.to_sym] = value
    end
    def key?(name) = @locals.key?(name.to_sym)
    def keys = @locals.keys
    def fetch(name, *default, &) = @locals.fetch(name.to_sym, *default, &)
    def thread_variable_get(name) = @variables[name.to_sym]
    def thread_variable_set(name, value) = @variables[name.to_sym] = value
    def thread_variable?(name) = @variables.key?(name.to_sym)
    def thread_variables = @variables.keys
    def group = alive? ? ::ThreadGroup::Default : nil
    def backtrace(*) = alive? ? [] : nil
    def pending_interrupt?(*) = !@pending.nil?
    def class = ::Thread
    def is_a?(type) = super || ::Thread <= type || type.equal?(::Thread)
    alias kind_of? is_a?
    def instance_of?(type) = type.equal?(::Thread)

    def to_s
      address = ::Kernel.instance_method(:to_s).bind_call(self)[/0x\h+/]
      "#<Thread:#{address}#{"@#{@name}" if @name} #{@place} #{status || "dead"}>"
    end
    alias inspect to_s
  end
  private_constant :Green
end

module Belljar
  module Threads
    MAIN = ::Thread.current
    SLEEP = ::Kernel.instance_method(:sleep)
    POP = ::Thread::Queue.instance_method(:pop)

    # Turns of threads that only give theirs away before time passes for those that wait for it.
    MOST_TURNS = 100
    # Alive, in the order in which they are looked at; who runs; what is raised in the main thread.
    # Their clock moves by waits alone, so that the order of threads is the same in every run.
    GREEN = ::Thread.class_eval("Green")
    State = ::Struct.new(:alive, :current, :error, :reports, :aborts, :deadlines, :clock, :turns)
    STATE = State.new([], nil, nil, true, false, [], 0, 0)
    private_constant :State, :STATE, :GREEN

    def self.current = STATE.current || MAIN
    def self.list = [MAIN, *STATE.alive]
    def self.green?(object) = GREEN === object
    def self.deadlines = STATE.current ? STATE.current.deadlines : STATE.deadlines
    def self.others? = STATE.alive.size > (STATE.current ? 1 : 0) || !STATE.current.nil?
    def self.clock = STATE.clock

    def self.start(arguments, options, block)
      ::Kernel.raise ::ThreadError, "must be called with a block" unless block
      thread = GREEN.new(block.source_location&.join(":"), arguments, options, block)
      STATE.alive.push(thread)
      thread
    end

    # Waits until a condition holds, for so many seconds, or for ever for nil. Whether it holds.
    def self.wait(seconds = nil, &condition)
      deadline = seconds && STATE.clock + seconds.to_r
      thread = STATE.current
      thread&.fiber?(::Fiber.current) ? hand_over(thread, deadline, condition) : run_others(deadline, condition)
    end

    # Lets the others run for a turn.
    def self.pass
      thread = STATE.current
      return hand_over(thread, nil, nil) && nil if thread&.fiber?(::Fiber.current)
      ready = STATE.alive.select { |other| runnable?(other) }
      return ready.each { |other| run(other) if other.alive? } && nil unless ready.empty?
      pass_time(nil) if (STATE.turns += 1) > MOST_TURNS && first_deadline(nil)
      nil
    end

    def self.sleep(seconds)
      thread = STATE.current
      thread&.woken = false
      wait(seconds) { thread&.woken }
    end

    def self.throw(arguments, options)
      options.empty? ? ::Kernel.raise(*arguments) : ::Kernel.raise(*arguments, **options)
    end

    def self.failed(thread, error)
      return STATE.error = error if ::SystemExit === error
      if thread.report_on_exception
        $stderr.write("#{thread} terminated with exception (report_on_exception is true):\n", error.full_message(highlight: false))
      end
      STATE.error = error if thread.abort_on_exception || STATE.aborts
    end

    def self.ended(thread) = STATE.alive.delete_if { |other| other.equal?(thread) }

    # Threads that the main one leaves behind end with it.
    def self.end_all
      STATE.alive.dup.each(&:kill)
    end

    def self.reports = STATE.reports
    def self.reports=(value)
      STATE.reports = value
    end
    def self.aborts = STATE.aborts
    def self.aborts=(value)
      STATE.aborts = value
    end

    # Back to who runs the threads, which comes again when the wait is over.
    def self.hand_over(thread, deadline, condition)
      thread.awaited, thread.deadline, thread.passing = condition, deadline, condition.nil?
      ::Fiber.yield
      thread.awaited = thread.deadline = nil
      thread.passing = false
      if (pending = thread.pending)
        thread.pending = nil
        self.throw(*pending)
      end
      condition.nil? || condition.call ? true : false
    end

    def self.run_others(deadline, condition)
      until condition.call
        return false if deadline && STATE.clock >= deadline
        thread = next_thread(deadline)
        thread ? run(thread) : pass_time(deadline)
      end
      true
    end

    def self.next_thread(deadline)
      thread = STATE.alive.find { |other| runnable?(other) }
      STATE.turns = 0 unless thread&.passing
      return thread if thread.nil? || (STATE.turns += 1) <= MOST_TURNS
      first_deadline(deadline) ? nil : thread
    end

    def self.runnable?(thread)
      return false if thread.running
      thread.awaited.nil? || thread.pending || thread.awaited.call || (thread.deadline && STATE.clock >= thread.deadline)
    end

    def self.run(thread)
      STATE.alive.push(STATE.alive.delete(thread)) # its next turn comes after those of the others
      before = STATE.current
      STATE.current = thread
      thread.running = true
      begin
        thread.resume
      ensure
        thread.running = false
        STATE.current = before
      end
      return unless (error = STATE.error)
      STATE.error = nil
      ::Kernel.raise(error)
    end

    # Nobody can run: until the first time that somebody waits for. Without one Ruby says so.
    def self.pass_time(deadline)
      first = first_deadline(deadline)
      return POP.bind_call(::Thread::Queue.new) if first.nil?
      STATE.turns = 0
      SLEEP.bind_call(MAIN, [first - STATE.clock, 0].max)
      STATE.clock = [first, STATE.clock].max
    end

    def self.first_deadline(deadline)
      [deadline, *STATE.alive.map { |thread| thread.deadline unless thread.running }].compact.min
    end

    private_class_method :hand_over, :run_others, :runnable?, :next_thread, :run, :pass_time, :first_deadline
    freeze
  end
end

class Thread
  class << self
    def new(*arguments, **options, &block)
      unless equal?(::Thread)
        ::Kernel.raise ::NotImplementedError, "subclasses of Thread are unimplemented on this machine"
      end
      Belljar::Threads.start(arguments, options, block)
    end
    alias start new
    alias fork new

    def current = Belljar::Threads.current
    def list = Belljar::Threads.list
    def pass = Belljar::Threads.pass
    def stop = (Belljar::Threads.sleep(nil); nil)
    def exit = current.kill
    def kill(thread) = thread.kill
    def ===(object) = super || Belljar::Threads.green?(object)
    def report_on_exception = Belljar::Threads.reports
    def report_on_exception=(value)
      Belljar::Threads.reports = value
    end
    def abort_on_exception = Belljar::Threads.aborts
    def abort_on_exception=(value)
      Belljar::Threads.aborts = value
    end
    def handle_interrupt(*) = yield
    def pending_interrupt?(*) = false
  end

  class Mutex
    belljar_lock = instance_method(:lock)
    define_method(:lock) do
      Belljar::Threads.wait { !locked? } if locked? && !owned? && Belljar::Threads.others?
      belljar_lock.bind_call(self)
    end

    def synchronize
      lock
      begin
        yield
      ensure
        unlock if owned?
      end
    end
  end

  class ConditionVariable
    def signal = (@belljar_waiting&.shift; self)
    def broadcast = (@belljar_waiting&.clear; self)

    # Called while others are there.
    def belljar_wait(mutex, timeout)
      ticket = Object.new
      (@belljar_waiting ||= []).push(ticket)
      mutex.unlock
      begin
        Belljar::Threads.wait(timeout) { !@belljar_waiting.include?(ticket) }
      ensure
        @belljar_waiting.delete(ticket)
        mutex.lock
      end
    end
    private :belljar_wait
  end
end

class Monitor
  belljar_enter = instance_method(:enter)
  define_method(:enter) do
    Belljar::Threads.wait { !mon_locked? } if mon_locked? && !mon_owned? && Belljar::Threads.others?
    belljar_enter.bind_call(self)
  end
  alias_method :mon_enter, :enter

  def synchronize
    enter
    begin
      yield
    ensure
      exit
    end
  end
  alias mon_synchronize synchronize
end
