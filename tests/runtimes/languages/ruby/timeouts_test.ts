/** A Timeout interrupts a program that computes, always at the same place. */
import { assertEquals, assertLess } from "@std/assert";
import { errorOf, rubyEngine, run, runOn, shortEnding } from "./ruby.ts";

/** Ways to compute without an end. */
const ENDLESS: readonly string[] = [
  "1 while true",
  "n = 0; n += 1 while true",
  "loop { }",
  "loop do end until false",
  "begin; end while true",
  "[1, 2].cycle { |x| x + 1 }",
  "1.step { }",
  "(1..).each { |x| x }",
  "(1..).lazy.map { _1 * 2 }.select(&:odd?).first",
  "def fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2)\nfib(50)",
  "a = [*1..2000]; a.sort_by { -_1 }.map(&:to_s) while true",
  "h = Hash.new { |all, key| key }; loop { h[rand(9)] }",
  "e = Enumerator.new { |y| loop { y << 1 } }; loop { e.next }",
  "Fiber.new { 1 while true }.resume",
  "f = Fiber.new { loop { Fiber.yield 1 } }; loop { f.resume }",
  "loop { catch(:x) { throw :x } }",
  "loop { begin; raise 'x'; rescue; end }",
  "loop { Integer('x') rescue 1 }",
  "loop { GC.start }",
  "loop { 'abc'.gsub(/b/) { |x| x.upcase } }",
  "loop { File.write('a', 'x'); File.read('a') }",
  "f = File.open('a', 'w'); loop { f.syswrite 'x'; f.rewind }",
  "loop { Dir.children('/') }",
  "loop { $stdout.print '' }",
  "loop { IO.select([$stdin], [$stdout], nil, 0) }",
  "loop { $stdin.read; $stdin.wait_readable(1) }",
  "loop { Thread.current.raise('x') rescue 1 }",
  "loop { eval('1 + 1') }",
  "loop { sleep 0 }",
  "Object.new.then { |o| def o.method_missing(*) = 1; loop { o.x } }",
];

/** Programs that end in time, and what they give. */
const IN_TIME: readonly (readonly [code: string, value: string])[] = [
  ["Timeout.timeout(1) { 5 }", "text 5"],
  ["Timeout.timeout(3) { |seconds| seconds }", "text 3"],
  ["Timeout.timeout(0) { 4 }", "text 4"],
  ["Timeout.timeout(nil) { 4 }", "text 4"],
  ["Timeout.timeout(1) { break 9 }", "text 9"],
  ["[1, 2].map { |x| Timeout.timeout(1) { next x * 2 } }", "json [2,4]"],
  ["include Timeout; timeout(1) { 7 }", "text 7"],
  ["Timeout.timeout(1) { sleep 0.4; 8 }", "text 8"],
  [
    "Timeout.timeout(1) { puts 'x'; $stdout.flush; File.write('a', 'x'); File.size('a') }",
    "text 1",
  ],
  [
    "Timeout.timeout(1) { IO.select([$stdin], nil, nil, 0.1); $stdin.read; $stdin.wait_readable(1); 1 }",
    "text 1",
  ],
  [
    "require 'fileutils'; Timeout.timeout(1) { File.write('a', 'x'); FileUtils.cp('a', 'b'); IO.copy_stream('a', 'c') }",
    "text 1",
  ],
  ["Timeout.timeout(1) { Zlib.gunzip(Zlib.gzip('x' * 9999)).size }", "text 9999"],
  ["Timeout.timeout(1) { Mutex.new.synchronize { 3 } + Monitor.new.synchronize { 4 } }", "text 7"],
  ["Timeout.timeout(1) { Queue.new.pop(timeout: 0.1); Mutex.new.lock.sleep(0.1); 2 }", "text 2"],
  ["Timeout.timeout(0.5) { 1 }; n = 0; n += 1 while n < 1_000_000; n", "text 1000000"],
  ["Timeout.timeout(1) { Timeout.timeout(2) { 5 } }", "text 5"],
];

/** Programs with a time limit, and what they print. */
const PRINTED: readonly (readonly [code: string, out: string])[] = [
  [
    "class Late < StandardError; end\nbegin; Timeout.timeout(0.1, Late) { loop { } }; rescue Late => e; p e; end",
    "#<Late: execution expired>\n",
  ],
  [
    "begin; Timeout.timeout(0.1, ArgumentError, 'too late') { loop { } }; rescue => e; p e; end",
    "#<ArgumentError: too late>\n",
  ],
  [
    "begin; Timeout.timeout(0.1, nil, 'mine') { loop { } }; rescue Timeout::Error => e; p e.message; end",
    '"mine"\n',
  ],
  [
    "begin; Timeout.timeout(0.1) { begin; loop { }; ensure; puts 'cleaned'; end }; rescue Timeout::Error; puts 'late'; end",
    "cleaned\nlate\n",
  ],
  [
    "begin; Timeout.timeout(0.1) { begin; loop { }; rescue => e; puts 'taken'; end }; rescue Timeout::Error; puts 'late'; end",
    "late\n",
  ],
  [
    "begin; Timeout.timeout(0.1, RuntimeError) { begin; loop { 1 }; rescue => e; puts 'taken'; 5 end }; puts 'in time'; end",
    "taken\nin time\n",
  ],
  [
    "begin; Timeout.timeout(0.1) { Timeout.timeout(9) { loop { } } }; rescue Timeout::Error; puts 'outer'; end",
    "outer\n",
  ],
  [
    "begin\n  Timeout.timeout(0.5) do\n    begin; Timeout.timeout(0.1) { loop { } }; rescue Timeout::Error; puts 'inner'; end\n    loop { }\n  end\nrescue Timeout::Error\n  puts 'outer'\nend",
    "inner\nouter\n",
  ],
  [
    "3.times { |i| begin; Timeout.timeout(0.05) { loop { } }; rescue Timeout::Error; print i; end }",
    "012",
  ],
  [
    "begin; Timeout.timeout(1) { sleep 0.9; loop { } }; rescue Timeout::Error; puts 'late'; end",
    "late\n",
  ],
  [
    "begin\n  Thread.handle_interrupt(ArgumentError => :never) do\n    Timeout.timeout(0.1, ArgumentError) { n = 0; n += 1 while n < 3_000_000; puts 'undisturbed' }\n  end\nrescue ArgumentError\n  puts 'then late'\nend",
    "undisturbed\nthen late\n",
  ],
  ["f = Fiber.new { Timeout.timeout(0.1) { Fiber.yield 1; 2 } }\nf.resume; puts 'over'", "over\n"],
  [
    "at_exit { begin; Timeout.timeout(0.1) { loop { } }; rescue Timeout::Error; puts 'late'; end }\n1",
    "late\n",
  ],
];

Deno.test("ruby timeouts: a computing block is interrupted at the time of its timeout", async () => {
  for (const code of ENDLESS) {
    const program =
      `t = Time.now\nr = begin; Timeout.timeout(0.25) { ${code} }; rescue Exception => e; e.class.to_s; end\n` +
      "[r, (Time.now - t).round(2) >= 0.25]";
    const { ending, fuelConsumed } = await run(program);
    assertEquals(shortEnding(ending), 'json ["Timeout::Error",true]', code);
    assertLess(fuelConsumed, 2_500_000_000, code);
  }
});

Deno.test("ruby timeouts: a block that ends in time gives its value, and costs little", async () => {
  for (const [code, value] of IN_TIME) {
    const { ending, fuelConsumed } = await run(code);
    assertEquals(shortEnding(ending), value, code);
    assertLess(fuelConsumed, 2_500_000_000, code);
  }
});

Deno.test("ruby timeouts: errors, messages, ensure and nested limits are Ruby's", async () => {
  for (const [code, out] of PRINTED) assertEquals((await run(code)).stdout, out, code);
});

Deno.test("ruby timeouts: the same program is interrupted at the same place", async () => {
  const engine = await rubyEngine();
  const code =
    "n = 0\nbegin; Timeout.timeout(0.2) { n += 1 while true }; rescue Timeout::Error; end\nn";
  const first = runOn(engine, code);
  const again = runOn(engine, code);
  assertEquals(again.ending, first.ending);
});

Deno.test("ruby timeouts: a program is interrupted wherever it stands", async () => {
  const bodies = [
    "File.write('a', 'x'); File.read('a')",
    "begin; raise 'x'; rescue; end",
    "'abc'.gsub(/b/) { |x| x.upcase }",
    "catch(:x) { throw :x }",
    "f = Fiber.new { Fiber.yield 1 }; f.resume; f.resume",
    "begin; Timeout.timeout(1) { 1 }; rescue Timeout::Error; end",
    "Marshal.load(Marshal.dump([1, 'a', { b: 2 }]))",
  ];
  for (const body of bodies) {
    const program = "late = 0\n60.times do |t|\n" +
      `  Timeout.timeout(0.00006 * (t + 1)) { loop { ${body} } }\n` +
      "rescue Timeout::Error\n  late += 1\nend\nlate";
    assertEquals(shortEnding((await run(program)).ending), "text 60", body);
  }
});

Deno.test("ruby timeouts: an error that is not rescued names the program's line", async () => {
  const { name, message, lineNumber } = errorOf(
    (await run("x = 1\nTimeout.timeout(0.1) {\n  loop { x += 1 }\n}")).ending,
  );
  assertEquals([name, message, lineNumber], ["Timeout::Error", "execution expired", 2]);
});

Deno.test("ruby timeouts: the device of the alarm takes seconds and nothing else", async () => {
  const { stdout } = await run(
    "['x', '-1', 'NaN', '1' * 65, '0'].each { |text| IO.write('/dev/alarm', text); puts text } rescue p $!.class\nloop { break }\n" +
      "p((IO.write('/dev/alarm', '0') rescue $!.class), File.size('/dev/alarm'))",
  );
  assertEquals(stdout, "Errno::EINVAL\n1\n0\n");
});
