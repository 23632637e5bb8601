# frozen_string_literal: true

# The gems that come with Ruby, as far as they are of use here, can be required as they can be
# where RubyGems runs, which does not here: it takes a third of a second to load. So can the
# library files of ours.
module Belljar
  module Gems
    LIBRARY = "/lib/ruby"
    FOLDER = "/usr/local/lib/ruby/gems/4.0.0/gems"
    BUNDLED = %w[
      abbrev base64 benchmark csv getoptlong logger matrix minitest mutex_m observer ostruct
      power_assert prime pstore rexml rss test-unit
    ].freeze
    # What errors name as gems that can be loaded.
    PRESENT = [*BUNDLED, "bigdecimal", "minitest-mock"].freeze
    # The gems that are a part of the standard library.
    DEFAULT = ::Dir.children("#{FOLDER}/../specifications/default").map { |name| name[/\A(.+)-\d/, 1] }.freeze

    def self.present?(name) = PRESENT.include?(name) || DEFAULT.include?(name)

    paths = BUNDLED.map do |name|
      version = ::Dir.children(FOLDER).find { |child| child.match?(/\A#{name}-\d/) }
      "#{FOLDER}/#{version}/lib"
    end
    $LOAD_PATH.push(LIBRARY, *paths)
    freeze
  end
end

# What libraries and programs ask RubyGems.
module Gem
  VERSION = "4.0.3"

  class LoadError < ::LoadError
    attr_accessor :name, :requirement
  end

  class MissingSpecError < LoadError; end

  autoload :Version, "rubygems/version"
  autoload :Requirement, "rubygems/requirement"
  autoload :Deprecate, "rubygems/deprecate"

  def self.find_files(*) = []
  def self.loaded_specs = {}
  def self.path = []
  def self.platforms = ["ruby"]
  def self.win_platform? = false
  def self.java_platform? = false
  def self.ruby_version = Version.new(RUBY_VERSION)
end

# The code above represents RubyGems.
$LOADED_FEATURES << "/usr/local/lib/ruby/#{RUBY_VERSION}/rubygems.rb"

module Kernel
  # True for a gem that can be required.
  def gem(name, *)
    return true if Belljar::Gems.present?(name)
    raise Gem::MissingSpecError, "Could not find '#{name}' among #{Belljar::Gems::PRESENT.size} total gem(s)"
  end
  private :gem
end
