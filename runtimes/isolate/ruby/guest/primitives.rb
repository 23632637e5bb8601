# frozen_string_literal: true

# Methods of the core classes as they are before any program ran, and calls of them. A program
# may redefine whatever it likes: what this driver does with its values goes through here.
module Belljar
  # bind_call is the one method that everything below relies on.
  ::UnboundMethod.freeze

  module Primitives
    # The classes by names of ours: a program can take their own names away.
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
    EXIT = ::SystemExit
    LOAD_ERROR = ::LoadError
    SYNTAX_ERROR = ::SyntaxError

    IS_A = ::Module.instance_method(:===)
    SAME = ::BasicObject.instance_method(:equal?)
    CLASS_OF = ::Kernel.instance_method(:class)
    PLAIN_TEXT = ::Kernel.instance_method(:to_s)
    RESPONDS = ::Kernel.instance_method(:respond_to?)
    MODULE_NAME = ::Module.instance_method(:name)
    MODULE_TEXT = ::Module.instance_method(:to_s)
    ARRAY_AT = ::Array.instance_method(:at)
    ARRAY_SIZE = ::Array.instance_method(:size)
    ARRAY_PUSH = ::Array.instance_method(:push)
    ARRAY_POP = ::Array.instance_method(:pop)
    ARRAY_SHIFT = ::Array.instance_method(:shift)
    ARRAY_EMPTY = ::Array.instance_method(:empty?)
    ARRAY_FIRST = ::Array.instance_method(:first)
    ARRAY_LAST = ::Array.instance_method(:last)
    HASH_PAIRS = ::Hash.instance_method(:to_a)
    HASH_STORE = ::Hash.instance_method(:store)
    HASH_HAS = ::Hash.instance_method(:key?)
    HASH_DELETE = ::Hash.instance_method(:delete)
    HASH_BY_IDENTITY = ::Hash.instance_method(:compare_by_identity)
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
    STRING_STARTS = ::String.instance_method(:start_with?)
    STRING_TO_I = ::String.instance_method(:to_i)
    EXCEPTION_BACKTRACE = ::Exception.instance_method(:backtrace)
    EXIT_STATUS = ::SystemExit.instance_method(:status)
    MAIN_THREAD = ::Thread.current
    THREAD_BACKTRACE = ::Thread.instance_method(:backtrace)
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

    # A new String with the characters of another, in valid UTF-8.
    def self.utf8(string)
      copy = STRING_REPLACE.bind_call(STRING.new, string)
      encoding = STRING_ENCODING.bind_call(copy)
      if SAME.bind_call(encoding, BINARY) || SAME.bind_call(encoding, ASCII)
        STRING_FORCE.bind_call(copy, UTF_8)
      elsif !SAME.bind_call(encoding, UTF_8)
        copy = STRING_ENCODE.bind_call(copy, UTF_8, **REPLACE_ALL)
      end
      STRING_VALID.bind_call(copy) ? copy : STRING_SCRUB.bind_call(copy, REPLACEMENT)
    end

    # A text as JSON.
    def self.json_string(string)
      escaped = STRING_GSUB.bind_call(utf8(string), JSON_UNSAFE, JSON_ESCAPES)
      "\"#{escaped}\""
    end

    # The name of a class; of one without a name what Ruby shows instead.
    def self.class_name(type)
      MODULE_NAME.bind_call(type) || MODULE_TEXT.bind_call(type)
    end

    freeze
  end
end
