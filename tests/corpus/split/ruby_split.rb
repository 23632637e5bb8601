# Cuts the program in the variable PROGRAM into its top-level statements: a list of
# [first byte, reason why there must be no cut in front of it or nil], and the magic comments.
require "prism"

program = ENV.fetch("PROGRAM")
parsed = Prism.parse(program)
raise SyntaxError, parsed.errors.first.message unless parsed.success?
body = parsed.value.statements.body

OPENERS = %i[open new popen tmpdir mktmpdir create].freeze
FILES = %i[File IO Tempfile Dir Logger PStore CSV].freeze
RESTS = {
  srand: "seeded random numbers", at_exit: "pending work", trap: "pending work", define_finalizer: "pending work",
  exit: "the end of the program", exit!: "the end of the program", abort: "the end of the program",
  reopen: "a replaced stream", mktmpdir: "a file outside of /workspace", tmpdir: "a file outside of /workspace",
  each_object: "a count of objects", count_objects: "a count of objects", stat: "a count of objects",
}.freeze
FLEETING = [Prism::NumberedReferenceReadNode, Prism::BackReferenceReadNode].freeze
FLEETING_NAMES = %i[$~ $_ $! $@ $.].freeze

# What runs with a statement: no bodies of methods.
def run_parts(node, &block)
  return if node.is_a?(Prism::DefNode)
  block.call(node)
  node.compact_child_nodes.each { |child| run_parts(child, &block) }
end

def constant(node) = node.is_a?(Prism::ConstantReadNode) || node.is_a?(Prism::ConstantPathNode) ? node.name : nil

def lasting(node)
  run_parts(node) do |part|
    case part
    when Prism::CallNode
      return RESTS[part.name] if RESTS.key?(part.name) && !(part.name == :stat && constant(part.receiver) == :File)
      return "environ change" if constant(part.receiver) == :ENV && %i[[]= delete update merge! clear replace].include?(part.name)
      return "a file outside of /workspace" if constant(part.receiver) == :Tempfile
    when Prism::GlobalVariableWriteNode
      return "a replaced stream" if %i[$stdout $stderr $stdin $, $; $/ $\\].include?(part.name)
    when Prism::PostExecutionNode then return "pending work"
    when Prism::ConstantReadNode then return "an open file" if part.name == :DATA
    when Prism::StringNode then return "a file outside of /workspace" if part.unescaped.start_with?("/tmp")
    end
  end
  nil
end

# Opens a file without a block.
def opens?(node)
  run_parts(node) do |part|
    next unless part.is_a?(Prism::CallNode) && part.block.nil? && OPENERS.include?(part.name)
    return true if part.receiver.nil? ? part.name == :open : FILES.include?(constant(part.receiver))
  end
  false
end

def closes?(node)
  run_parts(node) { |part| return true if part.is_a?(Prism::CallNode) && part.name == :close }
  false
end

def fleeting?(node)
  run_parts(node) do |part|
    return true if FLEETING.include?(part.class)
    return true if part.is_a?(Prism::GlobalVariableReadNode) && FLEETING_NAMES.include?(part.name)
  end
  false
end

reasons = [nil] * body.size
join = ->(first, last, reason) { (first + 1..last).each { |at| reasons[at] ||= reason } }

body.each_with_index do |node, index|
  join.(index - 1, index, "a variable of the last statement") if index > 0 && fleeting?(node)
  join.(0, index, "directive") if node.is_a?(Prism::PreExecutionNode)
  reason = lasting(node)
  join.(index, body.size - 1, reason) if reason
  next unless opens?(node)
  last = body.rindex.with_index { |other, at| at >= index && closes?(other) }
  join.(index, last || body.size - 1, "an open file")
end

magic = program[/\A(?:#.*\n)*/]
[body.map.with_index { |node, at| [node.location.start_offset, reasons[at]] }, magic]
