# frozen_string_literal: true

# The console of a program whose streams are no terminal: there is none.
# By hand: Ruby's own io/console is compiled C, which the engine does not have.
class IO
  def self.console(*) = nil
  def self.console_size = [25, 80]
  def self.default_console_size = [ENV["LINES"].to_i.nonzero? || 25, ENV["COLUMNS"].to_i.nonzero? || 80]

  %i[winsize winsize= raw raw! cooked cooked! noecho echo= echo? getch console_mode cursor].each do |name|
    define_method(name) { |*, **| raise Errno::ENOTTY }
  end

  def getpass(prompt = nil)
    $stderr.print(prompt) if prompt
    line = gets
    $stderr.puts
    line&.chomp
  end
end
