/** Signals that a program sends to itself, and what it cannot have. */
import { assertEquals, assertMatch } from "@std/assert";
import { errorOf, run, shortEnding } from "./ruby.ts";

/** Programs, and what they print. */
const PRINTED: readonly (readonly [code: string, out: string])[] = [
  [
    "trap('USR1') { puts 'got it' }\nProcess.kill('USR1', Process.pid)\nsleep 0.05\nputs 'done'",
    "got it\ndone\n",
  ],
  [
    "Signal.trap(:TERM) { |n| print n }\nProcess.kill('SIGTERM', 0); Process.kill(15, $$, $$); Process.kill(:TERM, -$$)",
    "15151515",
  ],
  ["trap('HUP', 'print 5'); Process.kill(:HUP, $$)", "5"],
  [
    "trap('INT', 'IGNORE'); Process.kill(:INT, $$); trap('TERM', nil); Process.kill(:TERM, $$); print 1",
    "1",
  ],
  ["begin; Process.kill(:INT, $$); rescue Interrupt => e; p e.signo; end", "2\n"],
  [
    "begin; Process.kill(:TERM, $$); rescue SignalException => e; p e; end",
    "#<SignalException: SIGTERM>\n",
  ],
  ["at_exit { print 'bye' }; trap('USR2', 'EXIT'); Process.kill(:USR2, $$); print 'never'", "bye"],
  [
    "trap('USR1') { raise IOError, 'x' }; begin; Process.kill(:USR1, $$); rescue IOError; print 1; end",
    "1",
  ],
  [
    "h = trap('USR1') { }; p h, trap('USR1', h).class, Process.kill(0, $$), Process.kill(:CHLD, $$)",
    '"DEFAULT"\nProc\n1\n1\n',
  ],
  ["p Process.respond_to?(:kill), Process.respond_to?(:fork)", "true\nfalse\n"],
];

const ERRORS: readonly (readonly [code: string, name: string])[] = [
  ["Process.kill(:TERM, 99999)", "Errno::ESRCH"],
  ["Process.kill('FOO', $$)", "ArgumentError"],
  ["Process.kill(77, $$)", "Errno::EINVAL"],
  ["Process.kill(:TERM)", "ArgumentError"],
  ["Process.kill(1.5, $$)", "ArgumentError"],
  ["Process.kill(:TERM, nil)", "TypeError"],
  ["Process.kill(:KILL, $$)", "SystemExit"],
  ["Process.kill(:TERM, $$)", "SignalException"],
];

/** Functions that do not exist here, and the reason. */
const ABSENT: readonly (readonly [code: string, message: RegExp])[] = [
  ["Thread.new { }", /^Thread\.new: threads are not available here; .*Fiber/],
  ["Thread.start { }", /^Thread\.start: threads are not available here/],
  ["Ractor.new { }", /^Ractor\.new: ractors are not available here/],
  ["IO.pipe", /^IO\.pipe: pipes are not available here; .*StringIO/],
  ["IO.popen('ls')", /^IO\.popen: processes are not available here/],
  ["fork { }", /^fork: processes are not available here/],
  ["Process.spawn('ls')", /^Process\.spawn: processes are not available here/],
  ["spawn 'ls'", /^spawn: processes are not available here; .*FileUtils/],
  ["`ls`", /^`: processes are not available here/],
  ["system 'ls'", /^system: processes are not available here/],
  ["exec 'ls'", /^exec: processes are not available here/],
  ["Process.wait", /^Process\.wait: processes are not available here/],
];

Deno.test("ruby signals: handlers run when the program sends a signal to itself", async () => {
  for (const [code, out] of PRINTED) assertEquals((await run(code)).stdout, out, code);
});

Deno.test("ruby signals: errors are Ruby's", async () => {
  for (const [code, name] of ERRORS) {
    assertEquals(errorOf((await run(code)).ending).name, name, code);
  }
});

Deno.test("ruby signals: missing methods say why", async () => {
  for (const [code, message] of ABSENT) {
    const error = errorOf((await run(code)).ending);
    assertEquals(error.name, "NotImplementedError", code);
    assertMatch(error.message, message);
  }
});

Deno.test("ruby signals: https says that there is no network", async () => {
  const programs = [
    "require 'net/http'; Net::HTTP.get(URI('https://example.com/'))",
    "require 'net/http'; Net::HTTP.get(URI('http://example.com/'))",
    "require 'net/http'; h = Net::HTTP.new('a.test', 443); h.use_ssl = true; h.verify_mode = OpenSSL::SSL::VERIFY_NONE; h.get('/')",
    "require 'open-uri'; URI.open('https://example.com/').read",
  ];
  for (const code of programs) {
    const { name, message } = errorOf((await run(code)).ending);
    assertEquals(name, "Socket::ResolutionError", code);
    assertMatch(message, /there is no network here/);
  }
  assertMatch(
    errorOf((await run("require 'net/smtp'")).ending).message,
    /There is no network here/,
  );
  assertMatch(errorOf((await run("require 'rails'")).ending).message, /Others cannot be installed/);
  assertEquals(
    shortEnding(
      (await run("require 'openssl'; OpenSSL::Digest::SHA256.hexdigest('a')[0, 6]")).ending,
    ),
    'text "ca9781"',
  );
});
