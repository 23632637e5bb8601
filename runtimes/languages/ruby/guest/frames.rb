# frozen_string_literal: true

# The stack that programs see ends with their own first frame. Ruby treats frames of this driver
# like those of C functions. The outermost ones, with no program frame below them, are removed here.
module Belljar
  module Frames
    OWN = "<internal:belljar"
    # Ruby's own methods.
    OF_EXCEPTION = ::Exception.instance_method(:backtrace)
    OF_THREAD = ::Thread.instance_method(:backtrace)
    LOCATIONS_OF_THREAD = ::Thread.instance_method(:backtrace_locations)

    # Number of frames of this file between a program and the method that lists frames.
    DEPTH = 2

    # The frames to skip from here, given the number or the range that the program passed.
    def self.shifted(start)
      return DEPTH if ::Range === start
      return start unless ::Integer === start
      ::Kernel.raise(::ArgumentError, "negative level (#{start})") if start.negative?
      start + DEPTH
    end

    # Removes this driver's frames from the end of a list of strings or locations. The list is
    # changed in place, because an exception has one list, which programs may change.
    def self.visible(frames)
      frames.pop if ::Array === frames && !frames.frozen? && frames.last.to_s.start_with?(OWN)
      frames
    end

    # Selects from a list of all frames what a program asked for; a range does not count the
    # driver's frames.
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
