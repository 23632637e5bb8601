# frozen_string_literal: true

# Output that a program has written, but that is still in a buffer when the program ends. Ruby writes it
# at the end of the process, which is none here.
module Belljar
  module Buffers
    P = Primitives
    OUTPUT = ::STDOUT
    ERRORS = ::STDERR
    EACH = ::ObjectSpace.method(:each_object)
    IO = ::IO
    FLUSH = ::IO.instance_method(:flush)
    STANDARD_ERROR = ::StandardError

    # Writes what the standard streams hold.
    def self.flush_streams
      flush(OUTPUT)
      flush(ERRORS)
    end

    # Writes what all files hold. This looks at every object.
    def self.flush_all
      P::METHOD_CALL.bind_call(EACH, IO) { |file| flush(file) }
      nil
    end

    # What cannot be written is lost, as at the end of a process.
    def self.flush(file)
      FLUSH.bind_call(file)
    rescue STANDARD_ERROR
      nil
    end

    private_class_method :flush
    freeze
  end
end
