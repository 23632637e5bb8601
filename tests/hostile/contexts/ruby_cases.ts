/** Hostile runs in a context of Ruby. */
import type { ContextCase, ContextWords } from "./case.ts";

const LIMITS: readonly ContextCase[] = [
  {
    name: "endless loop after changes",
    runs: ["canary = 1; File.write('safe.txt', 'x'); loop {}"],
    outcome: "rolled back",
    message: /Fuel limit/,
  },
  {
    name: "sleeping past the wall clock",
    runs: ["canary = 1; sleep 1_000_000"],
    outcome: "rolled back",
    message: /Wall clock limit/,
  },
  {
    name: "writing without end",
    runs: ["canary = 1; loop { puts 'x' * 1000 }"],
    outcome: "rolled back",
    message: /Output limit/,
  },
  {
    name: "memory without end",
    runs: ["hoard = []; loop { hoard << 'x' * (1 << 20) }"],
    outcome: "any",
  },
  {
    name: "recursion without end, rescued or not",
    runs: ["def f(n) = f(n + 1) + 1\nf(0) rescue 0", "f(0)"],
    outcome: "any",
  },
  {
    name: "recursion without end, through blocks and fibers",
    runs: ["def g = [1].each { Fiber.new { g }.resume }\ng"],
    outcome: "any",
  },
  {
    name: "40 MiB of noise",
    runs: ["noise = Random.bytes(40 << 20); 1"],
    outcome: "rolled back",
  },
  {
    name: "60 MiB of one byte",
    runs: ["same = 'x' * (60 << 20); 1", "same = nil; GC.start; 1"],
    outcome: "kept",
  },
];

const FILES: readonly ContextCase[] = [
  {
    name: "more files than there can be",
    runs: ["5000.times { |i| File.write(\"f#{i}\", 'x') }"],
    outcome: "failed",
  },
  {
    name: "as many files as there can be, then none",
    runs: [
      '(1..4095).each { |i| File.write("f#{i}", i.to_s) }; 1',
      'File.delete(*(1..4095).map { |i| "f#{i}" }); 1',
    ],
    outcome: "kept",
  },
  {
    name: "directories as deep as they go, and the working directory in them",
    runs: [
      "600.times { Dir.mkdir('d'); Dir.chdir('d') }; 1",
      "l = Dir.pwd.size; Dir.chdir('/workspace'); l",
    ],
    outcome: "kept",
  },
  {
    name: "the working directory removed",
    runs: ["Dir.mkdir('w'); Dir.chdir('w'); Dir.rmdir('../w'); 1", "Dir.pwd"],
    outcome: "kept",
  },
  {
    name: "names of every kind",
    runs: [
      '["a\\nb", "\\x01", "__proto__", "\\u{feff}", "\\u00e9", "e\\u0301", "\\\\", "\\"", " ", "..."].each { |n| Dir.mkdir(n); File.write("#{n}/#{n}", n) }; 1',
    ],
    outcome: "kept",
  },
  {
    name: "names that are no UTF-8",
    runs: ['File.write("\\xff\\xfe".b, "x"); 1'],
    outcome: "any",
  },
  {
    name: "handles in globals",
    runs: [
      '$handles = Array.new(100) { |i| File.open("h#{i}", "w") }; $handles[0].write("x"); $raw = IO.sysopen("r", "w"); 1',
      "failed = 0; $handles.each { |h| h.write('y') rescue failed += 1 }; (IO.for_fd($raw).write('y') rescue failed += 1); failed",
    ],
    outcome: "kept",
  },
];

const POISON: readonly ContextCase[] = [
  {
    name: "fibers and enumerators left",
    runs: [
      "$fibers = Array.new(30) { Fiber.new { loop { Fiber.yield 1 } } }; $fibers.sum(&:resume)",
      "$fibers.sum(&:resume)",
    ],
    outcome: "any",
  },
  {
    name: "the driver's name removed, and what it can reach",
    runs: [
      "Object.send(:remove_const, :Belljar); 1",
      "ObjectSpace.each_object(Module) { |m| m.singleton_methods(false).each { |n| m.singleton_class.send(:undef_method, n) } if m.name.to_s.start_with?('Belljar') }; 1",
    ],
    outcome: "any",
  },
  {
    name: "core methods replaced by what raises",
    runs: [
      "[String, Array, Hash, Integer, Kernel, NilClass].each { |c| (c.instance_methods(false) - %i[__send__ __id__ object_id instance_methods each define_method - respond_to? class]).each { |m| c.define_method(m) { |*| ::Kernel.raise 'no' } rescue nil } }",
    ],
    outcome: "any",
  },
  {
    name: "core methods replaced by what never ends",
    runs: [
      "class Array; def pop = loop {}; def shift = loop {}; def each = loop {}; def size = loop {}; end; class String; def encoding = loop {}; def unpack1(*) = loop {}; def ==(o) = loop {}; end; 1",
    ],
    outcome: "any",
  },
  {
    name: "constants taken away",
    runs: [
      "(Object.constants - %i[Object BasicObject Kernel]).each { |c| Object.send(:remove_const, c) }; 1",
    ],
    outcome: "rolled back",
  },
  {
    name: "constants taken away but those that programs need",
    runs: [
      "(Object.constants - %i[Object BasicObject Kernel TOPLEVEL_BINDING File]).each { |c| Object.send(:remove_const, c) }; 1",
      "[canary, self.to_s]",
    ],
    outcome: "kept",
  },
  {
    name: "streams closed, replaced and moved",
    runs: [
      "$stdin.close; $stderr = Object.new.tap { |o| def o.write(*) = loop {} }; STDOUT.reopen(STDERR); $, = $; = nil; 1",
    ],
    outcome: "any",
  },
  {
    name: "a trace that raises, and one that never ends",
    runs: [
      "TracePoint.new(:c_call) { raise 'traced' if $armed }.enable; $armed = true; 1",
      "$armed = false; TracePoint.new(:call) { loop {} }.enable; 1",
    ],
    outcome: "any",
  },
  {
    name: "what is done at exit never ends",
    runs: ["canary = 1; at_exit { loop {} }"],
    outcome: "rolled back",
  },
  {
    name: "finalizers that never end",
    runs: [
      "1000.times { ObjectSpace.define_finalizer(Object.new, proc { loop {} }) }; 1",
      "GC.start; 1",
    ],
    outcome: "any",
  },
  {
    name: "a collector that always or never runs",
    runs: ["GC.stress = true; 1", "GC.disable; 'x' * 100; 1"],
    outcome: "kept",
  },
  {
    name: "an exit in every way",
    runs: ["exit!", "begin; exit! 1; ensure; loop {}; end", "Process.exit!(0)", "abort; 1"],
    outcome: "failed",
  },
  {
    name: "a timeout that a fiber never leaves",
    runs: [
      "require 'timeout'; $late = Fiber.new { Timeout.timeout(1) { Fiber.yield } }; $late.resume; 1",
      "sleep 5; 1",
    ],
    outcome: "kept",
  },
  {
    name: "a thousand locals",
    runs: [
      `${Array.from({ length: 1000 }, (_, n) => `l${n} = ${n}`).join("; ")}; 1`,
      "l0 + l999",
    ],
    outcome: "kept",
  },
];

export const RUBY_CONTEXT: ContextWords = {
  make: "canary = 41; File.write('safe.txt', 'safe'); canary",
  show: "[canary, File.read('/workspace/safe.txt')]",
  alive: "1",
  count: "$runs = ($runs || 0) + 1",
  cases: [...LIMITS, ...FILES, ...POISON],
};
