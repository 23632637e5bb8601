# frozen_string_literal: true

# Runs a submitted program and reports its outcome to the host. The host calls `prepare` before
# anything is counted, then `run`, whose answer is a letter followed by its content:
#   n         no value
#   t<text>   a value as text
#   j<json>   a value as JSON
#   e<json>   an error: {name, message, traceback, lineNumber?}
#   x<status> the program exited
#   l         the value is over the limit
# Before JSON, if the host has called `ask_repr`, the value's own form: r<its bytes>:<form>
module Belljar
  P = Primitives
  SCRIPT = "main.rb"
  EVALUATE = ::Binding.instance_method(:eval)
  FORGET_TIMEOUTS = ::Timeout.method(:forget)
  # Number of collections after which all live objects count as old, so that a run's collections
  # skip them.
  COLLECTIONS_TO_AGE = 4
  private_constant :P, :SCRIPT, :EVALUATE, :FORGET_TIMEOUTS, :COLLECTIONS_TO_AGE

  # The state of the run.
  State = ::Struct.new(:code, :lines, :result_bytes, :exit_blocks, :error, :display, :repr)
  STATE = State.new("", 0, 0, [], nil, nil, nil)
  private_constant :State, :STATE

  # Text is Base64: the code; and the environment's names and values, each followed by NUL.
  def self.prepare(code, environment, result_bytes)
    STATE.code = Source.prepared(code.unpack1("m").force_encoding(::Encoding::UTF_8))
    STATE.lines = STATE.code.rstrip.count("\n") + 1
    STATE.result_bytes = result_bytes
    ::ENV.replace(environment.unpack1("m").force_encoding(::Encoding::UTF_8).split("\0", -1)[0...-1].each_slice(2).to_h)
    ::Kernel.srand
    nil
  end

  # The answer of the next run is to have the form that `p` would print.
  def self.ask_repr
    STATE.repr = true
    nil
  end

  def self.run
    answer = settled { evaluate }
    push_exit_trap
    answer = with_error(STATE.error) { run_exit_blocks(answer) }
    Displays.write(STATE.display) if STATE.display && P.is_a?(STATE.error, P::NIL)
    Buffers.flush_streams
    answer
  rescue P::EXCEPTION => error # the program broke something that this driver relies on
    Errors.describe(error, STATE.lines)
  end

  # Writes what files hold that the program left open. The host calls this after `run`, if there are any.
  def self.flush_files = Buffers.flush_all

  # The position of a program that a limit stopped, as JSON. The host calls this on the stack that
  # the limit left, so the program's frames are below this one.
  def self.stopped_at = Errors.frames_json(P::THREAD_BACKTRACE.bind_call(P::MAIN_THREAD))

  # Frees as much memory as possible before the image is taken.
  def self.settle_down
    ::Dir.chdir("/workspace")
    ::GC.measure_total_time = false # so that collections read no clock, and always cost the same
    $stdout.sync = true
    $stderr.sync = true
    $0 = SCRIPT
    ::ENV.clear
    require "json" # so that the index of loaded files is rebuilt
    ::GC.start
    ::GC.compact if ::GC.respond_to?(:compact)
    COLLECTIONS_TO_AGE.times { ::GC.start }
    [::Object.new, [1]].each { |value| settled { value } } # fills the caches of its calls
    nil
  end

  # Registers a block to run at the end of the program.
  def self.at_exit(block)
    P::ARRAY_PUSH.bind_call(STATE.exit_blocks, block)
    block
  end

  def self.evaluate
    value = EVALUATE.bind_call(::TOPLEVEL_BINDING, STATE.code, SCRIPT, 1)
    ended = true
    value
  ensure
    P::METHOD_CALL.bind_call(FORGET_TIMEOUTS)
    return nil unless ended || $! # a `return` at the top level ends the program
  end

  # The answer for the value that a block returns, or for what it raises. Keeps the display of the
  # value, which is written last.
  def self.settled
    value = yield
    answer = Values.describe(value, STATE.result_bytes)
    answer = Values.with_repr(answer, value) if STATE.repr
    STATE.display = Displays.of(value) unless P.is_a?(value, P::NIL)
    answer
  rescue TooLarge
    "l"
  rescue P::EXIT => error
    STATE.error = error
    "x#{P::EXIT_STATUS.bind_call(error)}"
  rescue P::EXCEPTION => error # errors of the program are answers
    STATE.error = error
    Errors.describe(error, STATE.lines)
  end

  # Exit handlers of the process run before the program's blocks.
  def self.push_exit_trap
    handler = P::METHOD_CALL.bind_call(P::TRAP, "EXIT", "DEFAULT")
    return unless P.is_a?(handler, P::PROC)
    P::ARRAY_PUSH.bind_call(STATE.exit_blocks, -> { P::PROC_CALL.bind_call(handler, 0) })
  end

  # The block sees the error that ended the program as `$!`.
  def self.with_error(error)
    return yield if error.nil?
    begin
      P.fail(error)
    rescue P::EXCEPTION # `error`, or an exception from its own methods
      yield
    end
  end

  # Runs the blocks, last first; one that exits or raises replaces the answer.
  def self.run_exit_blocks(answer)
    while (block = P::ARRAY_POP.bind_call(STATE.exit_blocks))
      later = settled do
        P::PROC_CALL.bind_call(block)
        nil
      end
      answer = later unless P::STRING_STARTS.bind_call(later, "n")
    end
    answer
  end

  private_class_method :evaluate, :settled, :push_exit_trap, :with_error, :run_exit_blocks
end

module Kernel
  def at_exit(&block)
    ::Kernel.raise ::ArgumentError, "called without block" unless block
    ::Belljar.at_exit(block)
  end
  private :at_exit
  singleton_class.define_method(:at_exit, instance_method(:at_exit))
end
