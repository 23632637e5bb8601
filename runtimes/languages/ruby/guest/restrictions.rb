# frozen_string_literal: true

# Functions that a sandboxed program cannot have raise immediately, and say why.
module Belljar
  module Restrictions
    FILE = "<internal:belljar/restrictions>"
    PROCESSES = %i[system exec fork spawn ` syscall].freeze
    NO_PROCESSES = "processes are not available here; File, Dir, FileUtils and Ruby's libraries do what shell commands do"
    NO_PIPES = "pipes are not available here; StringIO, Queue and Fiber work within the program"
    NO_THREADS = "threads are not available here; call the block itself, or use Fiber or Enumerator"
    NO_RACTORS = "ractors are not available here; call the block itself, or use Fiber or Enumerator"
    OF_PROCESS = %i[exec fork spawn daemon wait wait2 waitall waitpid waitpid2 detach setsid].freeze

    def self.install
      refuse(::Kernel, NO_PROCESSES, *PROCESSES)
      let_clear(::Kernel)
      ::Kernel.send(:private, *PROCESSES)
      refuse(::Kernel.singleton_class, NO_PROCESSES, *PROCESSES)
      let_clear(::Kernel.singleton_class)
      refuse(::Process.singleton_class, NO_PROCESSES, *OF_PROCESS)
      refuse(::IO.singleton_class, NO_PROCESSES, :popen)
      refuse(::IO.singleton_class, NO_PIPES, :pipe)
      refuse(::Thread.singleton_class, NO_THREADS, :new, :start, :fork)
      refuse(::Ractor.singleton_class, NO_RACTORS, :new, :receive, :recv, :select)
      refuse(::Ractor::Port, NO_RACTORS, :receive)
      deny(::Kernel, PROCESSES)
      deny(::Process, OF_PROCESS)
      deny(::IO, %i[popen pipe])
      close_bytecode
      hide_javascript
    end

    # Without a screen, clearing it does nothing.
    def self.let_clear(owner)
      refused = owner.instance_method(:system)
      owner.define_method(:system) do |*command, **options|
        next true if command.size == 1 && %w[clear cls].include?(command[0])
        refused.bind_call(self, *command, **options)
      end
    end

    # Named methods, so that a backtrace shows their names.
    def self.refuse(owner, why, *names)
      place = owner.singleton_class? ? "#{owner.attached_object}." : ""
      names.each do |name|
        message = "#{place unless place == "Kernel."}#{name}: #{why}"
        owner.class_eval("def #{name}(*, **, &) = ::Kernel.raise(::NotImplementedError, #{message.inspect})", FILE)
      end
    end

    # `respond_to?` is false for the method.
    def self.deny(owner, names)
      owner.define_singleton_method(:respond_to?) do |name, *all|
        names.none? { |denied| denied == name || denied.name == name } && super(name, *all)
      end
    end

    # The interpreter does not check bytecode, so a program may not supply any.
    def self.close_bytecode
      sequence = ::RubyVM::InstructionSequence
      %i[load_from_binary load_from_binary_extra_data].each { |name| sequence.singleton_class.undef_method(name) }
      sequence.undef_method(:to_binary)
    end

    # The module was built with a bridge to JavaScript. A linked-in extension can be loaded only
    # once, so after this no file and no extension of its name exists. The objects that can still be
    # found have no methods.
    def self.hide_javascript
      before = $LOADED_FEATURES.dup
      require "js.so"
      $LOADED_FEATURES.replace(before)
      bridge = ::Object.send(:remove_const, :JS)
      [bridge, bridge.const_get(:Object), bridge.const_get(:Error)].each do |type|
        [type, type.singleton_class].each do |owner|
          methods = owner.instance_methods(false) + owner.private_instance_methods(false)
          methods.each { |name| owner.undef_method(name) }
        end
      end
    end

    install
    private_class_method :install, :refuse, :deny, :let_clear, :close_bytecode, :hide_javascript
    freeze
  end
end
