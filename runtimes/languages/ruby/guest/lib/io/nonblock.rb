# frozen_string_literal: true

# What this library adds is in the interpreter.
# By hand: Ruby's own file is compiled C, which the engine does not have.
