# frozen_string_literal: true

# What programs see of the stack ends with their own first frame. Frames of this driver count as
# those of C functions; the outermost, with no frame of a program below it, is taken off here.
module Belljar
  module Frames
    OWN = "<internal:belljar"
    # The methods as Ruby has them.
    OF_EXCEPTION = ::Exception.instance_method(:backtrace)
    OF_THREAD = ::Thread.instance_method(:backtrace)
    LOCATIONS_OF_THREAD = ::Thread.instance_method(:backtrace_locations)

    # How many frames of this file lie between a program and the method that lists them.
    DEPTH = 2

    # How many frames to skip from here, for a number of frames to skip or a range of frames.
    def self.shifted(start)
      return DEPTH if ::Range === start
      return start unless ::Integer === start
      ::Kernel.raise(::ArgumentError, "negative level (#{start})") if start.negative?
      start + DEPTH
    end

    # A list of frames, as strings or locations, without this driver's own at its end. An exception
    # has one list, which programs may change: it stays the same one.
    def self.visible(frames)
      frames.pop if ::Array === frames && !frames.frozen? && frames.last.to_s.start_with?(OWN)
      frames
    end

    # Of a list of all frames what a program asks for: a range counts without the driver's own.
    def self.chosen(frames, start)
      frames = visible(frames)
      ::Range === start && frames ? frames[start] : frames
    end

    freeze
  end
end

class Exception
  belljar_locations = instance_method(:backtrace_locations)
  define_method(:backtrace) { Belljar::Frames.visible(Belljar::Frames::OF_EXCEPTION.bind_call(self)) }
  define_method(:backtrace_locations) { Belljar::Frames.visible(belljar_locations.bind_call(self)) }
end

class Thread
  def backtrace(start = 0, *length)
    skipped = Belljar::Frames.shifted(start)
    Belljar::Frames.chosen(Belljar::Frames::OF_THREAD.bind_call(self, skipped, *length), start)
  end

  def backtrace_locations(start = 0, *length)
    skipped = Belljar::Frames.shifted(start)
    Belljar::Frames.chosen(Belljar::Frames::LOCATIONS_OF_THREAD.bind_call(self, skipped, *length), start)
  end
end

module Kernel
  %i[caller caller_locations].each do |name|
    original = instance_method(name)
    define_method(name) do |start = 1, *length|
      Belljar::Frames.chosen(original.bind_call(self, Belljar::Frames.shifted(start), *length), start)
    end
    private name
    singleton_class.define_method(name, instance_method(name))
  end
end
