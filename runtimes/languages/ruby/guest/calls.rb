# frozen_string_literal: true

# Calls of functions of the program's caller: `tools.crm.find(q: "x")`. A call is a line of JSON, written
# to a device; reading the answer blocks. The names below exist only in a run with tools.

# A call that failed.
class ToolError < StandardError
  # `unknown`: whether nobody knows if the call took place, as the data says.
  attr_reader :tool, :data, :unknown
  alias unknown? unknown

  def initialize(message = nil, tool: nil, data: nil)
    super(message)
    @tool = tool
    @data = data
    @unknown = data.is_a?(Hash) && data["unknown"] == true
  end
end

# The caller refused the call; the message is the reason.
class ToolDenied < ToolError; end

# Nobody answered in time.
class ToolExpired < ToolError; end

# The tools, as a constant where the method `tools` is not visible.
module Tools; end

module Belljar
  # The tools below a path, which ends with a dot; it is nil for all of them.
  module ToolNames
    # A name that is not declared: the error names those that are near.
    def method_missing(name = nil, *arguments, **keywords) = Calls.call("#{@path}#{name || "method_missing"}", arguments, keywords)
    def respond_to_missing?(*) = false
    def inspect = "#<tools #{Calls.names_below(@path)}>"
    def to_s = inspect

    # No tool has such a name.
    def call!(name, arguments, keywords) = Calls.call(name, arguments, keywords)
    private :call!
  end

  class ToolGroup
    include ToolNames

    def initialize(path)
      @path = path
    end
  end

  # A tool, as `Tools["crm.find"]` gives it.
  class Tool
    attr_reader :name, :description, :input_schema

    def initialize(name, description, input_schema)
      @name = name
      @description = description
      @input_schema = input_schema
    end

    def call(*arguments, **keywords) = Calls.call(@name, arguments, keywords)
    def to_proc = method(:call).to_proc
  end

  # What `Tools` has besides tools, which go first.
  module ToolList
    def names = Calls.names
    def [](name) = Calls.tool(name)
  end
  ::Tools.extend(ToolNames, ToolList)

  module Calls
    P = Primitives
    DEVICE = "/dev/call"
    FILE = "<internal:belljar/calls>"
    READ_WRITE = ::File::RDWR
    MAX_ARGUMENTS = 65_536
    MAX_NEAR = 3
    MAX_PENDING = 64
    REFUSED = ::Errno::EINVAL
    NESTED = ::JSON::NestingError
    MAX_DEPTH = 500
    # A piece of an answer. Ruby makes room for all of it before it reads.
    ANSWER_BYTES = 65_536
    ERROR = ::ToolError
    KINDS = { "tool" => ::ToolError, "denied" => ::ToolDenied, "expired" => ::ToolExpired }.freeze
    NO_TOOLS = "this run has no tools"
    USAGE = "the arguments must be keywords or one Hash"
    NOT_JSON = "the arguments cannot be JSON, which has no infinite numbers, cycles, invalid text or objects without to_json"
    ROOT = ::Tools
    CONSTANTS = %i[Tools ToolError ToolDenied ToolExpired].to_h { |name| [name, ::Object.send(:remove_const, name)] }.to_a.freeze
    CONSTANTS.each { |name, type| ROOT.const_set(name, type) unless name == :Tools }
    # Constants of this class are visible in every class.
    EVERYWHERE = ::BasicObject
    KERNEL = ::Kernel

    OPEN = ::IO.method(:sysopen)
    FOR_DESCRIPTOR = ::IO.method(:for_fd)
    READ = ::IO.instance_method(:sysread)
    WRITE = ::IO.instance_method(:syswrite)
    CLOSE = ::IO.instance_method(:close)
    PARSE = ::JSON::Ext::ParserConfig.new(max_nesting: MAX_DEPTH).method(:parse)
    WAITING = ::Timeout.method(:waiting)
    ADD = ::Integer.instance_method(:+)
    UNPACK = ::String.instance_method(:unpack1)
    ENDS = ::String.instance_method(:end_with?)
    CHANGES = ::DidYouMean::Levenshtein.method(:distance)
    EQUAL = ::String.instance_method(:==)
    AT = ::Hash.instance_method(:[])
    KEYS = ::Hash.instance_method(:keys)
    CLEAR = ::Hash.instance_method(:clear)
    METHODS = ::Kernel.instance_method(:singleton_methods)
    DEFINE_METHOD = ::Kernel.instance_method(:define_singleton_method)
    SINGLETON = ::Kernel.instance_method(:singleton_class)
    EVALUATE = ::Module.instance_method(:class_eval)
    DEFINE = ::Module.instance_method(:define_method)
    PRIVATE = ::Module.instance_method(:private)
    REMOVE = ::Module.instance_method(:remove_method)
    SET_CONSTANT = ::Module.instance_method(:const_set)
    REMOVE_CONSTANT = ::Module.instance_method(:remove_const)

    # The number of the last call.
    NUMBER = [0]
    # The declared tools by name, and the groups by path; empty without tools.
    DECLARED = {}
    GROUPS = {}

    # Begins a run with tools: a list of them as JSON, in Base64.
    def self.begin(tools)
      forget
      json = P::STRING_FORCE.bind_call(UNPACK.bind_call(tools, "m"), P::UTF_8)
      verbose = $VERBOSE
      $VERBOSE = nil # Ruby warns about methods such as `object_id`
      P::HASH_STORE.bind_call(GROUPS, "", ROOT)
      each(P::METHOD_CALL.bind_call(PARSE, json)) { |tool| declare(tool) }
      each(CONSTANTS) { |name, type| SET_CONSTANT.bind_call(EVERYWHERE, name, type) }
      DEFINE.bind_call(KERNEL, :tools) { ROOT }
      PRIVATE.bind_call(KERNEL, :tools)
      $VERBOSE = verbose
      nil
    end

    # Ends a run, so that later ones without tools find none of these names.
    def self.finish
      return if P::SAME.bind_call(P::HASH_SIZE.bind_call(GROUPS), 0)
      remove { REMOVE.bind_call(KERNEL, :tools) }
      each(CONSTANTS) { |name, _| remove { REMOVE_CONSTANT.bind_call(EVERYWHERE, name) } }
      forget
    end

    def self.forget
      P::ARRAY_POP.bind_call(NUMBER)
      P::ARRAY_PUSH.bind_call(NUMBER, 0)
      CLEAR.bind_call(DECLARED)
      CLEAR.bind_call(GROUPS)
      type = SINGLETON.bind_call(ROOT)
      each(METHODS.bind_call(ROOT, false)) { |name| remove { REMOVE.bind_call(type, name) } }
    end

    # Makes the methods that lead to a tool. They are named ones, so that a backtrace shows the names.
    def self.declare(tool)
      name = AT.bind_call(tool, "name")
      P::HASH_STORE.bind_call(DECLARED, name, tool)
      segments = P::STRING_SPLIT.bind_call(name, ".")
      last = P::ARRAY_POP.bind_call(segments)
      path = ""
      each(segments) do |segment|
        parent = AT.bind_call(GROUPS, path)
        path = "#{path}#{segment}."
        next if P::HASH_HAS.bind_call(GROUPS, path)
        group = ToolGroup.new(path)
        P::HASH_STORE.bind_call(GROUPS, path, group)
        DEFINE_METHOD.bind_call(parent, segment) { group }
      end
      return if EQUAL.bind_call(last, "method_missing") # the way to tools that are not declared
      owner = SINGLETON.bind_call(AT.bind_call(GROUPS, path))
      EVALUATE.bind_call(owner, "def #{last}(*arguments, **keywords) = call!(\"#{name}\", arguments, keywords)", FILE)
    end

    def self.names = KEYS.bind_call(DECLARED)

    def self.names_below(path) = P::ARRAY_JOIN.bind_call(names.select { |name| P::STRING_STARTS.bind_call(name, path || "") }, ", ")

    # The tool of a name; nil if there is none.
    def self.tool(name)
      tool = AT.bind_call(DECLARED, name)
      tool && Tool.new(name, AT.bind_call(tool, "description"), AT.bind_call(tool, "inputSchema"))
    end

    # Calls a tool and returns its value. Raises a ToolError.
    def self.call(name, arguments, keywords)
      reject(name, NO_TOOLS) if P::SAME.bind_call(P::HASH_SIZE.bind_call(GROUPS), 0)
      P.fail(ERROR.new(undeclared(name), tool: name)) unless P::HASH_HAS.bind_call(DECLARED, name)
      kind, answer = ask(name, arguments_json(name, argument_hash(name, arguments, keywords)))
      return answer if EQUAL.bind_call(kind, "value")
      type = AT.bind_call(KINDS, AT.bind_call(answer, "kind"))
      P.fail(type.new(AT.bind_call(answer, "message"), tool: name, data: AT.bind_call(answer, "data")))
    end

    # The message for a name that is not declared.
    def self.undeclared(name)
      most = (name.size / 3).clamp(1, 3)
      alike = names.select { |other| (other.size - name.size).abs <= most }
      changes = alike.to_h { |other| [other, P::METHOD_CALL.bind_call(CHANGES, name, other)] }
      near = changes.select { |_, count| count <= most }.sort_by { |other, count| [count, other] }.first(MAX_NEAR).map(&:first)
      "there is no tool #{P.json_string(name)}#{"; did you mean #{near.join(", ")}?" unless near.empty?}"
    end

    # Keywords, or one Hash instead of them.
    def self.argument_hash(name, arguments, keywords)
      return keywords if P::ARRAY_EMPTY.bind_call(arguments)
      single = P::ARRAY_AT.bind_call(arguments, 0)
      reject(name, USAGE) if P.over?(P::ARRAY_SIZE.bind_call(arguments), 1) || P.over?(P::HASH_SIZE.bind_call(keywords), 0) || !P.is_a?(single, P::HASH)
      single
    end

    def self.arguments_json(name, arguments)
      json = Values.json_or_nil(arguments, MAX_ARGUMENTS) || reject(name, NOT_JSON)
      P::STRING_STARTS.bind_call(json, "{") ? json : reject(name, USAGE)
    rescue TooLarge
      reject(name, "the arguments are more than #{MAX_ARGUMENTS} bytes as JSON")
    end

    # Makes a call and waits for its answer: `value` or `error`, and the parsed JSON.
    def self.ask(name, json)
      descriptor = P::METHOD_CALL.bind_call(OPEN, DEVICE, READ_WRITE)
      device = P::METHOD_CALL.bind_call(FOR_DESCRIPTOR, descriptor, READ_WRITE)
      number = ADD.bind_call(P::ARRAY_AT.bind_call(NUMBER, 0), 1)
      begin
        WRITE.bind_call(device, "call #{number} #{name} #{json}\n")
      rescue REFUSED
        reject(name, "at most #{MAX_PENDING} calls may be without an answer at a time")
      end
      P::ARRAY_POP.bind_call(NUMBER)
      P::ARRAY_PUSH.bind_call(NUMBER, number)
      P::METHOD_CALL.bind_call(WAITING) { |seconds| answer_within(device, number, seconds) }
    ensure
      CLOSE.bind_call(device) if device
    end

    # The answer to a call; nil when the seconds have passed without one.
    def self.answer_within(device, number, seconds)
      ms = seconds ? format("%.3f", seconds * 1_000) : "-"
      WRITE.bind_call(device, "wait #{number} #{ms}\n")
      line = READ.bind_call(device, ANSWER_BYTES)
      P::STRING_APPEND.bind_call(line, READ.bind_call(device, ANSWER_BYTES)) until ENDS.bind_call(line, "\n")
      kind, _, json = P::STRING_SPLIT.bind_call(P::STRING_FORCE.bind_call(line, P::UTF_8), " ", 3)
      [kind, P::METHOD_CALL.bind_call(PARSE, json)] if json
    rescue NESTED
      reject(nil, "the answer has more than #{MAX_DEPTH} levels")
    end

    def self.each(array)
      rest = P.copied(array)
      yield P::ARRAY_SHIFT.bind_call(rest) until P::ARRAY_EMPTY.bind_call(rest)
    end

    def self.remove
      yield
    rescue P::EXCEPTION # the program has removed it itself
      nil
    end

    def self.reject(name, message) = P.fail(ERROR.new(name ? "#{name}: #{message}" : message, tool: name))

    private_class_method :forget, :declare, :undeclared, :argument_hash, :arguments_json, :ask, :answer_within, :each, :remove, :reject
    freeze
  end

  # The host calls this on the module, which it holds.
  def self.begin_calls(tools) = Calls.begin(tools)
end
