# frozen_string_literal: true

require "did_you_mean"

# What Ruby says of a misspelt name has no colours unless they are asked for. The library's own
# default is the other one, which does not show where RubyGems and its companions are loaded.
module DidYouMean
  module Correctable
    coloured = instance_method(:detailed_message)
    define_method(:detailed_message) { |highlight: false, **options| coloured.bind_call(self, highlight:, **options) }
  end
end
