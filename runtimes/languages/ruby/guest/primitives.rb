# frozen_string_literal: true

# The core classes' methods as they were before any program ran, and calls of them. A program may
# redefine any method, so this driver uses a program's values only through these.
module Belljar
  # Everything below relies on one method: bind_call.
  ::UnboundMethod.freeze

  module Primitives
    # The classes under the driver's own names: a program can remove the original ones.
    BASE = ::Object
    ARRAY = ::Array
    HASH = ::Hash
    STRING = ::String
    SYMBOL = ::Symbol
    INTEGER = ::Integer
    FLOAT = ::Float
    NIL = ::NilClass
    TRUE = ::TrueClass
    FALSE = ::FalseClass
    EXCEPTION = ::Exception
    PROC = ::Proc
    EXIT = ::SystemExit
    ARGUMENT_ERROR = ::ArgumentError
    ENCODING_ERROR = ::EncodingError
    LOAD_ERROR = ::LoadError
    SYNTAX_ERROR = ::SyntaxError
    TYPE_ERROR = ::TypeError

    IS_A = ::Module.instance_method(:===)
    SAME = ::BasicObject.instance_method(:equal?)
    CLASS_OF = ::Kernel.instance_method(:class)
    METHOD_OF = ::Kernel.instance_method(:method)
    RAISE = ::Kernel.instance_method(:raise)
    METHOD_OWNER = ::Method.instance_method(:owner)
    METHOD_ARITY = ::Method.instance_method(:arity)
    METHOD_CALL = ::Method.instance_method(:call)
    METHOD_DEFINED = ::Module.instance_method(:public_method_defined?)
    PUBLIC_METHOD = ::Module.instance_method(:public_instance_method)
    UNBOUND_ARITY = ::UnboundMethod.instance_method(:arity)
    PLAIN_TEXT = ::Kernel.instance_method(:to_s)
    RESPONDS = ::Kernel.instance_method(:respond_to?)
    MODULE_NAME = ::Module.instance_method(:name)
    MODULE_TEXT = ::Module.instance_method(:to_s)
    ARRAY_AT = ::Array.instance_method(:at)
    ARRAY_SIZE = ::Array.instance_method(:size)
    ARRAY_PUSH = ::Array.instance_method(:push)
    ARRAY_POP = ::Array.instance_method(:pop)
    ARRAY_SHIFT = ::Array.instance_method(:shift)
    ARRAY_HAS = ::Array.instance_method(:include?)
    ARRAY_EMPTY = ::Array.instance_method(:empty?)
    ARRAY_FIRST = ::Array.instance_method(:first)
    ARRAY_LAST = ::Array.instance_method(:last)
    ARRAY_JOIN = ::Array.instance_method(:join)
    ARRAY_PACK = ::Array.instance_method(:pack)
    HASH_PAIRS = ::Hash.instance_method(:to_a)
    HASH_STORE = ::Hash.instance_method(:store)
    HASH_HAS = ::Hash.instance_method(:key?)
    HASH_DELETE = ::Hash.instance_method(:delete)
    HASH_BY_IDENTITY = ::Hash.instance_method(:compare_by_identity)
    HASH_DEFAULT = ::Hash.instance_method(:default)
    HASH_SET_DEFAULT = ::Hash.instance_method(:default=)
    HASH_SIZE = ::Hash.instance_method(:size)
    INTEGER_OVER = ::Integer.instance_method(:>)
    INTEGER_TEXT = ::Integer.instance_method(:to_s)
    FLOAT_TEXT = ::Float.instance_method(:to_s)
    FLOAT_FINITE = ::Float.instance_method(:finite?)
    SYMBOL_TEXT = ::Symbol.instance_method(:to_s)
    STRING_REPLACE = ::String.instance_method(:replace)
    STRING_APPEND = ::String.instance_method(:concat)
    STRING_BYTES = ::String.instance_method(:bytesize)
    STRING_ENCODING = ::String.instance_method(:encoding)
    STRING_FORCE = ::String.instance_method(:force_encoding)
    STRING_ENCODE = ::String.instance_method(:encode)
    STRING_VALID = ::String.instance_method(:valid_encoding?)
    STRING_SCRUB = ::String.instance_method(:scrub)
    STRING_GSUB = ::String.instance_method(:gsub)
    STRING_SLICE = ::String.instance_method(:[])
    STRING_INSPECT = ::String.instance_method(:inspect)
    STRING_STARTS = ::String.instance_method(:start_with?)
    STRING_HAS = ::String.instance_method(:include?)
    STRING_SPLIT = ::String.instance_method(:split)
    STRING_LINES = ::String.instance_method(:lines)
    STRING_TO_I = ::String.instance_method(:to_i)
    EXCEPTION_BACKTRACE = Frames::OF_EXCEPTION
    EXCEPTION_CAUSE = ::Exception.instance_method(:cause)
    EXIT_STATUS = ::SystemExit.instance_method(:status)
    MAIN_THREAD = ::Thread.current
    THREAD_BACKTRACE = Frames::OF_THREAD
    TRAP = ::Signal.method(:trap)
    PROC_CALL = ::Proc.instance_method(:call)

    UTF_8 = ::Encoding::UTF_8
    BINARY = ::Encoding::BINARY
    ASCII = ::Encoding::US_ASCII
    REPLACEMENT = "\uFFFD"
    REPLACE_ALL = { invalid: :replace, undef: :replace, replace: REPLACEMENT }.freeze

    JSON_UNSAFE = /["\\\x00-\x1f\x7f]/
    JSON_ESCAPES = (0..0x1f).to_h { |code| [code.chr, format('\u%04x', code)] }.merge(
      "\n" => '\n', "\r" => '\r', "\t" => '\t', '"' => '\"', "\\" => "\\\\", "\x7f" => '\u007f',
    ).freeze

    def self.is_a?(value, type) = IS_A.bind_call(type, value)

    # Whether a number is greater than another.
    def self.over?(number, other) = INTEGER_OVER.bind_call(number, other)

    # A new Array with the elements of another.
    def self.copied(array) = ARRAY_FIRST.bind_call(array, ARRAY_SIZE.bind_call(array))

    # Raises an exception, even if a program has replaced `raise`.
    def self.fail(error) = RAISE.bind_call(self, error)

    # A new String with the characters of another, in valid UTF-8; invalid ones are replaced.
    def self.utf8(string)
      copy = recoded(string, REPLACE_ALL)
      STRING_VALID.bind_call(copy) ? copy : STRING_SCRUB.bind_call(copy, REPLACEMENT)
    rescue ENCODING_ERROR # an encoding without a converter
      STRING_SCRUB.bind_call(STRING_FORCE.bind_call(STRING_REPLACE.bind_call(STRING.new, string), UTF_8), REPLACEMENT)
    end

    # The same, or nil when a character would have to be replaced.
    def self.whole_utf8(string)
      copy = recoded(string, {})
      STRING_VALID.bind_call(copy) ? copy : nil
    rescue ENCODING_ERROR
      nil
    end

    # A copy in UTF-8. Binary strings are taken as UTF-8, valid or not.
    def self.recoded(string, options)
      copy = STRING_REPLACE.bind_call(STRING.new, string)
      encoding = STRING_ENCODING.bind_call(copy)
      return copy if SAME.bind_call(encoding, UTF_8)
      bytes = SAME.bind_call(encoding, BINARY) || SAME.bind_call(encoding, ASCII)
      bytes ? STRING_FORCE.bind_call(copy, UTF_8) : STRING_ENCODE.bind_call(copy, UTF_8, **options)
    end
    private_class_method :recoded

    # A text as JSON.
    def self.json_string(string) = quoted(utf8(string))

    # A text in valid UTF-8 as JSON.
    def self.quoted(text)
      escaped = STRING_GSUB.bind_call(text, JSON_UNSAFE, JSON_ESCAPES)
      "\"#{escaped}\""
    end

    # The name of a class, or what Ruby shows for one without a name.
    def self.class_name(type)
      MODULE_NAME.bind_call(type) || MODULE_TEXT.bind_call(type)
    end

    freeze
  end
end
