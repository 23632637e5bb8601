class Version
  include Comparable
  attr_reader :parts

  def initialize(text) = @parts = text.split(".").map(&:to_i)
  def <=>(other) = parts <=> other.parts
  def to_s = parts.join(".")
end

versions = %w[1.10 1.2 1.2.3 0.9].map { |v| Version.new(v) }
puts versions.sort.join(" < ")
puts versions.max, versions.min
puts Version.new("1.0") == Version.new("1.0")
puts Version.new("1.5").between?(versions.min, versions.max)
puts Version.new("3").clamp(Version.new("1"), Version.new("2"))
