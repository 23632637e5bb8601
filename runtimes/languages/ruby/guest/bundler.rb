# frozen_string_literal: true

# Bundler needs RubyGems and a source to install from, and neither exists here. A program's Gemfile
# is accepted as it is: available gems can be required, any other is not found.
module Bundler
  VERSION = "4.0.3"

  class BundlerError < ::StandardError; end
  class GemNotFound < BundlerError; end

  # The methods that a Gemfile calls.
  class Dsl
    def initialize = @names = []

    # The libraries to require.
    attr_reader :names

    def gem(name, *_versions, require: name, **)
      unless ::Belljar::Gems.present?(name)
        raise GemNotFound, "Could not find gem '#{name}' in locally installed gems." \
          "\nGems that can be loaded here: #{::Belljar::Gems::PRESENT.sort.join(", ")}"
      end
      @names.concat([require].flatten.grep(::String))
    end

    %i[source group git path platform platforms env].each { |name| define_method(name) { |*, **, &block| block&.call } }
    def ruby(*, **) = nil
    def git_source(*) = nil
  end

  def self.setup(*) = self

  # Requires the gems of the Gemfile, and without one those that the operator has added.
  def self.require(*)
    return [] if ::Belljar::Gems::ADDED.empty?
    gemfile = ::File.file?("Gemfile") ? ::File.read("Gemfile") : nil
    names = gemfile ? Dsl.new.tap { |asked| asked.instance_eval(gemfile, "Gemfile") }.names : ::Belljar::Gems::ADDED.keys
    names.each { |name| load_gem(name) }
  end

  # Requires a gem by its name, or by the path that its name stands for.
  def self.load_gem(name)
    ::Kernel.require name
  rescue ::LoadError => error
    path = name.tr("-", "/")
    raise if path == name || error.path != name
    ::Kernel.require path
  end
  private_class_method :load_gem

  def self.with_unbundled_env = yield
end

module Kernel
  # The method that `bundler/inline` provides.
  def gemfile(_install = false, **, &)
    asked = Bundler::Dsl.new
    asked.instance_eval(&)
    asked.names.each do |name|
      require name
    rescue LoadError
      require name.tr("-", "/")
    end
  end
  private :gemfile
end

%w[bundler bundler/setup bundler/inline].each { |name| $LOADED_FEATURES << "/usr/local/lib/ruby/#{RUBY_VERSION}/#{name}.rb" }
