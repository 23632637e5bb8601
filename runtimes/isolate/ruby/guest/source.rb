# frozen_string_literal: true

require "ripper"
require "stringio"

# What the text of a program defines: its data, and its END blocks.
module Belljar
  module Source
    # Sets DATA, and returns the code to evaluate. Called before the program can change anything.
    def self.prepared(code)
      define_data(code) if code.match?(/^__END__\r?$/)
      code.match?(/^\s*END\s*\{/) ? with_exit_blocks(code) : code
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
