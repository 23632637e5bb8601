# frozen_string_literal: true

# Mocks and stubs for Minitest, which has them in a gem of its own.
class MockExpectationError < StandardError; end

module Minitest
  # An object that is told which calls to expect, and what to answer to each.
  class Mock
    # What a mock answers itself as long as it is not told to expect it.
    OWN = %i[== === class inspect instance_eval instance_exec instance_variable_get instance_variable_set
             instance_variables is_a? kind_of? nil? object_id public_send respond_to? send to_s].freeze
    Call = ::Struct.new(:name, :result, :arguments, :keywords, :block) do
      def to_s
        return "#{name}(...)" if block
        shown = arguments.map(&:inspect) + keywords.map { |key, value| "#{key}: #{value.inspect}" }
        "#{name}(#{shown.join(", ")}) => #{result.inspect}"
      end

      def takes?(given, named)
        given.size == arguments.size && keywords.keys.sort == named.keys.sort &&
          arguments.zip(given).all? { |wanted, value| wanted === value || wanted == value } &&
          keywords.all? { |key, wanted| wanted === named[key] || wanted == named[key] }
      end

      def check_shape(given, named)
        if given.size != arguments.size
          ::Kernel.raise ::ArgumentError, "mocked method #{name.inspect} expects #{arguments.size} arguments, got #{given.inspect}"
        elsif keywords.size != named.size
          ::Kernel.raise ::ArgumentError,
            "mocked method #{name.inspect} expects #{keywords.size} keyword arguments, got #{named.inspect}"
        end
      end
    end
    private_constant :OWN, :Call

    (instance_methods - OWN).each { |name| undef_method(name) unless name.start_with?("__") }
    OWN.each do |name|
      define_method(name) do |*given, **named, &block|
        @expected.key?(name) ? method_missing(name, *given, **named, &block) : super(*given, **named, &block)
      end
    end

    def initialize(delegator = nil)
      @delegator = delegator
      @expected = ::Hash.new { |all, name| all[name] = [] }
      @met = ::Hash.new(0)
    end

    def expect(name, result, arguments = [], **keywords, &block)
      ::Kernel.raise ::ArgumentError, "args must be an array" unless ::Array === arguments
      if block && !(arguments.empty? && keywords.empty?)
        ::Kernel.raise ::ArgumentError, "args ignored when block given"
      end
      @expected[name.to_sym] << Call.new(name.to_sym, result, arguments, keywords, block)
      self
    end

    # True when every expected call came. Raises MockExpectationError.
    def verify
      @expected.each do |name, calls|
        missing = calls[@met[name]]
        ::Kernel.raise ::MockExpectationError, "Expected #{missing}" if missing
      end
      true
    end

    def method_missing(name, *given, **named, &block)
      calls = @expected.fetch(name) { return unexpected(name, given, named, block) }
      call = calls[@met[name]]
      unless call
        ::Kernel.raise ::MockExpectationError,
          "No more expects available for #{name.inspect}: #{given.inspect} #{named.inspect}"
      end
      answer(call, given, named, block)
    end

    def respond_to_missing?(name, _all = false)
      @expected.key?(name.to_sym) || (@delegator ? @delegator.respond_to?(name) : false)
    end

    private

    def unexpected(name, given, named, block)
      if @delegator&.respond_to?(name)
        return @delegator.public_send(name, *given, **named, &block)
      end
      ::Kernel.raise ::NoMethodError, "unmocked method #{name.inspect}, expected one of #{@expected.keys.sort.inspect}"
    end

    def answer(call, given, named, block)
      if call.block
        @met[call.name] += 1 # a call that the block refuses came all the same
        taken = call.block.call(*given, **named, &block)
        shown = "mocked method #{call.name.inspect} failed block w/ #{given.inspect} #{named.inspect}"
      else
        call.check_shape(given, named)
        taken = call.takes?(given, named)
        shown = "mocked method #{call.name.inspect} called with unexpected arguments #{given.inspect}" \
          "#{" #{named.inspect}" unless named.empty?}"
      end
      ::Kernel.raise ::MockExpectationError, shown unless taken
      @met[call.name] += 1 unless call.block
      call.result
    end
  end
end

class Object
  # For the time of a block, a method answers with a value, or with what a callable gives for it.
  def stub(name, answer, *yielded, **yielded_named)
    own = singleton_class
    unless respond_to?(name, true)
      raise NameError.new("undefined method '#{name}' for #{own.inspect}", name, receiver: self)
    end
    hidden = own.method_defined?(name, false) || own.private_method_defined?(name, false) ? own.instance_method(name) : nil
    own.define_method(name) do |*given, **named, &block|
      next answer.call(*given, **named, &block) if answer.respond_to?(:call)
      block&.call(*yielded, **yielded_named)
      answer
    end
    yield self
  ensure
    if own&.method_defined?(name, false)
      own.remove_method(name)
      own.define_method(name, hidden) if hidden
    end
  end
end

module Minitest
  module Assertions
    # Passes when the calls that a mock expects came.
    def assert_mock(mock, message = nil)
      mock.verify
      pass
    rescue ::MockExpectationError => error
      flunk message ? "#{message}.\n#{error.message}" : error.message
    end
  end
end
