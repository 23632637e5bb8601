# frozen_string_literal: true

# Describes a program's exceptions, without this driver's frames.
module Belljar
  module Errors
    P = Primitives
    SCRIPT = "main.rb"
    # The frame of `Belljar.stopped_at` itself.
    OWN = /in '(?:Belljar\.stopped_at|Thread#backtrace)'\z/
    # Number of frames shown at each end of a very deep stack.
    KEPT_FRAMES = 200
    MISSING_LIBRARY = %r{\Acannot load such file -- \w[\w/-]*\z}
    GEMS_COMMAND = "Others cannot be installed; the operator of the service adds gems: RUBY_PACKAGES"
    GEMS_TEXT = "\nGems that can be loaded here: #{Gems::PRESENT.sort.join(", ")}. #{GEMS_COMMAND}"
    # In place of that list when it is long.
    GEMS_COUNT = "\n#{Gems::ADDED.size} gems are added here, which GET /languages lists. #{GEMS_COMMAND}"
    # Maximum length of the message about a missing library.
    MOST_MISSING = 500
    # Libraries whose only use is a network.
    OF_NETWORK = %r{ -- (?:net/|faraday|httparty|rest-client|rest_client|httpx|excon|typhoeus|mechanize|websocket|http\z)}
    NETWORK_TEXT = "\nThere is no network here."
    UNDESCRIBED = "The error could not be described"
    # Maximum depth of causes that are shown.
    MOST_CAUSES = 20

    # "e" and JSON: name, message, traceback, and lineNumber if known. `lines` is the program's
    # number of lines.
    def self.describe(error, lines)
      frames = guest_frames(P::EXCEPTION_BACKTRACE.bind_call(error))
      message = message_of(error)
      line = line_of(frames, lines)
      if line.nil? && P.is_a?(error, P::SYNTAX_ERROR) && (line = line_in_message(message, lines))
        frames = ["#{SCRIPT}:#{line}:in '<main>'"] # no code of the program ran
      end
      name = name_of(error)
      described = "e{\"name\":#{P.json_string(name)},\"message\":#{P.json_string(message)}," \
        "\"traceback\":[#{list(with_causes(frames, error))}]"
      P.utf8(line ? "#{described},\"lineNumber\":#{P::INTEGER_TEXT.bind_call(line)}}" : "#{described}}")
    end

    def self.name_of(error) = P.class_name(P::CLASS_OF.bind_call(error))

    # Frames, followed by each cause with its frames, as Ruby prints them.
    def self.with_causes(frames, error)
      told = P::ARRAY_FIRST.bind_call(frames, P::ARRAY_SIZE.bind_call(frames))
      seen = P::HASH_BY_IDENTITY.bind_call({})
      until P::SAME.bind_call(P::HASH_SIZE.bind_call(seen), MOST_CAUSES)
        P::HASH_STORE.bind_call(seen, error, true)
        error = P::EXCEPTION_CAUSE.bind_call(error)
        break if P::SAME.bind_call(error, nil) || P::HASH_HAS.bind_call(seen, error)
        add_cause(told, error)
      end
      told
    end

    def self.add_cause(told, error)
      frames = guest_frames(P::EXCEPTION_BACKTRACE.bind_call(error))
      first = P::ARRAY_SHIFT.bind_call(frames)
      head = headline(error)
      P::ARRAY_PUSH.bind_call(told, *P::STRING_SPLIT.bind_call(first ? "#{first}: #{head}" : "#{SCRIPT}: #{head}", "\n"))
      until P::ARRAY_EMPTY.bind_call(frames)
        P::ARRAY_PUSH.bind_call(told, "\tfrom #{P::ARRAY_SHIFT.bind_call(frames)}")
      end
    end

    # The message with the name of the class after its first line.
    def self.headline(error)
      message = message_of(error)
      first = P::STRING_SLICE.bind_call(message, /\A.*/)
      rest = P::STRING_SLICE.bind_call(message, /\n.*/m)
      P::SAME.bind_call(P::STRING_BYTES.bind_call(first), 0) ? name_of(error) : "#{first} (#{name_of(error)})#{rest}"
    end

    def self.message_of(error)
      message = error.message
      return UNDESCRIBED unless P.is_a?(message, P::STRING)
      text = without_own_frames(P.utf8(message))
      P.is_a?(error, P::LOAD_ERROR) ? "#{text}#{gems_after(message)}" : text
    rescue P::EXCEPTION # any exception from a program's own method
      UNDESCRIBED
    end

    # Ruby's message about a deadlock lists the frames of each thread.
    def self.without_own_frames(message)
      return message unless P::STRING_HAS.bind_call(message, Frames::OWN)
      lines = P::STRING_LINES.bind_call(message)
      kept = P::STRING.new(encoding: P::UTF_8)
      until P::ARRAY_EMPTY.bind_call(lines)
        line = P::ARRAY_SHIFT.bind_call(lines)
        P::STRING_APPEND.bind_call(kept, line) unless P::STRING_HAS.bind_call(line, Frames::OWN)
      end
      kept
    end

    # For a missing library: the libraries available besides Ruby's standard library.
    def self.gems_after(message)
      return "" unless P::STRING_SLICE.bind_call(message, MISSING_LIBRARY)
      return NETWORK_TEXT if P::STRING_SLICE.bind_call(message, OF_NETWORK)
      P::STRING_BYTES.bind_call(message) + P::STRING_BYTES.bind_call(GEMS_TEXT) > MOST_MISSING ? GEMS_COUNT : GEMS_TEXT
    end

    # A backtrace as JSON.
    def self.frames_json(lines)
      lines = guest_frames(lines)
      P::ARRAY_SHIFT.bind_call(lines) while P::STRING_SLICE.bind_call(P::ARRAY_AT.bind_call(lines, 0) || "", OWN)
      "[#{list(lines)}]"
    end

    # Lines of a backtrace, without those of this driver, which have no line number.
    def self.guest_frames(lines)
      return [] unless P.is_a?(lines, P::ARRAY)
      lines = shortened(lines)
      kept = []
      index = 0
      while index < P::ARRAY_SIZE.bind_call(lines)
        line = P::ARRAY_AT.bind_call(lines, index)
        index += 1
        next unless P.is_a?(line, P::STRING)
        next if P::STRING_STARTS.bind_call(line, "#{SCRIPT}:in ", "<internal:")
        P::ARRAY_PUSH.bind_call(kept, P.utf8(line))
      end
      kept
    end

    def self.shortened(frames)
      size = P::ARRAY_SIZE.bind_call(frames)
      return frames if size <= 2 * KEPT_FRAMES
      shorter = P::ARRAY_FIRST.bind_call(frames, KEPT_FRAMES)
      P::ARRAY_PUSH.bind_call(shorter, " ... #{size - 2 * KEPT_FRAMES} levels ...")
      P::ARRAY_PUSH.bind_call(shorter, *P::ARRAY_LAST.bind_call(frames, KEPT_FRAMES))
    end

    def self.list(lines)
      out = P::STRING.new(encoding: P::UTF_8)
      index = 0
      while index < P::ARRAY_SIZE.bind_call(lines)
        P::STRING_APPEND.bind_call(out, ",") if index > 0
        P::STRING_APPEND.bind_call(out, P.json_string(P::ARRAY_AT.bind_call(lines, index)))
        index += 1
      end
      out
    end

    # The innermost line of the submitted program. A frame of evaluated text under the program's
    # name may have a line number that the program does not have.
    def self.line_of(frames, lines)
      index = 0
      while index < P::ARRAY_SIZE.bind_call(frames)
        line = line_in(P::ARRAY_AT.bind_call(frames, index), /\Amain\.rb:(\d+)/)
        return line if line && !P.over?(line, lines)
        index += 1
      end
      nil
    end

    # The line of the first marked mistake; the message begins with the line of any of them. A
    # mistake at the end of the program may be reported on a line that does not exist.
    def self.line_in_message(message, lines)
      line = line_in(message, /\Amain\.rb:(\d+):/)
      line &&= line_in(message, /^> *(\d+) \|/) || line
      line && P.over?(line, lines) ? lines : line
    end

    def self.line_in(text, pattern)
      digits = P::STRING_SLICE.bind_call(text, pattern, 1)
      digits && P::STRING_TO_I.bind_call(digits)
    end

    private_class_method :name_of, :with_causes, :add_cause, :headline, :message_of, :without_own_frames, :gems_after, :guest_frames, :shortened, :list, :line_of,
                         :line_in_message, :line_in
    freeze
  end
end
