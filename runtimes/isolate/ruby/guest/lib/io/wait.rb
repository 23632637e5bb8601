# frozen_string_literal: true

# What this library adds is in the interpreter.
