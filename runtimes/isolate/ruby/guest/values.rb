# frozen_string_literal: true

# Maps the value of a program to what the answer shows: nothing, text or JSON.
module Belljar
  # A value that JSON cannot hold whole.
  class NotJson < ::StandardError; end

  # A value whose text or JSON is over the limit.
  class TooLarge < ::StandardError; end

  module Values
    P = Primitives
    MAX_DEPTH = 500

    # "n", "t" and the text, or "j" and the JSON. Raises TooLarge, and what the value's own
    # methods raise.
    def self.describe(value, limit)
      return "n" if P.is_a?(value, P::NIL)
      if P.is_a?(value, P::HASH) || P.is_a?(value, P::ARRAY)
        json = json_or_nil(value, limit)
        return "j#{json}" if json
      end
      text = P.utf8(inspection(value))
      raise TooLarge if P.over?(P::STRING_BYTES.bind_call(text), limit)
      "t#{text}"
    end

    def self.json_or_nil(value, limit)
      out = P::STRING.new(encoding: P::UTF_8)
      write(out, value, P::HASH_BY_IDENTITY.bind_call({}), limit)
      P.over?(P::STRING_BYTES.bind_call(out), limit) ? raise(TooLarge) : out
    rescue NotJson
      nil
    end

    # What `p` would print.
    def self.inspection(value)
      return P::PLAIN_TEXT.bind_call(value) unless P.is_a?(value, P::BASE)
      text = value.inspect
      P.is_a?(text, P::STRING) ? text : P::PLAIN_TEXT.bind_call(value)
    end

    def self.write(out, value, above, limit)
      raise TooLarge if P.over?(P::STRING_BYTES.bind_call(out), limit)
      if P.is_a?(value, P::STRING) then append(out, P.json_string(value))
      elsif P.is_a?(value, P::INTEGER) then append(out, P::INTEGER_TEXT.bind_call(value))
      elsif P.is_a?(value, P::ARRAY) then write_array(out, value, above, limit)
      elsif P.is_a?(value, P::HASH) then write_hash(out, value, above, limit)
      elsif P.is_a?(value, P::SYMBOL) then append(out, P.json_string(P::SYMBOL_TEXT.bind_call(value)))
      elsif P.is_a?(value, P::FLOAT) then append(out, float_text(value))
      elsif P.is_a?(value, P::NIL) then append(out, "null")
      elsif P.is_a?(value, P::TRUE) then append(out, "true")
      elsif P.is_a?(value, P::FALSE) then append(out, "false")
      else raise NotJson
      end
    end

    def self.write_array(out, array, above, limit)
      enter(above, array)
      append(out, "[")
      left = P.copied(array)
      first = true
      until P::ARRAY_EMPTY.bind_call(left)
        append(out, ",") unless first
        first = false
        write(out, P::ARRAY_SHIFT.bind_call(left), above, limit)
      end
      append(out, "]")
      P::HASH_DELETE.bind_call(above, array)
    end

    def self.write_hash(out, hash, above, limit)
      enter(above, hash)
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
      P::HASH_DELETE.bind_call(above, hash)
    end

    # A key and its colon; two keys that are alike as strings cannot be JSON.
    def self.named(names, key)
      name = P.json_string(key_text(key))
      raise NotJson if P::HASH_HAS.bind_call(names, name)
      P::HASH_STORE.bind_call(names, name, true)
      "#{name}:"
    end

    # Notes that a container is being written; one within itself cannot be JSON.
    def self.enter(above, container)
      deep = P.over?(P::HASH_SIZE.bind_call(above), MAX_DEPTH)
      raise NotJson if deep || P::HASH_HAS.bind_call(above, container)
      P::HASH_STORE.bind_call(above, container, true)
    end

    def self.key_text(key)
      return key if P.is_a?(key, P::STRING)
      return P::SYMBOL_TEXT.bind_call(key) if P.is_a?(key, P::SYMBOL)
      return P::INTEGER_TEXT.bind_call(key) if P.is_a?(key, P::INTEGER)
      return float_text(key) if P.is_a?(key, P::FLOAT)
      raise NotJson
    end

    def self.float_text(float)
      raise NotJson unless P::FLOAT_FINITE.bind_call(float)
      P::FLOAT_TEXT.bind_call(float)
    end

    def self.append(out, text) = P::STRING_APPEND.bind_call(out, text)

    private_class_method :json_or_nil, :inspection, :write, :write_array, :write_hash, :named, :enter,
                         :key_text, :float_text, :append
    freeze
  end
end
