/**
 * Programs that search for the host: files, the network, processes, the interpreter's own functions for the host.
 */
import type { HostileCase } from "../cases.ts";

function value(code: string, text: string): HostileCase {
  return { name: code, code, outcome: "value", results: [{ text }] };
}

function error(code: string): HostileCase {
  return { name: code, code, outcome: "error" };
}

/** None of the host's files is visible. */
export const HOST_ACCESS: readonly HostileCase[] = [
  value("open(my $f, '<', '/etc/passwd') ? 'open' : \"$!\"", "No such file or directory"),
  value("open(my $f, '../../../../etc/passwd') ? 'open' : \"$!\"", "No such file or directory"),
  value("-e '/proc' || -e '/sys' || -e '/root' || -e '/home' ? 'host' : 'none'", "none"),
  value("opendir my $d, '/' or die; join ',', sort readdir $d", ".,..,dev,tmp,workspace"),
  value("join ',', </*>, <../*>", "/dev,/tmp,/workspace,../dev,../tmp,../workspace"),
  value("join ',', <*>, glob('~/*'), glob('/etc/*')", ""),
  value("symlink('/etc', 'l') ? 'linked' : 'no'", "no"),
  value("readlink('/proc/self/exe') // 'none'", "none"),
  value("do '/etc/hosts'; \"$!\"", "No such file or directory"),
  error('require "/etc/hosts"'),
  error("open my $f, '>', '/dev/../etc/x' or die $!"),
  error("use lib '/usr/share/perl5'; use Debconf::Log"),
  error("require DynaLoader; DynaLoader::dl_load_file('/lib/libc.so.6') or die 'no library'"),
  error("require XSLoader; XSLoader::load('POSIX')"),
  value("join ',', sort keys %ENV", ""),
];

/** There is no network. */
export const NETWORK: readonly HostileCase[] = [
  error("use Socket; socket(my $s, PF_INET, SOCK_STREAM, 0) or die $!"),
  error("socket my $s, 2, 1, 0 or die $!"),
  error("use IO::Socket::INET; IO::Socket::INET->new('127.0.0.1:80') or die $!"),
  error(
    "use HTTP::Tiny; my $r = HTTP::Tiny->new->get('http://169.254.169.254/'); die $r->{status}",
  ),
  error("my @a = gethostbyname 'localhost' or die 'no hosts'"),
];

/** There are no other processes, and no program can end the running one. */
export const PROCESSES: readonly HostileCase[] = [
  value("system('id') == -1 ? 'no' : 'yes'", "no"),
  value("defined(`id`) ? 'yes' : 'no'", "no"),
  value("exec('id') || 'no'", "no"),
  error("fork // die 'no fork'"),
  error("open my $p, '-|', 'id' or die $!"),
  error("open my $p, '|id' or die $!"),
  error("pipe my $r, my $w or die $!"),
  error("use threads; threads->create(sub { 1 while 1 })->join"),
  error("wait == -1 and die 'no children'"),
  error("syscall 60, 0"),
  { name: "kill", code: "kill 9, $$; kill 9, 1; kill -9, 0; 'alive'", outcome: "any" },
  { name: "dump", code: "dump", outcome: "any" },
  { name: "exit of the C library", code: "use POSIX; POSIX::_exit(7)", outcome: "error" },
];
