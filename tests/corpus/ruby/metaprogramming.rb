class Config
  def self.option(name, default: nil)
    define_method(name) { instance_variable_get("@#{name}") || default }
    define_method("#{name}=") { |v| instance_variable_set("@#{name}", v) }
    (@options ||= []) << name
  end
  class << self
    attr_reader :options
  end
  option :host, default: "localhost"
  option :port
end
c = Config.new
c.port = 80
puts c.host, c.port, Config.options.inspect, c.respond_to?(:host=), c.instance_variables.inspect
class Ghost
  def method_missing(name, *args)
    return "ghost #{name} #{args.inspect}" if name.start_with?("g")
    super
  end
  def respond_to_missing?(name, priv = false) = name.start_with?("g") || super
end
puts Ghost.new.grab(1), Ghost.new.respond_to?(:go), Ghost.new.respond_to?(:no)
begin
  Ghost.new.other
rescue NoMethodError => e
  puts e.name
end
class Base
  def self.inherited(sub) = (@subs ||= []) << sub.name && super
  def self.subs = @subs
end
class A1 < Base; end
class B1 < Base; end
puts Base.subs.inspect, A1.superclass, A1.name, Class.new(Base).name.inspect
module Plugin
  def self.included(base) = base.extend(ClassMethods)
  module ClassMethods
    def plugin_name = "plugin:#{name}"
  end
end
A1.include(Plugin)
puts A1.plugin_name, A1.instance_of?(Class), c.public_send(:host), c.method(:port).call, Config.instance_methods(false).size
o = Object.new
def o.single = :only
puts o.single, o.singleton_methods.inspect, Object.const_get(:Config) == Config, Config.class_eval { self }.name
String.class_eval { def shout = upcase + "!" }
puts "hi".shout, 5.instance_eval { self + 1 }, eval("1 + 2"), binding.local_variables.include?(:c)
module Refined
  refine Integer do
    def double = self * 2
  end
end
using Refined
puts 4.double, defined?(foo).inspect, defined?(puts), defined?(String), defined?(@x).inspect, __method__.inspect
puts ObjectSpace.respond_to?(:each_object), c.frozen?, :a.to_proc.call("x") rescue puts "no method"
obj = Class.new { attr_writer :v; def ==(o) = true; def hash = 1; def eql?(o) = true }.new
puts({ obj => 1 }[obj.class.new], obj == 5, obj.tap { |x| x.v = 3 }.instance_variable_get(:@v), c.then { |x| x.port + 1 })
