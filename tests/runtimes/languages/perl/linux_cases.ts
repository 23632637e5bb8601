import { assertEquals } from "@std/assert";
import { LINUX_ERRORS } from "../../../../runtimes/engine/linux_errors.ts";
import { libraryNumbers } from "../../../../runtimes/languages/perl/build/error_tables.ts";
import { brief, run } from "./perl.ts";

/** Failing operations, and the value of `$!` after each. */
const FAILURES: readonly (readonly [code: string, number: number, text: string])[] = [
  ["open my $f, '<', 'none'", 2, "No such file or directory"],
  ["mkdir 'd'; mkdir 'd'", 17, "File exists"],
  ["mkdir 'd'; open my $f, '>', 'd/f'; close $f; rmdir 'd'", 39, "Directory not empty"],
  ["mkdir 'd'; open my $f, '>', 'd'", 21, "Is a directory"],
  ["open my $f, '>', 'x'; close $f; open $f, '<', 'x/y'", 20, "Not a directory"],
  ["open my $f, '<', 'x' x 2_000", 36, "File name too long"],
  ["open my $f, '>', '/x'", 30, "Read-only file system"],
  ["open my $f, '<', \\''; close $f; close $f", 9, "Bad file descriptor"],
  ["open my $f, '>', 'x'; seek $f, -1, 0", 22, "Invalid argument"],
  ["open my $f, '>&', 77", 9, "Bad file descriptor"],
  ["$! = 5; $^E = 13", 13, "Permission denied"],
  ["$! = 2; { local $! = 1 }", 2, "No such file or directory"],
  ["$! = 250", 250, "Unknown error 250"],
];

Deno.test("perl errors of the system have Linux's numbers and texts", async () => {
  for (const [code, number, text] of FAILURES) {
    assertEquals([code, brief(await run(`${code}; $! + 0 . " $!"`))], [
      code,
      `text ${number} ${text}`,
    ]);
  }
});

Deno.test("perl errors of the system: all numbers can be set and read, with their texts", async () => {
  const ran = await run('join "\\n", map { $! = $_; $! + 0 . " $!" } 1 .. 255');
  const texts = new Map(LINUX_ERRORS.map(({ number, text }) => [number, text]));
  const wanted = Array.from(
    { length: 255 },
    (_, index) => `${index + 1} ${texts.get(index + 1) ?? `Unknown error ${index + 1}`}`,
  );
  assertEquals(brief(ran), `text ${wanted.join("\n")}`);
  assertEquals(new Set(libraryNumbers()).size, 256);
});

Deno.test("perl errors of the system: Errno, %! and POSIX agree with $!", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["use Errno qw(ENOENT :POSIX); -e 'none'; join ',', $! == ENOENT, EEXIST, EAGAIN", "1,17,11"],
    ["-e 'none'; join ',', $!{ENOENT}, $!{EEXIST}, exists $!{EPERM}, exists $!{EX}", "2,0,1,"],
    ["use POSIX; join ',', EEXIST, strerror(17), ETIMEDOUT, EWOULDBLOCK", "17,File exists,110,11"],
    ["use POSIX (); -e 'none'; POSIX::errno() . POSIX::ENOTEMPTY()", "239"],
    [
      "scalar(keys %!) . join ',', grep { /^EN[OA]\\w{3}$/ } sort keys %!",
      "134ENOANO,ENOCSI,ENODEV,ENOENT,ENOKEY,ENOLCK,ENOMEM,ENOMSG,ENONET,ENOPKG,ENOSPC,ENOSTR,ENOSYS,ENOTTY",
    ],
    ["eval { $!{ENOENT} = 1 }; $@ =~ /^ERRNO hash is read only/ ? 1 : $@", "1"],
    ['$! = 0; "[$!]"', "[]"],
  ];
  for (const [code, text] of cases) {
    assertEquals([code, brief(await run(code))], [code, `text ${text}`]);
  }
});

Deno.test("perl files have the modes of Linux", async () => {
  const make = "open my $f, '>', 'f'; print $f 'x'; close $f; mkdir 'd'; ";
  const cases: readonly (readonly [string, string])[] = [
    ["join ',', map { sprintf '%o', (stat)[2] } 'f', 'd', '/dev/null'", "100644,40755,20666"],
    ["join '', grep { eval \"-$_ 'f'\" } qw(e f d r w x o R W X O z s l T)", "efrwoRWOsT"],
    ["join '', grep { eval \"-$_ 'd'\" } qw(e f d r w x)", "edrwx"],
    ["use Fcntl ':mode'; join ',', S_ISREG((stat 'f')[2]), S_IMODE((lstat 'd')[2])", "1,493"],
    ["open $f, '<', 'f'; sprintf '%o', (stat $f)[2] & 07777", "644"],
    ["use File::stat; sprintf '%04o', stat('f')->mode & 07777", "0644"],
  ];
  for (const [code, text] of cases) {
    assertEquals([code, brief(await run(make + code))], [code, `text ${text}`]);
  }
});

Deno.test("perl locks are granted on every open file", async () => {
  const code = "use Fcntl ':flock'; open my $f, '>>', 'l'; open L, '<', 'l'; my @got = (\n" +
    "flock($f, LOCK_EX), flock(L, LOCK_SH | LOCK_NB), flock(STDOUT, 2), flock(\\*L, LOCK_UN),\n" +
    "do { package P; open L, '<', 'l'; flock L, 1 });\n" +
    "close $f; close L; push @got, flock($f, 2) || \"$!\", flock(L, 2) || 'no', flock(None, 2) || 'no'; \"@got\"";
  assertEquals(brief(await run(code)), "text 1 1 1 1 1 Bad file descriptor no no");
});

Deno.test("perl reports Linux as its system, which matches its errors and modes", async () => {
  assertEquals(brief(await run("$^O")), "text linux");
  const code =
    "use File::Spec; use File::Temp; use Sys::Hostname; use Perl::OSType 'is_os_type';\n" +
    "my ($f, $name) = File::Temp::tempfile(); join ' ', File::Spec->catfile('a', 'b'),\n" +
    "File::Spec->tmpdir, is_os_type('Unix'), hostname(), $name =~ m{^/tmp/\\w{10}$} ? 1 : $name";
  assertEquals(brief(await run(code)), "text a/b /tmp 1 localhost 1");
});
