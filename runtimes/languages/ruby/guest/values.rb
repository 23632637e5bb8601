# frozen_string_literal: true

# Maps the value of a program to the form in the answer: nothing, text or JSON.
module Belljar
  # A value that JSON cannot represent exactly.
  class NotJson < ::StandardError; end

  # A value whose text or JSON is over the limit.
  class TooLarge < ::StandardError; end

  # Maximum nesting of containers.
  MAX_DEPTH = 500
  # Characters of a value's own form; the host cuts it at 64 KiB.
  MAX_REPR = 65_540
  private_constant :MAX_DEPTH, :MAX_REPR

  # The JSON of an object whose class defines `to_json`.
  module OwnJson
    P = Primitives
    # The method that every object has. It only quotes `to_s` for most objects, which loses
    # information.
    GENERIC = ::JSON::Ext::Generator::GeneratorMethods.then { |all| all.constants.map { |name| all.const_get(name) } }
    GENERATOR = ::JSON::State
    PARSER = ::JSON::Ext::ParserConfig.new(max_nesting: MAX_DEPTH, allow_duplicate_key: false)
    PARSE = PARSER.method(:parse)
    private_constant :GENERIC, :GENERATOR, :PARSER, :PARSE

    # The method, or nil.
    def self.method_of(value)
      return unless P.is_a?(value, P::BASE)
      method = P::METHOD_OF.bind_call(value, :to_json)
      P::ARRAY_HAS.bind_call(GENERIC, P::METHOD_OWNER.bind_call(method)) ? nil : method
    rescue P::EXCEPTION # the method was removed
      nil
    end

    # The method's JSON, parsed. Raises NotJson and TooLarge.
    def self.value_of(method, limit)
      text = text_of(method)
      P.fail(NotJson) unless P.is_a?(text, P::STRING) && (text = P.whole_utf8(text))
      P.fail(TooLarge) if P.over?(P::STRING_BYTES.bind_call(text), limit)
      parsed(text)
    end

    # As `JSON.generate` calls it, or without arguments if it takes none.
    def self.text_of(method)
      return P::METHOD_CALL.bind_call(method) if P::SAME.bind_call(P::METHOD_ARITY.bind_call(method), 0)
      P::METHOD_CALL.bind_call(method, GENERATOR.new)
    rescue P::EXCEPTION # any exception from it
      nil
    end

    def self.parsed(text)
      P::METHOD_CALL.bind_call(PARSE, text)
    rescue P::EXCEPTION
      P.fail(NotJson)
    end

    private_class_method :text_of, :parsed
    freeze
  end

  module Values
    P = Primitives

    # "n", or "t" and the text, or "j" and the JSON. Raises TooLarge, and what the value's own
    # methods raise.
    def self.describe(value, limit)
      return "n" if P.is_a?(value, P::NIL)
      if P.is_a?(value, P::HASH) || P.is_a?(value, P::ARRAY)
        json = json_or_nil(value, limit)
        return "j#{json}" if json
      end
      text = P.utf8(inspection(value))
      P.fail(TooLarge) if P.over?(P::STRING_BYTES.bind_call(text), limit)
      "t#{text}"
    end

    # The answer after the value's own form, if it is JSON and the value gives a form: `r`, the length of
    # the form in bytes, `:`, the form. Text is that form already.
    def self.with_repr(answer, value)
      return answer unless P::STRING_STARTS.bind_call(answer, "j")
      form = P.utf8(P::STRING_SLICE.bind_call(inspection(value), 0, MAX_REPR))
      "r#{P::INTEGER_TEXT.bind_call(P::STRING_BYTES.bind_call(form))}:#{form}#{answer}"
    rescue P::EXCEPTION # the run has its value without a form
      answer
    end

    # The JSON of a value; nil when JSON cannot represent it. Raises TooLarge.
    def self.json_or_nil(value, limit, depth = MAX_DEPTH)
      out = P::STRING.new(encoding: P::UTF_8)
      above = P::HASH_BY_IDENTITY.bind_call({})
      P::HASH_SET_DEFAULT.bind_call(above, depth)
      write(out, value, above, limit)
      P.over?(P::STRING_BYTES.bind_call(out), limit) ? P.fail(TooLarge) : out
    rescue NotJson
      nil
    end

    # The text that `p` would print.
    def self.inspection(value)
      return P::PLAIN_TEXT.bind_call(value) unless P.is_a?(value, P::BASE)
      text = value.inspect
      P.is_a?(text, P::STRING) ? text : P::PLAIN_TEXT.bind_call(value)
    end

    def self.write(out, value, above, limit)
      P.fail(TooLarge) if P.over?(P::STRING_BYTES.bind_call(out), limit)
      if P.is_a?(value, P::STRING) then append(out, json_string(value))
      elsif P.is_a?(value, P::INTEGER) then append(out, P::INTEGER_TEXT.bind_call(value))
      elsif P.is_a?(value, P::ARRAY) then write_container(out, value, above, limit)
      elsif P.is_a?(value, P::HASH) then write_container(out, value, above, limit)
      elsif P.is_a?(value, P::SYMBOL) then append(out, json_string(P::SYMBOL_TEXT.bind_call(value)))
      elsif P.is_a?(value, P::FLOAT) then append(out, float_text(value))
      elsif P.is_a?(value, P::NIL) then append(out, "null")
      elsif P.is_a?(value, P::TRUE) then append(out, "true")
      elsif P.is_a?(value, P::FALSE) then append(out, "false")
      else write_own(out, value, above, limit)
      end
    end

    # The whole text of a string; raises TooLarge when it is over the limit.
    def self.json_string(string) = P.quoted(P.whole_utf8(string) || P.fail(NotJson))

    # The JSON of an object by its own `to_json`, if it has one.
    def self.write_own(out, value, above, limit)
      method = OwnJson.method_of(value) || P.fail(NotJson)
      enter(above, value)
      write(out, OwnJson.value_of(method, limit), above, limit)
      P::HASH_DELETE.bind_call(above, value)
    end

    # The JSON of an Array or Hash; a subclass may define `to_json`.
    def self.write_container(out, value, above, limit)
      array = P.is_a?(value, P::ARRAY)
      plain = P::SAME.bind_call(P::CLASS_OF.bind_call(value), array ? P::ARRAY : P::HASH)
      return write_own(out, value, above, limit) unless plain || OwnJson.method_of(value).nil?
      enter(above, value)
      array ? write_array(out, value, above, limit) : write_hash(out, value, above, limit)
      P::HASH_DELETE.bind_call(above, value)
    end

    def self.write_array(out, array, above, limit)
      append(out, "[")
      left = P.copied(array)
      first = true
      until P::ARRAY_EMPTY.bind_call(left)
        append(out, ",") unless first
        first = false
        write(out, P::ARRAY_SHIFT.bind_call(left), above, limit)
      end
      append(out, "]")
    end

    def self.write_hash(out, hash, above, limit)
      append(out, "{")
      pairs = P::HASH_PAIRS.bind_call(hash)
      names = {}
      until P::ARRAY_EMPTY.bind_call(pairs)
        append(out, ",") if P.over?(P::HASH_SIZE.bind_call(names), 0)
        pair = P::ARRAY_SHIFT.bind_call(pairs)
        append(out, named(names, P::ARRAY_AT.bind_call(pair, 0)))
        write(out, P::ARRAY_AT.bind_call(pair, 1), above, limit)
      end
      append(out, "}")
    end

    # A key and its colon; two keys with the same text cannot be JSON.
    def self.named(names, key)
      name = json_string(key_text(key))
      P.fail(NotJson) if P::HASH_HAS.bind_call(names, name)
      P::HASH_STORE.bind_call(names, name, true)
      "#{name}:"
    end

    # Records that a container is being written; a container inside itself cannot be JSON. The default
    # of the Hash is the maximum depth.
    def self.enter(above, container)
      deep = P.over?(P::HASH_SIZE.bind_call(above), P::HASH_DEFAULT.bind_call(above))
      P.fail(NotJson) if deep || P::HASH_HAS.bind_call(above, container)
      P::HASH_STORE.bind_call(above, container, true)
    end

    # The text of a key: numbers, true and false as in JSON. Ruby would write nil as an empty text,
    # and other objects as their `to_s`.
    def self.key_text(key)
      return key if P.is_a?(key, P::STRING)
      return P::SYMBOL_TEXT.bind_call(key) if P.is_a?(key, P::SYMBOL)
      return P::INTEGER_TEXT.bind_call(key) if P.is_a?(key, P::INTEGER)
      return float_text(key) if P.is_a?(key, P::FLOAT)
      return "true" if P.is_a?(key, P::TRUE)
      return "false" if P.is_a?(key, P::FALSE)
      P.fail(NotJson)
    end

    def self.float_text(float)
      P.fail(NotJson) unless P::FLOAT_FINITE.bind_call(float)
      P::FLOAT_TEXT.bind_call(float)
    end

    def self.append(out, text) = P::STRING_APPEND.bind_call(out, text)

    private_class_method :inspection, :write, :json_string, :write_own, :write_container,
                         :write_array, :write_hash, :named, :enter, :key_text, :float_text, :append
    freeze
  end
end
