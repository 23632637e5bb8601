/** Programs that break what the driver uses for answers, and values that are hard to show. */
import type { HostileCase } from "../cases.ts";

/** After each of these the value must still be correct. */
export const OVERRIDES: readonly HostileCase[] = [
  "def nil.inspect = raise",
  "class Hash; def each = loop {}; end",
  "class Hash; def to_a = raise; def to_json(*) = raise; def size = 5; end",
  "class Array; def each = raise; def [](*) = raise; def size = raise; end",
  "class String; def to_json(*) = raise; def encoding = raise; def gsub(*) = loop {}; end",
  "class String; def ==(o) = raise; def hash = raise; def bytesize = 0; end",
  "class Symbol; def to_s = raise; def inspect = raise; end",
  "class Integer; def to_s(*) = 'x'; def +(o) = 0; end",
  "class Object; def inspect = raise; def to_s = raise; def is_a?(*) = true; def class = 5; end",
  "class Module; def ===(o) = true; def name = 'X'; end",
  "class BasicObject; def equal?(o) = true; def ! = true; end",
  "class NilClass; def nil? = false; end",
  "class Proc; def call(*) = raise; end",
  "class Exception; def self.===(o) = false; end",
  "Object.send(:remove_const, :Belljar)",
  "%i[Array Hash String Symbol Integer Encoding].each { |n| Object.send(:remove_const, n) }",
  "module Kernel; def raise(*) = 5; def format(*) = raise; def require(*) = loop {}; end",
  "ObjectSpace.each_object(Class) { |c| c.freeze rescue 0 }",
  "[Hash, Array, String, Object, Kernel].each(&:freeze)",
  "require 'json'; def JSON.generate(*) = '{}'; module JSON; def self.dump(*) = raise; end",
  "GC.disable",
  "$; = 'x'; $, = nil; $/ = nil",
  "Encoding.default_internal = 'UTF-16LE'; Encoding.default_external = 'EUC-JP'",
  "trap('INT') { }; srand(1); Dir.mkdir('d'); Dir.chdir('d'); Dir.rmdir('../d')",
  "$VERBOSE = nil; ENV.clear; ARGV.freeze; $PROGRAM_NAME = 'x'",
].map((code) => ({
  name: `${code}; { a: 1 }`,
  code: `${code}\n{ a: 1 }`,
  outcome: "value",
  results: [{ json: { a: 1 } }],
}));

const value = (code: string, ...results: readonly unknown[]): HostileCase => ({
  name: `the value of ${code}`,
  code,
  outcome: "value",
  results,
});

export const RESULTS: readonly HostileCase[] = [
  value("nil"),
  value("{ 1 => 'a', nil: 2 }", { json: { 1: "a", nil: 2 } }),
  value("{ 1 => 'a', '1' => 2 }", { text: '{1 => "a", "1" => 2}' }),
  value("[Float::NAN]", { text: "[NaN]" }),
  value("{ a: Float::INFINITY }", { text: "{a: Infinity}" }),
  value("a = []; a << a; a", { text: "[[...]]" }),
  value("h = {}; h[:h] = h; h", { text: "{h: {...}}" }),
  value('["\\xff", "\\0", "\\e[31m"]', { text: '["\\xFF", "\\u0000", "\\e[31m"]' }),
  value("'é'.encode('UTF-16LE').then { [_1] }", { json: ["é"] }),
  value("class L < Array; def each = raise; end; L[1]", { json: [1] }),
  value("class H < Hash; def to_a = raise; end; H[1, 2]", { json: { 1: 2 } }),
  ...([
    ["BasicObject.new", "any"],
    ["class Foo; def inspect = loop {}; end; Foo.new", "limit"],
    ["class Foo; def to_s = loop {}; end; puts Foo.new", "limit"],
    ["class Foo; def inspect = raise('no'); end; Foo.new", "error"],
    ["class Foo; def inspect = 5; end; Foo.new", "any"],
    ["class Foo; def inspect = throw(:x); end; Foo.new", "error"],
    ["class Foo; def inspect = exit(3); end; Foo.new", "error"],
    ["class Foo; def inspect = 'x' * (1 << 20); end; Foo.new", "limit"],
    ["class E < StandardError; def message = raise; end; raise E", "error"],
    ["class E < Exception; def backtrace = loop { break 5 }; end; raise E", "error"],
    ["class E < StandardError; def self.name = raise; end; raise E", "error"],
    ["raise Class.new(Exception)", "error"],
    ["raise nil", "error"],
    ["raise SystemExit.new(3)", "error"],
    ["throw :nope", "error"],
    ["a = []; 5_000.times { a = [a] }; a", "any"],
    ["ObjectSpace.each_object { |o| o.freeze rescue 0 }; 'x' << 'y'; raise 'after'", "error"],
    ["ObjectSpace.each_object(Class) { |c| c.undef_method(:==) rescue 0 }; raise 'x'", "error"],
    ["class BasicObject; def method_missing(n, *) = ::Kernel.raise(n.to_s); end; 5.foo", "error"],
    ["TracePoint.new(:call, :c_call) { raise 'x' }.enable; 1", "either"],
    ["set_trace_func(proc { raise 't' }); 1", "either"],
    ["[].method(:push).unbind.instance_variable_set(:@a, 1); $stdout.freeze; raise 'x'", "error"],
  ] as const).map(([code, outcome]) => ({ name: code, code, outcome })),
];

/** Standard streams that are closed, replaced or given another encoding. */
export const STREAMS: readonly HostileCase[] = [
  ...([
    ["$stderr.close; $stdout.close", "value"],
    ["$stdout = StringIO.new; puts 'lost'; $stderr = $stdout; warn 'lost'", "value"],
    ["STDOUT.reopen(File.open('/dev/null', 'w')); puts 'lost'", "any"],
    ["STDOUT.set_encoding('UTF-16LE'); STDOUT.binmode", "value"],
    ["$stdout.close; puts 5", "error"],
    ["$stdout = nil", "error"],
    ["$stdin.close; gets", "error"],
    ["STDOUT.write('x'.encode('UTF-16LE'), \"\\xff\\xfe\", 'x'.encode('EUC-JP'))", "any"],
    ['puts "\\e[2J\\u0000\\r\\xff"; STDERR << "a\\nb"', "any"],
  ] as const).map(([code, outcome]) => ({
    name: code,
    code: outcome === "value" ? `${code}\n[7]` : code,
    outcome,
    ...(outcome === "value" ? { results: [{ json: [7] }] } : {}),
  })),
];
