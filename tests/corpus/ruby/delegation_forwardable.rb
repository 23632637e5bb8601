require "forwardable"
require "delegate"
require "singleton"
class Playlist
  extend Forwardable
  def_delegators :@songs, :size, :<<, :first, :each
  def_delegator :@songs, :join, :titles
  include Enumerable
  def initialize = @songs = []
end
pl = Playlist.new
pl << "b" << "a"
puts pl.size, pl.first, pl.titles(","), pl.sort.inspect, pl.include?("a")
class Shouty < SimpleDelegator
  def name = super.upcase
end
User = Struct.new(:name, :age)
u = Shouty.new(User.new("ann", 3))
puts u.name, u.age, u.__getobj__.name, u.is_a?(User), u == User.new("ann", 3)
class Only
  include Singleton
  attr_accessor :value
end
Only.instance.value = 5
puts Only.instance.value, Only.instance.equal?(Only.instance)
begin
  Only.new
rescue NoMethodError => e
  puts e.class
end
class Wrapper < DelegateClass(Array)
  def initialize = super([])
end
w = Wrapper.new
w.push(1, 2)
puts w.sum, w.length
