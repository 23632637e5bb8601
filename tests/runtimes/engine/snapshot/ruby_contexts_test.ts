import { testContexts } from "./engine_contexts.ts";

const quoted = (value: string) => `'${value}'`;

testContexts("ruby", {
  survivors: [
    {
      name: "locals, closures and methods",
      make:
        "n = 40; up = -> { n += 1 }; def twice(x) = x * 2; procs = (1..3).map { |k| -> { k += 10 } }; up.(); 0",
      probe: "[up.(), twice(n), procs[1].(), local_variables.first(3).map(&:to_s)]",
      first: '[42,84,12,["n","up","procs"]]',
      second: '[43,86,22,["n","up","procs"]]',
    },
    {
      name: "classes, modules, singletons and refinements of methods",
      make:
        `module Named; attr_accessor :name; end; class Base; @@made = 0; include Named; include Comparable; def initialize(x) = (@x = x; @@made += 1); attr_reader :x; def <=>(o) = x <=> o.x; def self.made = @@made; end
        Sub = Class.new(Base) { def x = super * 10; def method_missing(m, *) = m.end_with?("!") ? "no #{m}" : super; def respond_to_missing?(*) = true }; o = Sub.new(2); def o.single = 7; o.name = "sub"; 0`,
      probe: "[o.x, o.name, o.single, o.what!, Sub.new(1) < o, Base.made]",
      first: '[20,"sub",7,"no what!",true,2]',
      second: '[20,"sub",7,"no what!",true,3]',
    },
    {
      name: "fibers and enumerators in the middle",
      make:
        "fib = Fiber.new { a, b = 0, 1; loop { Fiber.yield a; a, b = b, a + b } }; 5.times { fib.resume }; e = [5, 6, 7].each_with_index; e.next; lazy = (1..).lazy.map { _1 * 3 }.select(&:even?).each_entry; lazy.next; 0",
      probe: "[fib.resume, (e.next rescue 'end'), lazy.next]",
      first: "[5,[6,1],12]",
      second: "[8,[7,2],18]",
    },
    {
      name: "globals, constants, instance variables of the main object and structs",
      make:
        "$g = { list: [1] }; LIMIT = 5; @i = 'ivar'; Point = Struct.new(:x, :y); D = Data.define(:a); p1 = Point.new(1, 2); d = D.new(a: [1]); 0",
      probe: "$g[:list] << 1; p1.x += 1; [$g[:list].size, LIMIT, @i, p1.to_a, d.a, d.frozen?]",
      first: '[2,5,"ivar",[2,2],[1],true]',
      second: '[3,5,"ivar",[3,2],[1],true]',
    },
    {
      name: "regular expressions, digests and scanners half done",
      make:
        "require 'strscan'; require 'digest'; s = StringScanner.new('ab1 cd2'); s.scan(/\\w+/); d = Digest::SHA256.new << 'ab'; re = /(?<w>[a-z]+)(\\d)?/; n = 0; 0",
      probe:
        "s.skip(/\\s/); [s.pos, d.dup.update('c').hexdigest[0, 8], re.match('x1')[:w], n += 1]",
      first: '[4,"ba7816bf","x",1]',
      second: '[4,"ba7816bf","x",2]',
    },
    {
      name: "libraries that a run requires, sets and big numbers",
      make:
        "require 'ostruct'; require 'bigdecimal'; require 'set'; o = OpenStruct.new(a: 1); s = Set[1]; big = 2**200; dec = BigDecimal('0.1'); 0",
      probe:
        "o.a += 1; s << o.a; [o.a, s.size, (big >> 190), (dec * 3).to_s('F'), require('ostruct')]",
      first: '[2,2,1024,"0.3",false]',
      second: '[3,3,1024,"0.3",false]',
    },
    {
      name: "evaluated code, bindings and methods as objects",
      make:
        "made = eval('c = 10; -> { c -= 1 }'); b = binding; b.local_variable_set(:hidden, 1); m = [3, 1, 2].method(:sort); def self.hook = @hook = (@hook || 0) + 1; 0",
      probe: "[made.(), b.eval('hidden += 1'), m.call, hook]",
      first: "[9,2,[1,2,3],1]",
      second: "[8,3,[1,2,3],2]",
    },
    {
      name: "weak references, rings and identities",
      make:
        "require 'weakref'; ring = { n: 1 }; ring[:self] = ring; w = WeakRef.new(ring); ids = {}.compare_by_identity; key = +'k'; ids[key] = 1; oid = key.object_id; 0",
      probe: "ring[:n] += 1; [w[:n], ids[key], ids[+'k'], key.object_id == oid]",
      first: "[2,1,null,true]",
      second: "[3,1,null,true]",
    },
    {
      name: "large strings and arrays",
      make: "big = 'x' * 3_000_000 + 'end'; rows = Array.new(50_000) { |i| { i: } }; 0",
      probe: "rows << { i: 1 }; GC.start; [big.size, big[-3..], rows.size, rows[49_999][:i]]",
      first: '[3000003,"end",50001,49999]',
      second: '[3000003,"end",50002,49999]',
    },
  ],
  define: "v = 1",
  increment: "v += 1",
  changeThenLoop: "v = 100; loop {}",
  changeThenWrite: "v = 100; loop { puts 'x' }",
  incrementThenFail: "v += 1; raise 'x'",
  incrementThenLong: "v += 1; 'x' * 2000",
  noise: "v = 100; noise = Random.urandom(300_000); 1",
  random: "rand",
  fill: (mark) =>
    `kept = (1..200).map { "${mark}#{_1}" }; blob = '${mark}' * 3000; File.write('c.txt', '${mark}'); kept.size`,
  enter: "Dir.mkdir 'd'; Dir.chdir 'd'; 1",
  where: "Dir.pwd",
  write: (path, value) => `File.write(${quoted(path)}, ${quoted(value)});`,
  remove: (path) => `File.delete(${quoted(path)});`,
  makeDirectory: (path) => `Dir.mkdir(${quoted(path)});`,
  removeDirectory: (path) => `Dir.rmdir(${quoted(path)});`,
  setTime: (path, seconds) => `File.utime(${seconds}, ${seconds}, ${quoted(path)})`,
  tree: `Dir.glob("**/*", base: "/workspace").sort.map { |path| at = "/workspace/#{path}"
    [path, File.directory?(at) ? nil : File.read(at), File.stat(at).mtime.to_i] }`,
});
