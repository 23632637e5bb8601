PI2 = 6.28
module Deep
  LEVEL = 1
  module Deeper
    LEVEL = 2
    def self.level = [LEVEL, Deep::LEVEL].inspect
  end
  class Thing
    LIMIT = 10
    @count = 0
    @@all = []
    class << self
      attr_accessor :count
    end
    def initialize = (@@all << self; self.class.count += 1)
    def self.all = @@all.size
  end
end
puts Deep::Deeper.level, Deep::Thing::LIMIT, Deep.constants.sort.inspect, defined?(Nope).inspect
3.times { Deep::Thing.new }
puts Deep::Thing.count, Deep::Thing.all
$glob = [1]
def touch = $glob << 2
touch
puts $glob.inspect, $;.inspect, $,.inspect, $/.inspect, [$PROGRAM_NAME.class, ARGV.size].inspect
begin
  Undefined
rescue NameError => e
  puts e.class, e.name
end
FROZEN = %w[a b].freeze
begin
  FROZEN << "c"
rescue FrozenError => e
  puts e.message
rescue => e
  puts e.class
end
puts :a.object_id == :a.object_id, "a".equal?("a"), nil.to_s.empty?, nil.to_a.inspect, NIL_CONST = nil.inspect
puts Object.const_defined?(:PI2), Deep.const_get(:LEVEL), self.to_s, self.class, ENV.key?("NOPE"), ENV.fetch("NOPE", "dflt")
