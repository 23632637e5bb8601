# frozen_string_literal: true

# By hand: the gem io-console is not in the engine.

require "io/console"
