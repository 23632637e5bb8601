/** Output that a Ruby program has written, but not flushed, when it ends. */
import { assertEquals } from "@std/assert";
import { run } from "./ruby.ts";

/** Programs that leave output in buffers, and what standard output has in the end. */
const STREAMS: readonly (readonly [code: string, stdout: string])[] = [
  ["$stdout.sync = false; print 'x'", "x"],
  ["$stdout.sync = false; print 'x'; raise 'no'", "x"],
  ["$stdout.sync = false; print 'x'; exit 3", "x"],
  ["$stdout.sync = false; print 'x'; abort", "x"],
  ["$stdout.sync = false; print 'x'; $stdout.sync = true", "x"],
  ["$stdout.sync = false; print 'x'; exit!", ""],
  ["$stdout.sync = false; print 'x'; loop {}", ""],
  ["at_exit { print 'y' }; $stdout.sync = false; print 'x'", "xy"],
  ["$stdout.sync = false; print 'x'; $stdout = StringIO.new", "x"],
  ["$stdout.sync = false; print 'x'; $stdout.close", "x"],
  ["$stdout.sync = false; print 'x'; class IO; def flush = raise; def fsync = raise; end", "x"],
  [
    "$stdout.sync = false; print 'x'; %i[STDOUT IO ObjectSpace].each { Object.send(:remove_const, _1) }",
    "x",
  ],
  ["$stdout.sync = false; print 'x'; File.open('out', 'w')", "x"],
];

Deno.test("ruby buffers: the streams are written when a program has ended, however it ends", async () => {
  for (const [code, stdout] of STREAMS) {
    assertEquals([code, (await run(code, { limits: { fuel: 2e9 } })).stdout], [code, stdout]);
    const other = code.replaceAll("$stdout", "$stderr").replaceAll("print", "$stderr.print")
      .replaceAll("STDOUT", "STDERR");
    const { stderr } = await run(other, { limits: { fuel: 2e9 } });
    assertEquals([other, stderr], [other, stdout]);
  }
});

/** Programs that write `x` to a file, and leave it open: `/dev/stdout` shows when it is written. */
const FILES: readonly (readonly [code: string, stdout: string])[] = [
  ["$f = File.open('/dev/stdout', 'w'); $f.write 'x'", "x"],
  ["f = File.open('/dev/stdout', 'w'); f.write 'x'; raise 'no'", "x"],
  ["f = File.open('/dev/stdout', 'w'); at_exit { f.write 'y' }; f.write 'x'; exit 3", "xy"],
  ["STDIN.close; $f = File.open('/dev/stdout', 'w'); $f.write 'x'", "x"],
  [
    "$f = File.open('/dev/stdout', 'w'); $f.write 'x'; class File; def flush = raise; end; GC.disable",
    "x",
  ],
  ["$f = File.open('/dev/stdout', 'w'); $f.write 'x'; $f.flush; $f.close", "x"],
  ["$a = Array.new(3) { File.open('/dev/stdout', 'w') }; $a.each { _1.write 'x' }", "xxx"],
  ["$f = File.open('/dev/stdout', 'w'); $f.write 'x'; exit!", ""],
];

Deno.test("ruby buffers: files that are left open are written when a program has ended", async () => {
  for (const [code, stdout] of FILES) {
    assertEquals([code, (await run(code)).stdout], [code, stdout]);
  }
});

Deno.test("ruby buffers: a display that follows a line without an end is shown", async () => {
  const code = "File.open('/dev/display', 'w') { _1.write '{' }; display_data('x/y', 1); nil";
  assertEquals((await run(code)).displays, ['{"data":{"x/y":1}}']);
});
