require "set"
module Shouting
  refine String do
    def shout = "#{upcase}!"
    def length = super + 1
  end
  refine Integer do
    def minutes = self * 60
    def to_s = "<#{super}>"
  end
end

module WithoutIt
  def self.try = "x".shout
rescue NoMethodError
  "none"
end
begin
  WithoutIt.try
rescue NoMethodError => e
  puts e.message[/undefined method .shout./] ? "not refined" : "?"
end
using Shouting
puts "hello".shout, "hello".length, 5.minutes, 7.to_s, "#{7}", %w[a b].map(&:shout).inspect

module Greeting
  def self.included(base) = base.extend(ClassMethods)

  module ClassMethods
    def greeting(text = nil)
      text ? @greeting = text : @greeting
    end
  end

  def greet = "#{self.class.greeting}, #{name}"
end

module Loud
  def greet = super.upcase
end

class Guest
  include Greeting
  prepend Loud
  greeting "Hello"
  attr_reader :name

  def initialize(name) = @name = name
end

guest = Guest.new("Ann")
puts guest.greet, Guest.ancestors.first(3).inspect, Guest.include?(Greeting), guest.method(:greet).owner, guest.method(:greet).super_method.owner
guest.extend(Module.new { def greet = "[#{super}]" })
puts guest.greet, guest.singleton_class.include?(Loud), guest.singleton_methods.inspect
module Countable
  def each_pair_sum = each_cons(2).map(&:sum)
end
class Bag
  include Enumerable
  include Countable

  def initialize(*items) = @items = items

  def each(&block)
    return enum_for(:each) { @items.size } unless block
    @items.each(&block)
    self
  end
end
bag = Bag.new(3, 1, 2)
puts bag.sort.inspect, bag.each_pair_sum.inspect, bag.min_by { |n| -n }, bag.each_slice(2).to_a.inspect, bag.each.size, bag.include?(2), bag.reduce(:+), bag.to_set.size, bag.sum, bag.inject(:*), bag.entries.inspect, bag.first, bag.first(2).inspect, bag.each_with_index.to_a.inspect, bag.lazy.map { |n| n + 1 }.to_a.inspect, bag.minmax.inspect, bag.tally.size, bag.zip(bag).length, bag.each_entry.to_a.inspect
