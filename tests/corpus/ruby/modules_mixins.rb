module Greets
  def greet = "#{greeting}, #{name}!"
end

module Loud
  def greet = super.upcase
end

class Person
  include Greets
  prepend Loud
  attr_accessor :name

  def initialize(name) = @name = name
  def greeting = "Hello"
end

class Pirate < Person
  def greeting = "Ahoy"
end

puts Person.new("Ann").greet, Pirate.new("Jack").greet
p Pirate.ancestors.take(4).map(&:to_s)
puts Person.include?(Greets), Pirate.instance_methods(false).inspect
puts Person.instance_method(:greet).owner
