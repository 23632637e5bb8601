# frozen_string_literal: true

require "ripper"
require "stringio"

module Belljar
  # Calls that pass `...` on after a splat and a further argument. Ruby 4.0.0 compiles them wrongly, and
  # they damage its stack. With one splat of all that comes before, they are right.
  module Forwarding
    LAST = /,\s*\.\.\.\s*\)/
    OPENING = %i[on_lparen on_lbracket on_lbrace on_embexpr_beg on_tlambeg].freeze
    CLOSING = %i[on_rparen on_rbracket on_rbrace on_embexpr_end].freeze
    SPACES = %i[on_sp on_ignored_nl on_nl on_comment].freeze
    # Words that begin something with an end; some of them can also follow a statement.
    BLOCKS = %w[do begin case if unless while until for def class module].freeze

    # An open bracket, or a word that an `end` closes: its arguments so far, each as its first token, the
    # last, and whether it is positional.
    Bracket = ::Struct.new(:arguments, :fresh, :is_word)

    def self.corrected(code)
      tokens = ::Ripper.lex(code)
      texts = tokens.map { |token| token[2] }
      return code unless texts.join == code # it cannot be parsed
      open = [Bracket.new([], true, true)]
      tokens.each_with_index do |(_, type, text, state), index|
        next if SPACES.include?(type)
        if CLOSING.include?(type) || (type == :on_kw && text == "end")
          closed = closed_by(open, type)
          wrap(texts, closed, tokens) if closed
          note(open.last, index, type, text)
        else
          note(open.last, index, type, text)
          begins = type == :on_kw && BLOCKS.include?(text) && !state.allbits?(::Ripper::EXPR_LABEL)
          open.push(Bracket.new([], true, begins)) if begins || OPENING.include?(type)
        end
      end
      texts.join
    end

    # The opening that a token closes, with all that is open in it; nil if there is none.
    def self.closed_by(open, type)
      if type == :on_kw
        open.pop if open.size > 1 && open.last.is_word
        return
      end
      open.pop while open.size > 1 && open.last.is_word
      open.pop if open.size > 1
    end

    def self.note(bracket, index, type, text)
      return bracket.fresh = true if type == :on_comma
      if bracket.fresh
        positional = type != :on_label && !(type == :on_op && %w[** &].include?(text))
        bracket.arguments.push([index, index, positional])
        bracket.fresh = false
      else
        bracket.arguments.last[1] = index
        bracket.arguments.last[2] = false if type == :on_op && text == "=>" || type == :on_label_end
      end
    end

    # Makes one splat of the positional arguments before `...`, if one of them but the last is a splat.
    def self.wrap(texts, bracket, tokens)
      return if bracket.fresh
      *before, last = bracket.arguments
      return unless last && last[0] == last[1] && texts[last[0]] == "..."
      before = before.take_while { |argument| argument[2] }
      return unless before[0...-1]&.any? { |argument| tokens[argument[0]][1] == :on_op && texts[argument[0]] == "*" }
      texts[before.first[0]] = "*[#{texts[before.first[0]]}"
      texts[before.last[1]] = "#{texts[before.last[1]]}]"
    end

    private_class_method :closed_by, :note, :wrap
    freeze
  end

  # The parts that the text of a program defines: its data, and its END blocks.
  module Source
    # Sets DATA, and returns the code to evaluate. Called before the program can change anything.
    def self.prepared(code)
      define_data(code) if code.match?(/^__END__\r?$/)
      code = Forwarding.corrected(code) if code.match?(Forwarding::LAST)
      code.match?(/\bEND\s*\{/) ? with_exit_blocks(code) : code
    end

    def self.define_data(code)
      marker = ::Ripper.lex(code).find { |token| token[1] == :on___end__ }
      return if marker.nil?
      lines = code.lines.drop(marker[0][0])
      ::Object.const_set(:DATA, ::StringIO.new(lines.join))
    end

    # END blocks become at_exit blocks that are registered once: the interpreter runs its own list
    # of them only when the process ends.
    def self.with_exit_blocks(code)
      ::Ripper.lex(code).map do |_, type, text|
        type == :on_kw && text == "END" ? "at_exit" : text
      end.join
    end

    private_class_method :define_data, :with_exit_blocks
    freeze
  end
end
