/** The surroundings of a program: streams, files, time, libraries, and what is missing. */
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { errorOf, run, shortEnding } from "./ruby.ts";

const VALUES: readonly (readonly [code: string, ending: string])[] = [
  ["gets", "none"],
  ["$stdin.read", 'text ""'],
  ["ARGV", "json []"],
  ["[__FILE__, $0, $PROGRAM_NAME, __FILE__ == $0]", 'json ["main.rb","main.rb","main.rb",true]'],
  ["Dir.pwd", 'text "/workspace"'],
  ["ENV.to_h", "json {}"],
  ["ENV['A'] = 'b'; ENV['A']", 'text "b"'],
  ["DATA.read\n__END__\nhello\nworld", 'text "hello\\nworld"'],
  ["defined?(DATA).inspect", 'text "nil"'],
  ["x = <<~A\n__END__\nA\nx", 'text "__END__\\n"'],
  ["$stdout.tty?", "text false"],
  ["[Encoding.default_external, ''.encoding].map(&:to_s)", 'json ["UTF-8","UTF-8"]'],
  ["a = Time.now; sleep 1.5; (Time.now - a).round(1)", "text 1.5"],
  ["Time.now.year > 2024", "text true"],
  ["Time.now.zone", 'text "UTC"'],
  ["srand(1); a = rand(1000); srand(1); a == rand(1000)", "text true"],
  ["File.write('a.txt', 'hi'); [File.read('a.txt'), Dir.children('.')]", 'json ["hi",["a.txt"]]'],
  ["File.write('/x', 1) rescue $!.class.to_s", 'text "Errno::EROFS"'],
  ["File.read('/etc/passwd') rescue $!.class.to_s", 'text "Errno::ENOENT"'],
  ["File.write('h.rb', 'H = 5'); require_relative 'h'; H", "text 5"],
  ["File.write('h.rb', 'H = 5'); load './h.rb'; H", "text 5"],
  [
    "[Dir.home, File.expand_path('~/a'), File.expand_path('~', '/x')]",
    'json ["/workspace","/workspace/a","/workspace"]',
  ],
  [
    "File.write('a', ''); [File.world_readable?('a'), File.executable?('a'), File.executable?('.')]",
    "json [420,false,true]",
  ],
  [
    "[Process, Kernel, IO].map { |m| %i[fork daemon spawn popen].any? { m.respond_to?(_1) } }",
    "json [false,false,false]",
  ],
  [
    "[Process.respond_to?(:clock_gettime), IO.respond_to?('read'), Kernel.respond_to?(:puts, true)]",
    "json [true,true,true]",
  ],
  [
    "begin; raise 'x'; rescue => e; e.backtrace.unshift('first'); end; [e.backtrace[0], e.backtrace.equal?(e.backtrace)]",
    'json ["first",true]',
  ],
  [
    "%w[caller caller_locations].map { |name| send(name, -1) rescue $!.message }",
    'json ["negative level (-1)","negative level (-1)"]',
  ],
  [
    "def a = b\ndef b = [caller(0..-2), caller(1..), caller(9..12), caller(1, 1)].map { _1&.size }\na",
    "json [2,2,null,1]",
  ],
  ["ENV['HOME'] = '/tmp'; [Dir.home, File.expand_path('~/a')]", 'json ["/tmp","/tmp/a"]'],
  ["File.expand_path('~ann/a') rescue $!.class.to_s", 'text "ArgumentError"'],
  [
    "File.write('a', ''); [File.chmod(0755, 'a'), File.stat('a').mode.to_s(8)]",
    'json [1,"100644"]',
  ],
  [
    "[File.stat('.').mode.to_s(8), (File.chmod(0755, 'no') rescue $!.class.to_s)]",
    'json ["40755","Errno::ENOENT"]',
  ],
  ["Mutex.new.synchronize { 1 }", "text 1"],
  ["e = [1, 2].each; [e.next, e.next, (e.next rescue 'end')]", 'json [1,2,"end"]'],
  ["Fiber.new { Fiber.yield 1; 2 }.then { |f| [f.resume, f.resume] }", "json [1,2]"],
  ["Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID) < 1", "text true"],
  ["Process.times.then { |t| t.utime + t.stime < 1 }", "text true"],
  ["require 'rubygems'", "text false"],
  ["END { puts 'end' }; 1", "text 1"],
  ["[system('clear'), Kernel.system('cls')]", "json [true,true]"],
];

Deno.test("ruby surroundings: the available facilities work", async () => {
  for (const [code, ending] of VALUES) {
    assertEquals(shortEnding((await run(code)).ending), ending, code);
  }
});

Deno.test("ruby surroundings: at_exit and END blocks run last first, after exit too", async () => {
  const code =
    "at_exit { puts 1 }\nEND { puts 2 }\nat_exit { at_exit { puts 4 }; puts 3 }\nputs 0\n";
  assertEquals((await run(code)).stdout, "0\n3\n4\n2\n1\n");
  assertEquals((await run(`${code}exit`)).stdout, "0\n3\n4\n2\n1\n");
  assertEquals((await run(`${code}raise 'x'`)).stdout, "0\n3\n4\n2\n1\n");
  assertEquals((await run(`${code}exit!`)).stdout, "0\n");
});

Deno.test("ruby surroundings: at_exit blocks know what ended the program; a trap of EXIT runs first", async () => {
  const code = "at_exit { p $! }\ntrap('EXIT') { |signal| p signal }\n";
  assertEquals((await run(code)).stdout, "0\nnil\n");
  assertEquals((await run(`${code}exit 3`)).stdout, "0\n#<SystemExit: exit>\n");
  assertEquals((await run(`${code}raise 'x'`)).stdout, "0\n#<RuntimeError: x>\n");
  assertEquals(errorOf((await run("trap('EXIT') { raise 'late' }; 1")).ending).message, "late");
});

Deno.test("ruby surroundings: streams may be replaced, closed, flooded", async () => {
  const replaced = await run("$stdout = StringIO.new; puts 'a'; $stderr = $stdout; warn 'b'; 1");
  assertEquals([replaced.stdout, replaced.stderr, replaced.ending.kind], ["", "", "text"]);
  assertEquals(shortEnding((await run("$stdout.close; 5")).ending), "text 5");
  assertEquals(errorOf((await run("$stdout.close; puts 5")).ending).name, "IOError");
  assertEquals(errorOf((await run("$stdout = nil; puts 5")).ending).name, "TypeError");
  assertEquals((await run('print "a\\0\\xff\\n"')).stdout, "a\0\uFFFD\n");
  const flood = await run("loop { warn 'x' * 100 }", { limits: { outputBytes: 1_000 } });
  assertEquals([shortEnding(flood.ending), flood.stderr.length], ["limit output", 1_000]);
  assertEquals((await run("abort 'last words'")).stderr, "last words\n");
});

const REFUSED = [
  "system('ls')",
  "`ls`",
  "exec 'ls'",
  "fork",
  "spawn 'ls'",
  "Kernel.system('ls')",
  "Process.spawn('ls')",
  "Process.fork",
  "Process.daemon",
  "IO.popen('ls')",
  "IO.pipe",
  "Thread.new { loop {} }",
  "Thread.start { 1 }",
  "Thread.fork { 1 }",
  "Ractor.new { 1 }",
  "Ractor.receive",
  "Ractor::Port.new.receive",
  "Ractor.current.value",
  "require 'open3'; Open3.capture2('ls')",
];

Deno.test("ruby surroundings: processes and threads raise NotImplementedError immediately", async () => {
  for (const code of REFUSED) {
    const ran = await run(code);
    const error = errorOf(ran.ending);
    assertEquals([error.name, error.lineNumber], ["NotImplementedError", 1], code);
    assertLess(ran.fuelConsumed, 200_000_000, code);
  }
});

Deno.test("ruby surroundings: bytecode and JavaScript are out of reach", async () => {
  const refused = [
    ["require 'js'", "LoadError"],
    ["require 'js.so'", "LoadError"],
    ["JS.eval('1')", "NameError"],
    ["RubyVM::InstructionSequence.load_from_binary('x')", "NoMethodError"],
    ["RubyVM::InstructionSequence.compile('1').to_binary", "NoMethodError"],
    ["RubyVM::InstructionSequence.load([])", "NoMethodError"],
  ] as const;
  for (const [code, name] of refused) {
    assertEquals(errorOf((await run(code)).ending).name, name, code);
  }
  const found = await run(
    "ObjectSpace.each_object(Module).select { |m| m.to_s =~ /\\AJS\\b/ }.flat_map { |m| m.singleton_methods(false) + m.instance_methods(false) }",
  );
  assertEquals(shortEnding(found.ending), "json []");
});

// deno-fmt-ignore
const LIBRARIES = [
  "json", "set", "date", "time", "securerandom", "digest", "digest/sha1", "digest/sha2", "stringio",
  "strscan", "erb", "optparse", "forwardable", "delegate", "singleton", "tempfile", "tmpdir",
  "fileutils", "pathname", "shellwords", "tsort", "weakref", "English", "open3", "timeout",
  "monitor", "uri", "find", "pp", "yaml", "psych", "zlib", "ripper", "objspace", 
  "etc", "fcntl", "cgi/escape", "coverage", "prism", "rbconfig", "random/formatter",
  "error_highlight", "did_you_mean", "openssl", "socket", "net/http", "open-uri", "ipaddr", "resolv",
  "io/console", "io/wait", "bigdecimal", "bigdecimal/util", "bigdecimal/math", "csv", "ostruct",
  "logger", "base64", "benchmark", "abbrev", "getoptlong", "matrix", "minitest", "minitest/spec",
  "mutex_m", "observer", "power_assert", "prime", "pstore", "yaml/store",
  "rexml/document", "rss", "test/unit/assertions", "tsort", "rubygems/version",
];

Deno.test("ruby surroundings: the standard library can be loaded", async () => {
  for (const name of LIBRARIES) {
    const { ending } = await run(`require ${JSON.stringify(name)}; 1`);
    assertEquals(shortEnding(ending), "text 1", name);
  }
});

/** Mocks in tests, in the words of Minitest's own file. */
const MOCKS = `require "minitest/autorun"
require "minitest/mock"
half = Minitest::Mock.new.expect(:save, true, [1]).expect(:save, true, [2])
whole = Minitest::Mock.new.expect(:size, 1)
[half.save(1), whole.size]
describe("mocks") do
  it("verifies") { _(whole).must_verify }
  it("fails") { assert_mock half, "why" }
end`;

Deno.test("ruby surroundings: mocks are Minitest's, and load without a warning", async () => {
  const { stdout, stderr, ending } = await run(MOCKS);
  assertEquals([stderr, errorOf(ending).message], ["", "exit status 1"]);
  assertMatch(stdout, /why.\nExpected save\(2\) => true, got \[save\(1\) => true\]/);
  assertMatch(stdout, /2 runs, 2 assertions, 1 failures, 0 errors, 0 skips/);
});

Deno.test("ruby surroundings: the error of a missing library names it", async () => {
  for (const name of ["nokogiri", "active_support/all", "rspec"]) {
    const error = errorOf((await run(`require ${JSON.stringify(name)}`)).ending);
    assertEquals(error.name, "LoadError");
    const [first, second = ""] = error.message.split("\n");
    assertEquals(first, `cannot load such file -- ${name}`);
    assertMatch(second, /^Gems that can be loaded here: .*bigdecimal.*csv.*minitest/);
    const rescued = await run(`begin; require "${name}"; rescue LoadError => e; e.message; end`);
    assertEquals(shortEnding(rescued.ending), `text "cannot load such file -- ${name}"`);
  }
  assertEquals(errorOf((await run("gem 'rails'")).ending).name, "Gem::MissingSpecError");
  for (const name of ["csv", "json", "bigdecimal"]) {
    assertEquals(shortEnding((await run(`gem '${name}', '~> 3.0'`)).ending), "text true");
  }
});

Deno.test("ruby surroundings: Bundler provides the available gems, and finds no others", async () => {
  const inline = (lines: string) =>
    `require "bundler/inline"\ngemfile(true) do\n  source "https://rubygems.org"\n${lines}\nend\n`;
  const present = inline('gem "csv", "~> 3"\n gem "json", require: false\n gem "prime"');
  assertEquals(
    shortEnding((await run(`${present}[CSV.parse_line("a,b"), 7.prime?]`)).ending),
    'json [["a","b"],true]',
  );
  const absent = errorOf((await run(inline('gem "rails"'))).ending);
  assertEquals(absent.name, "Bundler::GemNotFound");
  assertMatch(
    absent.message,
    /^Could not find gem 'rails' in locally .*\n.*can be loaded here: .*csv/,
  );
  const set = "require 'bundler/setup'\nrequire 'bundler'\nBundler.require(:default)\n1";
  assertEquals(shortEnding((await run(set)).ending), "text 1");
});

const UNREACHABLE: readonly (readonly [code: string, error: string])[] = [
  ["TCPSocket.new('127.0.0.1', 80)", "Socket::ResolutionError"],
  ["Socket.tcp('example.com', 80)", "Socket::ResolutionError"],
  ["TCPServer.new(8080)", "Errno::EACCES"],
  ["UDPSocket.new", "Errno::ENETUNREACH"],
  ["Addrinfo.tcp('localhost', 80)", "Socket::ResolutionError"],
  ["require 'net/http'; Net::HTTP.get(URI('http://example.com/'))", "Socket::ResolutionError"],
  ["require 'open-uri'; URI.open('http://127.0.0.1/')", "Socket::ResolutionError"],
];

Deno.test("ruby surroundings: there is no network, and programs can rescue that", async () => {
  for (const [code, name] of UNREACHABLE) {
    assertEquals(errorOf((await run(`require "socket"\n${code}`)).ending).name, name, code);
  }
  const rescued = "require 'socket'; begin; TCPSocket.open('x', 1); rescue SocketError; 'no'; end";
  assertEquals(shortEnding((await run(rescued)).ending), 'text "no"');
});

Deno.test("ruby surroundings: the environment is that of the run, odd names too", async () => {
  const env = { PATH: "/x", "__proto__": "p", EMPTY: "", UMLAUT: "ü\n" };
  const ran = await run("ENV.sort.to_h", { env: { ...env, ["__proto__"]: "p" } });
  assert(ran.ending.kind === "json");
  assertEquals(ran.ending.json, '{"EMPTY":"","PATH":"/x","UMLAUT":"ü\\n","__proto__":"p"}');
});
