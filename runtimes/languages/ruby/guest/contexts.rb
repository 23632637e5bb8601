# frozen_string_literal: true

# Runs of a context: each one continues with the objects, variables and methods that earlier ones left.
# Only the baseline of an engine with contexts has this file. Its methods run in an interpreter that
# earlier runs may have changed, so they use the core classes' own methods.
module Belljar
  module Contexts
    P = Primitives
    DRIVER = ::Belljar
    IO = ::IO
    DIRECTORY = ::Dir
    WORKSPACE = "/workspace"
    DATA = :DATA
    HAS_DATA = /^__END__\r?$/
    INPUT = ::STDIN
    OUTPUT = ::STDOUT
    ERRORS = ::STDERR
    TOP = ::TOPLEVEL_BINDING
    # The program's names, one for each of the runs that follow one another. They differ in their encodings,
    # which is how the lines of a run are told from those of earlier ones.
    NAMES = [::Encoding::UTF_8, *::Encoding.list.select { |all| all.ascii_compatible? && !all.dummy? }.difference([::Encoding::UTF_8, ::Encoding::BINARY])]
            .map { |encoding| SCRIPT.dup.force_encoding(encoding).freeze }.freeze
    # Number of the program's name.
    NUMBERS = [0]
    # The status of `exit!`, which throws LEAVE.
    STATUSES = []
    # Has an element once a run has left a fiber.
    FIBERS = []
    # Has an element while a run goes on.
    RUNNING = []
    LEAVE = ::Object.new.freeze
    # A frame of the program, and the end of an error's description.
    OWN_LINE = /\Amain\.rb:(\d+)/
    DESCRIBED_LINE = /(?:,"lineNumber":\d+)?\}\z/

    STRIP = ::String.instance_method(:rstrip)
    COUNT = ::String.instance_method(:count)
    EQUAL = ::String.instance_method(:==)
    ADD = ::Integer.instance_method(:+)
    UNPACK = ::String.instance_method(:unpack1)
    REPLACE_ENVIRONMENT = ::ENV.method(:replace)
    SEED = ::Kernel.method(:srand)
    CHANGE_DIRECTORY = ::Dir.method(:chdir)
    PRESENT_DIRECTORY = ::Dir.method(:pwd)
    HAS_CONSTANT = ::Module.instance_method(:const_defined?)
    REMOVE_CONSTANT = ::Module.instance_method(:remove_const)
    COLLECT = ::GC.method(:start)
    YOUNG = { full_mark: false, immediate_sweep: true }.freeze
    COLLECT_ALL = ::Process.method(:warmup)
    STATISTIC = ::GC.method(:stat)
    # How many more old objects, and how many empty pages of 64 KiB, are worth a collection of all.
    MANY = 30_000
    MOST_EMPTY = 64
    MOST_OLD = [60_000]
    STRESS = ::GC.method(:stress=)
    CATCH = ::Kernel.instance_method(:catch)
    THROW = ::Kernel.instance_method(:throw)
    EXIT = ::Kernel.method(:exit)
    NOT_CAUGHT = ::UncaughtThrowError
    CLEAR = ::Array.instance_method(:clear)
    EACH_OBJECT = ::ObjectSpace.method(:each_object)
    IS_CLOSED = ::IO.instance_method(:closed?)
    NUMBER = ::IO.instance_method(:fileno)
    CLOSE = ::IO.instance_method(:close)
    CLOSE_DIRECTORY = ::Dir.instance_method(:close)
    OPEN = ::IO.instance_method(:initialize)
    WRITE_AT_ONCE = ::IO.instance_method(:sync=)
    READ = ::IO.instance_method(:read)
    ARGUMENTS = ::ARGV
    ARGF_NUMBER = ::ARGF.method(:fileno)
    ARGF_FILE = ::ARGF.method(:file)
    COUNT_LINES_FROM = ::IO.instance_method(:lineno=)

    # Text is Base64: the code; the environment's names and values, each followed by NUL; the directory.
    def self.prepare(code, environment, result_bytes, directory)
      code = text(code)
      remove_data if P::STRING_SLICE.bind_call(code, HAS_DATA)
      STATE.code = Source.prepared(code)
      STATE.lines = lines_of(STATE.code)
      STATE.result_bytes = result_bytes
      P::METHOD_CALL.bind_call(REPLACE_ENVIRONMENT, pairs(text(environment)))
      P::METHOD_CALL.bind_call(SEED)
      change_directory(text(directory))
      open_streams
      renew_arguments
      $. = 0
      P::ARRAY_PUSH.bind_call(RUNNING, true)
      nil
    end

    def self.running? = !P::ARRAY_EMPTY.bind_call(RUNNING)

    # The answer of the driver. `exit!` ends the run too, and its state is kept.
    def self.run
      answer = CATCH.bind_call(self, LEAVE) { DRIVER.run }
      status = P::ARRAY_POP.bind_call(STATUSES)
      return "x#{P::INTEGER_TEXT.bind_call(status)}" if status
      P::STRING_STARTS.bind_call(answer, "e") ? with_line(answer, own_line(STATE.error)) : answer
    end

    # The name under which the next program is evaluated.
    def self.script = P::ARRAY_AT.bind_call(NAMES, P::ARRAY_AT.bind_call(NUMBERS, 0))

    # Which line of this run's program an error comes from: that of the innermost frame; nil without one.
    def self.own_line(error)
      return unless P.is_a?(error, P::EXCEPTION)
      encoding = P::STRING_ENCODING.bind_call(script)
      frames = P::EXCEPTION_BACKTRACE.bind_call(error)
      return unless P.is_a?(frames, P::ARRAY)
      frames = P.copied(frames)
      until P::ARRAY_EMPTY.bind_call(frames)
        frame = P::ARRAY_SHIFT.bind_call(frames)
        next unless P.is_a?(frame, P::STRING) && P::SAME.bind_call(P::STRING_ENCODING.bind_call(frame), encoding)
        digits = P::STRING_SLICE.bind_call(frame, OWN_LINE, 1)
        line = digits && P::STRING_TO_I.bind_call(digits)
        return line if line && !P.over?(line, STATE.lines)
      end
    end

    # An error's description with another line; without a line it stays.
    def self.with_line(answer, line)
      return answer if line.nil?
      P::STRING_GSUB.bind_call(answer, DESCRIBED_LINE, ",\"lineNumber\":#{P::INTEGER_TEXT.bind_call(line)}}")
    end

    # Ends a run, so that nothing of it is left but what the program keeps. Returns the working directory.
    # `left`: 1 if files are open, and 2 more if the run left a fiber.
    def self.finish(left)
      P::METHOD_CALL.bind_call(STRESS, false)
      Calls.finish
      turn
      STATE.code = ""
      STATE.error = nil
      STATE.display = nil
      STATE.repr = nil
      CLEAR.bind_call(STATE.exit_blocks)
      CLEAR.bind_call(DEADLINES)
      CLEAR.bind_call(STATUSES)
      CLEAR.bind_call(RUNNING)
      Buffers.flush_streams
      drop_input
      close_files if P::SAME.bind_call(left, 1) || P::SAME.bind_call(left, 3)
      P::ARRAY_PUSH.bind_call(FIBERS, true) if P.over?(left, 1) && !P::ARRAY_AT.bind_call(FIBERS, 0)
      collect unless P::ARRAY_AT.bind_call(FIBERS, 0)
      present_directory
    end

    # Frees what the run left and did not keep, so that the stored state does not hold it. Most of it is young.
    # Not in contexts with fibers: Ruby's collector does not see what only a suspended fiber's C code holds.
    # Older objects, and the memory that many of them had, are looked through when they have become many more.
    def self.collect
      P::METHOD_CALL.bind_call(COLLECT, **YOUNG)
      return unless P.over?(statistic(:heap_empty_pages), MOST_EMPTY) || P.over?(statistic(:old_objects), P::ARRAY_AT.bind_call(MOST_OLD, 0))
      P::METHOD_CALL.bind_call(COLLECT_ALL)
      P::ARRAY_POP.bind_call(MOST_OLD)
      P::ARRAY_PUSH.bind_call(MOST_OLD, ADD.bind_call(statistic(:old_objects), MANY))
    end

    def self.statistic(name) = P::METHOD_CALL.bind_call(STATISTIC, name)

    def self.present_directory
      P::METHOD_CALL.bind_call(PRESENT_DIRECTORY)
    rescue P::EXCEPTION # it is gone
      WORKSPACE
    end

    def self.turn
      number = ADD.bind_call(P::ARRAY_AT.bind_call(NUMBERS, 0), 1)
      P::ARRAY_POP.bind_call(NUMBERS)
      P::ARRAY_PUSH.bind_call(NUMBERS, P::SAME.bind_call(number, P::ARRAY_SIZE.bind_call(NAMES)) ? 0 : number)
    end

    def self.text(base64) = P::STRING_FORCE.bind_call(UNPACK.bind_call(base64, "m"), P::UTF_8)

    def self.lines_of(code) = ADD.bind_call(COUNT.bind_call(STRIP.bind_call(code), "\n"), 1)

    def self.pairs(text)
      words = P::STRING_SPLIT.bind_call(text, "\0", -1)
      found = {}
      while P::INTEGER_OVER.bind_call(P::ARRAY_SIZE.bind_call(words), 1)
        P::HASH_STORE.bind_call(found, P::ARRAY_SHIFT.bind_call(words), P::ARRAY_SHIFT.bind_call(words))
      end
      found
    end

    # A program with data takes the place of an earlier one, without a warning.
    def self.remove_data
      REMOVE_CONSTANT.bind_call(P::BASE, DATA) if HAS_CONSTANT.bind_call(P::BASE, DATA, false)
    end

    # Going where the program is already would warn if a fiber is in a block of `Dir.chdir`.
    def self.change_directory(path)
      P::METHOD_CALL.bind_call(CHANGE_DIRECTORY, path) unless EQUAL.bind_call(path, present_directory)
    end

    # A stream that an earlier run closed is open again.
    def self.open_streams
      OPEN.bind_call(INPUT, 0, "r", path: "<STDIN>") if IS_CLOSED.bind_call(INPUT)
      open_output(OUTPUT, 1, "<STDOUT>")
      open_output(ERRORS, 2, "<STDERR>")
    end

    def self.open_output(stream, number, name)
      return unless IS_CLOSED.bind_call(stream)
      OPEN.bind_call(stream, number, "w", path: name)
      WRITE_AT_ONCE.bind_call(stream, true)
    end

    # `ARGF` that has come to its end reads standard input again, which the name `-` stands for.
    def self.renew_arguments
      return unless P::ARRAY_EMPTY.bind_call(ARGUMENTS) && ended?
      P::ARRAY_PUSH.bind_call(ARGUMENTS, "-")
      P::METHOD_CALL.bind_call(ARGF_FILE)
    rescue P::EXCEPTION # the program has frozen the arguments, or replaced standard input
      nil
    end

    def self.ended?
      P::METHOD_CALL.bind_call(ARGF_NUMBER)
      false
    rescue P::ARGUMENT_ERROR
      true
    end

    # The host has emptied standard input; what is left is in the stream's buffer.
    def self.drop_input
      READ.bind_call(INPUT)
      COUNT_LINES_FROM.bind_call(INPUT, 0)
    rescue P::EXCEPTION # it is closed
      nil
    end

    # The descriptors of open files end with the run. Standard streams that go to one of them are as at
    # the start again.
    def self.close_files
      P::METHOD_CALL.bind_call(EACH_OBJECT, IO) { |file| close(file) }
      P::METHOD_CALL.bind_call(EACH_OBJECT, DIRECTORY) { |directory| close_directory(directory) }
      $stdin = INPUT if closed?($stdin)
      $stdout = OUTPUT if closed?($stdout)
      $stderr = ERRORS if closed?($stderr)
    end

    def self.close(file)
      CLOSE.bind_call(file) if P.over?(NUMBER.bind_call(file), 2)
    rescue P::EXCEPTION # it is closed, or its contents do not fit
      nil
    end

    def self.close_directory(directory)
      CLOSE_DIRECTORY.bind_call(directory)
    rescue P::EXCEPTION
      nil
    end

    def self.closed?(stream) = P.is_a?(stream, IO) && IS_CLOSED.bind_call(stream)

    # Ends the run at once: no block of `at_exit` runs. A fiber is left as by `exit`.
    def self.leave(status)
      CLEAR.bind_call(STATE.exit_blocks)
      P::METHOD_CALL.bind_call(P::TRAP, "EXIT", "DEFAULT")
      P::ARRAY_PUSH.bind_call(STATUSES, status)
      THROW.bind_call(self, LEAVE)
    rescue NOT_CAUGHT
      P::ARRAY_POP.bind_call(STATUSES)
      P::METHOD_CALL.bind_call(EXIT, status)
    end

    private_class_method :own_line, :with_line, :turn, :collect, :statistic, :present_directory, :text, :lines_of, :pairs, :remove_data, :open_streams, :change_directory, :open_output, :renew_arguments, :ended?, :drop_input, :close_files, :close,
                         :close_directory, :closed?
  end

  # The host calls these on the module, which it holds: a program can remove the module's name.
  def self.prepare_context(all) = Contexts.prepare(*all)
  def self.run_context = Contexts.run
  def self.finish_context(left) = Contexts.finish(left)

  # As without contexts, but under the name of the run.
  def self.evaluate
    value = EVALUATE.bind_call(Contexts::TOP, STATE.code, Contexts.script, 1)
    ended = true
    value
  ensure
    P::METHOD_CALL.bind_call(FORGET_TIMEOUTS)
    return nil unless ended || $!
  end
  private_class_method :evaluate

  # Blocks, in which constants are found without the module's name.
  ::Kernel.class_exec do
    exit_at_once = instance_method(:exit!)
    define_method(:exit!) do |status = false|
      status = status == true ? 0 : status == false ? 1 : Integer(status)
      Contexts.running? ? Contexts.leave(status) : exit_at_once.bind_call(self, status)
    end
    private :exit!
    singleton_class.define_method(:exit!, instance_method(:exit!))
  end
  ::Process.singleton_class.define_method(:exit!, ::Kernel.instance_method(:exit!))

  ::Timeout.module_eval("::Belljar::Contexts::DEADLINES = DEADLINES", "<internal:belljar/contexts>")
  Contexts.freeze

  # Makes the default generator, so that a context's first run takes as many random bytes as later ones.
  ::Kernel.srand(0)

  # The first such collection changes many objects a little. Here that is part of the baseline.
  ::Process.warmup
end
