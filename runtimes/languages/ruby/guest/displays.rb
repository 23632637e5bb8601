# frozen_string_literal: true

# What a program shows besides text and values: calls of `display_data`, and the methods `to_html`,
# `to_svg` and `to_png` of its last value. Each display is a line of JSON, written to a device.
module Belljar
  module Displays
    P = Primitives
    DEVICE = "/dev/display"
    OPEN = ::IO.method(:sysopen)
    FOR_DESCRIPTOR = ::IO.method(:for_fd)
    WRITE = ::IO.instance_method(:syswrite)
    CLOSE = ::IO.instance_method(:close)
    WRITE_ONLY = ::File::WRONLY

    NAME = /[A-Za-z0-9][\w!\#$&^.+-]{,126}/
    MIME_TYPE = %r{\A#{NAME}/#{NAME}\z}
    # Types whose data are bytes.
    IMAGE = %r{\Aimage/(?!svg\+xml\z)}i
    # Types whose data are text, whatever the encoding of the String.
    TEXT = %r{\Atext/|[/+](?:json|xml)\z|/javascript\z}i
    # The part of a wrong type that a message shows.
    SHOWN = 0...100
    # The device limits the size.
    UNLIMITED = 2**30
    # Levels below the first. The device drops what is deeper than 256, two of which are the display's.
    MAX_DEPTH = 253
    NOT_JSON = "data cannot be JSON, which holds finite numbers, text in UTF-8, nil, true, false, " \
               "and an Array or a Hash of these, in at most #{MAX_DEPTH + 1} levels and not in itself"

    # Shows data of a type. Raises TypeError, ArgumentError, and what the data's own methods raise.
    def self.show(mime, data, metadata)
      mime = checked_type(mime)
      write("\"data\":{#{P.quoted(mime)}:#{json(mime, data)}}#{metadata_json(metadata)}")
    end

    # The members of the display of a program's last value; nil if its class has no such method. Raises
    # what the value's methods raise.
    def self.of(value)
      return unless P.is_a?(value, P::BASE)
      type = P::CLASS_OF.bind_call(value)
      html = given(type, :to_html, value)
      svg = given(type, :to_svg, value)
      png = given(type, :to_png, value)
      parts = []
      P::ARRAY_PUSH.bind_call(parts, "\"text/html\":#{P.json_string(html)}") if html
      P::ARRAY_PUSH.bind_call(parts, "\"image/svg+xml\":#{P.json_string(svg)}") if svg
      P::ARRAY_PUSH.bind_call(parts, "\"image/png\":#{base64(png)}") if png
      "\"data\":{#{P::ARRAY_JOIN.bind_call(parts, ",")}},\"main\":true" if html || svg || png
    end

    # Writes the members of a display to the device, with one write. The newline before them ends what the
    # program itself may have written there.
    def self.write(members)
      descriptor = P::METHOD_CALL.bind_call(OPEN, DEVICE, WRITE_ONLY)
      device = P::METHOD_CALL.bind_call(FOR_DESCRIPTOR, descriptor, WRITE_ONLY)
      WRITE.bind_call(device, "\n{#{members}}\n")
      CLOSE.bind_call(device)
    end

    # The String that a public method of the value's class gives, if it takes no arguments.
    def self.given(type, name, value)
      return unless P::METHOD_DEFINED.bind_call(type, name)
      method = P::PUBLIC_METHOD.bind_call(type, name)
      arity = P::UNBOUND_ARITY.bind_call(method)
      return unless P::SAME.bind_call(arity, 0) || P::SAME.bind_call(arity, -1)
      result = method.bind_call(value)
      result if P.is_a?(result, P::STRING)
    end

    def self.checked_type(mime)
      reject(P::TYPE_ERROR, "the MIME type must be a String, not #{class_of(mime)}") unless P.is_a?(mime, P::STRING)
      text = P.utf8(mime)
      return text if P::STRING_SLICE.bind_call(text, MIME_TYPE)
      shown = P::STRING_INSPECT.bind_call(P::STRING_SLICE.bind_call(text, SHOWN))
      reject(P::ARGUMENT_ERROR, "not a MIME type such as \"text/html\": #{shown}")
    end

    def self.json(mime, data)
      return string_json(mime, data) if P.is_a?(data, P::STRING)
      if P::STRING_SLICE.bind_call(mime, IMAGE)
        reject(P::TYPE_ERROR, "data of #{mime} must be a String, not #{class_of(data)}")
      end
      Values.json_or_nil(data, UNLIMITED, MAX_DEPTH) || reject_data(data)
    end

    def self.reject_data(data)
      reject(P::ARGUMENT_ERROR, NOT_JSON) if P.is_a?(data, P::ARRAY) || P.is_a?(data, P::HASH) || P.is_a?(data, P::FLOAT)
      reject(P::TYPE_ERROR, "data must be a String or what JSON can hold, not #{class_of(data)}")
    end

    # A String as text, or as Base64: an image, bytes, and what is not valid in its encoding.
    def self.string_json(mime, string)
      bytes = P::SAME.bind_call(P::STRING_ENCODING.bind_call(string), P::BINARY)
      return base64(string) if P::STRING_SLICE.bind_call(mime, IMAGE) || (bytes && !P::STRING_SLICE.bind_call(mime, TEXT))
      text = P.whole_utf8(string)
      text ? P.quoted(text) : base64(string)
    end

    def self.metadata_json(metadata)
      return "" if P.is_a?(metadata, P::NIL)
      reject(P::TYPE_ERROR, "metadata must be a Hash, not #{class_of(metadata)}") unless P.is_a?(metadata, P::HASH)
      json = Values.json_or_nil(metadata, UNLIMITED, MAX_DEPTH)
      return ",\"metadata\":#{json}" if json && P::STRING_STARTS.bind_call(json, "{")
      reject(P::ARGUMENT_ERROR, "metadata must be a Hash that JSON can hold")
    end

    def self.base64(string) = "\"#{P::ARRAY_PACK.bind_call([string], "m0")}\""

    def self.class_of(value) = P.class_name(P::CLASS_OF.bind_call(value))

    def self.reject(type, message) = P::RAISE.bind_call(self, type, "display_data: #{message}")

    private_class_method :given, :checked_type, :json, :reject_data, :string_json, :metadata_json, :base64, :class_of, :reject
    freeze
  end

  # A block, in which constants are found even if a program removes this module's name.
  ::Kernel.class_exec do
    def display_data(mime, data, metadata: nil)
      Displays.show(mime, data, metadata)
      nil
    end
    private :display_data
  end
end
