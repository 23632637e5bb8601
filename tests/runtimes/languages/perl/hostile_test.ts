// test: long
import { assertEquals } from "@std/assert";
import { brief, newEngine, perl, run, runOn } from "./perl.ts";

const CANARY = "my %h = (a => 1, b => 2); join ',', map { \"$_$h{$_}\" } sort keys %h";

async function isWell(): Promise<void> {
  assertEquals(brief(await run(CANARY)), "text a1,b2");
}

/** Programs, and their allowed endings. */
const HOSTILE: readonly (readonly [code: string, ending: RegExp])[] = [
  ["1 while 1", /^limit fuel$/],
  ["{ redo }", /^limit fuel$/],
  ["eval { 1 while 1 }; 1 while 1", /^limit fuel$/],
  ["END { 1 while 1 } 1", /^limit fuel$/],
  ["package D; sub DESTROY { 1 while 1 } package main; { my $d = bless [], 'D' }", /^limit fuel$/],
  [
    "package D; sub DESTROY { bless [], 'D' } package main; our $d = bless [], 'D';",
    /^limit|^none|^text/,
  ],
  ["local $SIG{__DIE__} = sub { 1 while 1 }; die 1", /^limit fuel$/],
  ["local $SIG{ALRM} = sub { die }; 1 while 1", /^limit fuel$/],
  ["my $s = 'a' x 40 . 'b'; $s =~ /^(a|a|aa)+$/ while 1", /^limit fuel$/],
  [
    "tie my %t, 'T'; sub T::TIEHASH { bless {}, 'T' } sub T::FIRSTKEY { 1 } sub T::NEXTKEY { 1 } sub T::FETCH { 1 } \\%t",
    /^limit|^text/,
  ],
  ["my $n = 2**31; my $x = 'a' x $n; length $x", /^limit memory$/],
  ["my $x = 'a'; $x .= $x while 1", /^limit memory$/],
  ["my @a = (1) x 1e9", /^Error: Out of memory|^limit memory/],
  ["$#a = 2**31; push @a, 1 while 1", /^Error: Out of memory|^limit/],
  ["my @k; push @k, 'x' x 1_000_000 while 1", /^limit memory$/],
  ["vec(my $x, 2**31, 1) = 1", /^limit memory$|Out of memory/],
  ["sprintf '%2147483647d', 1", /overflow|^limit memory$/],
  ["sprintf '%n', 1", /^Error|^text/],
  ["sub f { f() } f()", /^limit (fuel|memory)$/],
  ["sub r { my @x = sort { r() } 1, 2 } r()", /^limit memory$/],
  [
    'package O; use overload \'""\' => sub { "$_[0]" }; package main; my $o = bless [], \'O\'; "$o"',
    /^limit memory$/,
  ],
  [
    "tie my $t, 'T'; sub T::TIESCALAR { bless [], 'T' } sub T::FETCH { $t } my $x = $t",
    /^limit|^Error|^none|^text/,
  ],
  ["my $re = '(' x 20_000 . ')' x 20_000; 'a' =~ /$re/", /^limit memory$|^Error/],
  ["my $r; $r = [$r] for 1 .. 200_000; undef $r; 1", /^text 1$|^limit/],
  ["eval 'e' . '(' x 50_000", /^none|^text|^limit|^Error/],
  ["sub e { eval 'e()' } e()", /^limit/],
  [
    "my $x = sort { die 'in sort' } 1, 2; my @y = sort { die \"in sort\\n\" } 1, 2",
    /^Error: in sort/,
  ],
  ["unpack 'P', pack 'L', 4_000_000_000", /^crash$/],
  [
    "package T; require Tie::Hash; @T::ISA = 'Tie::StdHash'; sub FETCH { die } sub UNTIE { die } package main; tie %SIG, 'T'; 5",
    /^text 5$/,
  ],
  [
    "package T; require Tie::Hash; @T::ISA = 'Tie::StdHash'; sub FIRSTKEY { die } package main; tie %INC, 'T'; 5",
    /^text 5$/,
  ],
  ["sleep 1e9", /^limit wall clock$/],
  ["sleep 4 while 1", /^limit wall clock$/],
  ["print 'x' x 100_000 while 1", /^limit output$/],
  ['print "\\n" while 1', /^limit output$/],
  ["warn 'x' while 1", /^limit output$/],
  ["$| = 0; print 'y' while 1", /^limit output$/],
  ["{".repeat(30_000), /^Error: Missing right curly|^limit|^Error/],
  ["[".repeat(60_000), /^Error|^limit/],
  ["-".repeat(60_000) + "1", /^Error|^limit|^text/],
  ["1" + " + 1".repeat(15_000), /^text 15001$|^limit memory$/],
  ["1 #" + "system" + " ".repeat(60_000), /^text 1$/],
  ["1 #" + "open ".repeat(12_000) + "'|", /^text 1$/],
  ["1 # open a" + " ".repeat(30_000) + "|".repeat(30_000), /^text 1$/],
  ["print <<EOT;\nno end", /Can't find string terminator/],
  ["%main:: = (); die 'x'", /^Error: x/],
  ["undef %main::; undef %Belljar::; *CORE::GLOBAL:: = 1; 5", /.+/],
  ["undef &Belljar::run; undef &Belljar::finish; undef &Belljar::describe; 5", /.+/],
  ["$Belljar::outcome = 'j]['; $Belljar::status = 'x'; exit 0", /.+/],
  ["*Belljar::settle = sub { $Belljar::outcome = 'e[not json' }; die 'x'", /^Error/],
  [
    "binmode STDOUT, ':crlf'; binmode STDOUT, ':raw'; select STDERR; $| = 1; close STDOUT; *STDOUT = *STDERR; 1",
    /^text 1$/,
  ],
  ["my $x = *STDOUT; $x", /^text \*main::STDOUT$/],
  ["my $big = 9 ** 9 ** 9; $big", /^text Inf$/],
  [
    "open my $f, '>', 'f' or die; my $s = 'x' x 1_000_000; for (1 .. 30) { print $f $s or die \"$!\\n\" } close $f or die \"$!\\n\"",
    /^Error: File too large$/,
  ],
  [
    "for my $i (1 .. 10) { open my $f, '>', \"f$i\" or die; print $f 'x' x 4_000_000; close $f or die \"$!\\n\" }",
    /^Error: No space left on device$/,
  ],
  [
    'for my $i (1 .. 5_000) { open my $f, \'>\', "f$i" or die "$!\\n" }',
    /^Error: No space left on device$/,
  ],
  [
    'my @h; for my $i (1 .. 500) { open my $f, \'>\', "f$i" or die "$!\\n"; push @h, $f }',
    /^Error: /,
  ],
  ["POSIX::close($_) for 0 .. 300; 1", /^text 1$/],
  ["chdir '/'; chdir '../../..'; require Cwd; Cwd::getcwd()", /^text \/$/],
  ["syscall 1", /unimplemented|not implemented/],
  ["kill 9, $$; 1", /^SystemExit: exit status 137$/],
  ["$SIG{INT} = sub { kill INT => $$ }; kill INT => $$", /^limit (?:fuel|memory)$/],
  ["alarm 1; sleep 1e9", /^SystemExit: exit status 142$/],
  ["$SIG{ALRM} = sub { alarm 1 }; alarm 1; sleep 5 while 1", /^limit wall clock$/],
  ["dump", /.+/],
  ["local $_ = 'x'; tr/a-z//cdr . \"\\x{110000}\\x{d800}\"", /^text/],
];

Deno.test("perl hostile: every case ends as expected, and the next run succeeds", async () => {
  const wrong: string[] = [];
  for (const [code, ending] of HOSTILE) {
    const came = brief(await run(code));
    if (!ending.test(came)) wrong.push(`${code.slice(0, 200)} => ${came.slice(0, 300)}`);
    await isWell();
  }
  assertEquals(wrong, []);
});

Deno.test("perl hostile: output before a limit is kept, and the program's position is reported", async () => {
  const ran = await run('print "first\\n";\nsub f {\n  1 while 1;\n}\nf(3);');
  assertEquals(ran.out, "first\n");
  assertEquals(ran.ending, {
    kind: "limit",
    limit: "fuel",
    traceback: ["at main.pl line 3", "main::f called at main.pl line 5"],
  });
  assertEquals(ran.fuelConsumed, 4_000_000_000);
  const full = await run("print \"a\\n\"; print 'b' x 50 while 1", { limits: { outputBytes: 70 } });
  assertEquals(full.out, `a\n${"b".repeat(68)}`);
});

Deno.test("perl hostile: memory contains nothing of earlier runs", async () => {
  const engine = await newEngine();
  const secret = ["ca", "na", "ry", "-7f3a91"].join("");
  const code = `use utf8; my $s = join '', 'ca', 'na', 'ry', '-7f3a91'; our @kept = ($s) x 100;
    open my $f, '>', 'x'; print $f $s; $ENV{SECRET} = $s; eval { die $s }; print $s; $s`;
  for (const ending of ["", "; 1 while 1", "; exit 3", "; my @l; push @l, 'x' x 1e6 while 1"]) {
    engine.reset();
    const ran = runOn(engine, code + ending, { env: new Map([["K", secret]]) });
    assertEquals(ran.out, secret);
    assertEquals(contains(engine.memory(), secret), true);
    engine.reset();
    assertEquals(contains(engine.memory(), secret), false);
    assertEquals(runOn(engine, "join ',', glob('*'), %ENV, @main::kept").ending.kind, "text");
  }
});

function contains(memory: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  for (
    let at = memory.indexOf(wanted[0] ?? 0);
    at >= 0;
    at = memory.indexOf(wanted[0] ?? 0, at + 1)
  ) {
    if (wanted.every((byte, index) => memory[at + index] === byte)) return true;
  }
  return false;
}

Deno.test("perl hostile: memory after a reset is the image, bit for bit", async () => {
  const engine = await perl();
  engine.reset();
  const fresh = engine.memory().slice();
  const runs = [
    "use Math::BigInt; $main::{$_} = sub { 1 } for 'a' .. 'zz'; undef %INC; @INC = (); $; = 1;",
    "$0 = 'x' x 100; $^W = 1; $| = 0; srand 1; binmode STDOUT, ':utf8'; chdir '/tmp'; open F, '>x'",
    "1 while 1",
    "die bless []",
    '$main::{$_} and undef *{"main::$_"} for keys %main::; %SIG = (); exit 3',
    "my @held; push @held, [ ('x') x 100 ] for 1 .. 2_000; system 'ls'; $ENV{A} = 1; sleep 1; END { $? = 7 }",
  ];
  for (const code of runs) {
    runOn(engine, code, { limits: { fuel: 100_000_000 } });
    engine.reset();
    const memory = engine.memory();
    assertEquals(memory.length, fresh.length);
    assertEquals(memory.every((byte, index) => byte === fresh[index]), true, code);
  }
});

/** The fuel that a program uses on an engine that another process builds and runs. */
async function fuelElsewhere(code: string): Promise<number> {
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--quiet",
      "--no-check",
      "--allow-all",
      new URL("fuel_in_process.ts", import.meta.url).pathname,
      code,
    ],
    stderr: "inherit",
  }).output();
  return Number(new TextDecoder().decode(stdout));
}

Deno.test("perl hostile: the same program takes the same fuel, in every process", async () => {
  const code = "my %h; $h{$_ % 50}++ for 1 .. 2_000; my @s = sort { $a <=> $b } keys %h; " +
    "my $t = join ',', map { sprintf '%03d', $_ } @s; $t =~ s/(\\d+)/<$1>/g; eval { die { a => 1 } }; " +
    "open my $f, '>', 'a'; print $f $t; close $f; print length $t; [$t, \\%h]";
  const other = await newEngine();
  const fuel = new Set<number>();
  for (let i = 0; i < 20; i++) {
    fuel.add((await run(code)).fuelConsumed);
    if (i % 5 === 0) await run("1 while 1", { limits: { fuel: 10_000_000 } });
    other.reset();
    fuel.add(runOn(other, code).fuelConsumed);
  }
  fuel.add(await fuelElsewhere(code));
  assertEquals(fuel.size, 1);
});
