# frozen_string_literal: true

# Signals that a program sends to itself, its only process. Handlers run at once, as in Ruby.
module Belljar
  module Signals
    NUMBERS = ::Signal.list.freeze
    # By default these do nothing. Nobody could continue a stopped process.
    IGNORED = %w[EXIT CHLD CLD CONT URG WINCH PIPE STOP TSTP TTIN TTOU].map { |name| NUMBERS.fetch(name) }.freeze
    # By default these raise an error, which a program can rescue.
    RAISED = %w[HUP INT ALRM TERM USR1 USR2 QUIT].map { |name| NUMBERS.fetch(name) }.freeze
    # A program has no handlers for these.
    UNHANDLED = [9, 19].freeze
    SIGNALLED = 128
    TRAP = ::Signal.method(:trap)

    def self.kill(signal, *processes)
      ::Kernel.raise ::ArgumentError, "wrong number of arguments (given 1, expected 2+)" if processes.empty?
      number = number_of(signal)
      processes.each do |process|
        ::Kernel.raise ::Errno::ESRCH unless [0, ::Process.pid].include?(::Kernel.Integer(process).abs)
        deliver(number)
      end
      processes.size
    end

    def self.number_of(signal)
      if ::Integer === signal
        number = signal.abs
        ::Kernel.raise ::Errno::EINVAL unless number.zero? || NUMBERS.value?(number)
        return number
      end
      name = ::Symbol === signal ? signal.name : ::String.try_convert(signal)
      ::Kernel.raise ::ArgumentError, "bad signal type #{signal.class}" if name.nil?
      short = name.delete_prefix("-").delete_prefix("SIG")
      NUMBERS.fetch(short) { ::Kernel.raise ::ArgumentError, "unsupported signal 'SIG#{short}'" }
    end

    def self.deliver(number)
      handler = UNHANDLED.include?(number) || number.zero? ? "DEFAULT" : handler_of(number)
      case handler
      when ::Proc then handler.call(number)
      when "DEFAULT", "SYSTEM_DEFAULT" then act(number)
      when "EXIT" then ::Kernel.exit
      when nil, "", "IGNORE", "SIG_IGN" then nil
      else ::TOPLEVEL_BINDING.eval(handler)
      end
    end

    # Ruby tells the handler only when it is replaced.
    def self.handler_of(number)
      handler = TRAP.call(number, "DEFAULT")
      TRAP.call(number, handler)
      handler
    rescue ::ArgumentError # a signal that Ruby reserves
      "DEFAULT"
    end

    def self.act(number)
      return if IGNORED.include?(number)
      ::Kernel.raise ::Interrupt, "" if number == NUMBERS.fetch("INT")
      ::Kernel.raise ::SignalException, number if RAISED.include?(number)
      ::Kernel.exit!(SIGNALLED + number)
    end

    private_class_method :number_of, :deliver, :handler_of, :act
    freeze
  end
end

module Process
  def self.kill(signal, *processes) = ::Belljar::Signals.kill(signal, *processes)
end
