/**
 * Programs that search for the host: processes, the bridge to JavaScript, bytecode, the network.
 */
import type { HostileCase } from "../cases.ts";

const MISSING = /^NotImplementedError$/;
/** A program may send signals to itself. */
const ENDED = /^SystemExit$/;

export const PROCESSES: readonly HostileCase[] = [
  "system('ls')",
  "`ls`",
  "%x(ls)",
  "exec 'ls'",
  "fork",
  "spawn 'ls'",
  "Kernel.system('ls')",
  "Kernel.send(:`, 'ls')",
  "Process.spawn('ls')",
  "Process.fork",
  "Process.kill('KILL', $$)",
  "Process.kill(:KILL, 0)",
  "Process.daemon",
  "IO.popen('ls').read",
  "IO.pipe",
  "Thread.new { loop {} }",
  "Thread.start { 1 }",
  "Ractor.new { loop {} }",
  "syscall 1",
  "require 'open3'; Open3.capture2('ls')",
  "require 'pty'; PTY.spawn('ls')",
].map((code) => ({
  name: code,
  code,
  outcome: "error",
  error: code.includes("pty") ? /^LoadError$/ : code.includes("kill") ? ENDED : MISSING,
}));

export const ESCAPES: readonly HostileCase[] = [
  ...[
    ["require 'js'", /^LoadError$/],
    ["require 'js.so'", /^LoadError$/],
    ["JS.eval('Deno.exit()')", /^NameError$/],
    ["require 'js/require_remote'", /^(LoadError|NameError)$/],
    ["require 'fiddle'", /^LoadError$/],
    ["RubyVM::InstructionSequence.load_from_binary('YARB')", /^NoMethodError$/],
    ["RubyVM::InstructionSequence.load([])", /^NoMethodError$/],
    ["RubyVM::InstructionSequence.compile('1').to_binary", /^NoMethodError$/],
    ["require '/dev/stdin'", /./],
    ["load '/proc/self/mem'", /^LoadError$/],
    ["binding.irb", /./],
    ["File.read('/etc/passwd')", /^Errno::ENOENT$/],
    ["File.read('../../etc/passwd')", /^Errno::/],
    ["File.symlink('/etc/passwd', 'x')", /^(Errno::|NotImplementedError)/],
    ["Dir.chroot('/')", /./],
    ["File.write('/usr/local/lib/ruby/4.0.0/json.rb', '1')", /^Errno::/],
    ["Process.setrlimit(:CPU, 1)", /./],
    ["IO.for_fd(77)", /^Errno::EBADF$/],
    ["IO.new(9).read", /^Errno::EBADF$/],
    ["BasicObject.new.instance_eval { foo }", /^(NameError|NoMethodError)$/],
  ].map(([code, error]) =>
    ({
      name: String(code),
      code: String(code),
      outcome: "error",
      error: error instanceof RegExp ? error : /./,
    }) as const
  ),
  {
    name: "what is left of the bridge has no methods",
    code:
      "ObjectSpace.each_object(Module).select { |m| m.to_s =~ /\\AJS\\b/ }.flat_map { |m| m.singleton_methods(false) + m.instance_methods(false) }",
    outcome: "value",
    results: [{ json: [] }],
  },
];

/** Everything visible belongs to the run. */
export const HOST: readonly HostileCase[] = [
  {
    name: "the root is a virtual one",
    code: "Dir.children('/').sort - %w[lib]",
    outcome: "value",
    results: [{ json: ["dev", "tmp", "workspace"] }],
  },
  { name: "no environment", code: "ENV.to_h", outcome: "value", results: [{ json: {} }] },
  {
    name: "no files of the host",
    code: "Dir.glob('/{etc,proc,home,root,var}/*')",
    outcome: "value",
    results: [{ json: [] }],
  },
  { name: "a signal to itself", code: "trap('EXIT') { loop {} }; raise 'x'", outcome: "any" },
  { name: "exit!", code: "exit!(7)", outcome: "error", error: /^SystemExit$/ },
  { name: "abort", code: "abort", outcome: "error", error: /^SystemExit$/ },
];

export const NETWORK: readonly HostileCase[] = [
  "require 'socket'; TCPSocket.new('127.0.0.1', 80)",
  "require 'socket'; TCPServer.new(0)",
  "require 'socket'; Socket.tcp('169.254.169.254', 80)",
  "require 'socket'; UDPSocket.new.send('x', 0, '127.0.0.1', 53)",
  "require 'socket'; UNIXSocket.new('/tmp/s')",
  "require 'socket'; Addrinfo.getaddrinfo('localhost', 80)",
  "require 'net/http'; Net::HTTP.get(URI('http://127.0.0.1/'))",
  "require 'open-uri'; URI.open('http://169.254.169.254/').read",
  "require 'resolv'; Resolv.getaddress('localhost.example')",
].map((code) => ({ name: code, code, outcome: "error" }));
