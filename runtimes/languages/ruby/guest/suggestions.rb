# frozen_string_literal: true

require "did_you_mean"

# Suggestions for misspelt names have no colours unless a program asks for them. The library's own
# default is coloured, which has no effect where RubyGems and its companions are loaded.
module DidYouMean
  module Correctable
    coloured = instance_method(:detailed_message)
    define_method(:detailed_message) { |highlight: false, **options| coloured.bind_call(self, highlight:, **options) }
  end
end
