# frozen_string_literal: true

# Makes the useful gems that come with Ruby, and this project's library files, available to
# `require` as RubyGems would. RubyGems itself does not run here: it takes a third of a second to
# load.
module Belljar
  module Gems
    LIBRARY = "/lib/ruby"
    FOLDER = "/usr/local/lib/ruby/gems/4.0.0/gems"
    BUNDLED = %w[
      abbrev base64 benchmark csv getoptlong logger matrix minitest mutex_m observer ostruct
      power_assert prime pstore rexml rss test-unit
    ].freeze
    # Where the operator's gems are, each in a folder with its name and its version.
    ADDED_FOLDER = "/lib/gems"
    # The operator's gems by name.
    ADDED = (::Dir.exist?(ADDED_FOLDER) ? ::Dir.children(ADDED_FOLDER).sort : [])
      .to_h { |folder| [folder[/\A(.+)-\d/, 1], folder] }.freeze
    # The gems that errors list as loadable.
    PRESENT = [*ADDED.keys, *BUNDLED, "bigdecimal", "minitest-mock"].uniq.freeze
    # The gems that are part of the standard library.
    DEFAULT = ::Dir.children("#{FOLDER}/../specifications/default").map { |name| name[/\A(.+)-\d/, 1] }.freeze

    def self.present?(name) = PRESENT.include?(name) || DEFAULT.include?(name)

    paths = BUNDLED.map do |name|
      version = ::Dir.children(FOLDER).find { |child| child.match?(/\A#{name}-\d/) }
      "#{FOLDER}/#{version}/lib"
    end
    # Some gems, such as concurrent-ruby, have all their files in a folder of `lib` with their name.
    added = ADDED.map do |name, folder|
      library = "#{ADDED_FOLDER}/#{folder}/lib"
      ::Dir.children(library) == [name] && ::File.directory?("#{library}/#{name}") ? "#{library}/#{name}" : library
    end
    $LOAD_PATH.push(LIBRARY, *added, *paths)
    freeze
  end
end

# The part of RubyGems that libraries and programs use.
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

# The code above replaces RubyGems.
$LOADED_FEATURES << "/usr/local/lib/ruby/#{RUBY_VERSION}/rubygems.rb"

module Kernel
  # True for a gem that can be required.
  def gem(name, *)
    return true if Belljar::Gems.present?(name)
    raise Gem::MissingSpecError, "Could not find '#{name}' among #{Belljar::Gems::PRESENT.size} total gem(s)"
  end
  private :gem
end
