import { assertEquals } from "@std/assert";
import { run, told } from "./perl.ts";

/** Programs that send signals to themselves, and their outcomes. */
const SIGNALS: readonly (readonly [code: string, told: string])[] = [
  ["use warnings; $SIG{$_} = sub { 1 } for qw(INT TERM HUP ALRM CHLD PIPE USR1); 1", "text 1"],
  ['$SIG{INT} = sub { print "got @_" }; kill INT => $$', "text 1 | got INT"],
  [
    "$SIG{USR1} = sub { print \"got @_;\" }; kill($_, $$) for 'SIGUSR1', 10, '-USR1'; 0",
    "text 0 | got USR1;got USR1;got USR1;",
  ],
  [
    "sub h { print \"h @_;\" } $SIG{HUP} = 'h'; kill HUP => $$; $SIG{HUP} = 'main::h'; kill HUP => 0",
    "text 1 | h HUP;h HUP;",
  ],
  ["$SIG{TERM} = 'IGNORE'; kill TERM => $$, $$", "text 2"],
  ["print 'a'; kill TERM => $$; print 'b'", "SystemExit: exit status 143 | a"],
  ['kill(0, $$) . kill(0, 99_999) . " $!"', "text 10 No such process"],
  ["\n kill FOO => $$", 'Error: Unrecognized signal name "FOO" at main.pl line 2.'],
  [
    'kill CHLD => $$; local $SIG{INT} = sub { die "interrupted\\n" }; eval { kill INT => $$ }; $@',
    "text interrupted\n",
  ],
  ["kill 0, 'abc'", "Error: Can't kill a non-numeric process ID at main.pl line 1."],
  ["$SIG{INT} = sub { print 'i' }; use POSIX; raise(SIGINT); 0", "text 0 | i"],
];

Deno.test("perl signals: a program can signal itself and no other process", async () => {
  for (const [code, wanted] of SIGNALS) assertEquals([code, told(await run(code))], [code, wanted]);
});

/** Programs that set alarms; sleeping is virtual. */
const ALARMS: readonly (readonly [code: string, told: string])[] = [
  [
    "eval { local $SIG{ALRM} = sub { die \"timeout\\n\" }; alarm 2; sleep 9; 1 } ? 'slept' : $@",
    "text timeout\n",
  ],
  ["eval { local $SIG{ALRM} = sub { die }; alarm 2; my $n = 7; alarm 0; $n }", "text 7"],
  [
    "$SIG{ALRM} = sub { print 'ring' }; my $t = time; alarm 1; sleep(5) . (time - $t)",
    "text 11 | ring",
  ],
  ["my $t = time; sleep(2) . (time - $t)", "text 22"],
  ["join ',', alarm 5, alarm 3, alarm 0, alarm 0", "text 0,5,3,0"],
  ["use POSIX; $SIG{ALRM} = sub { print 'ring' }; alarm 2; pause; $! + 0", "text 4 | ring"],
  ["$SIG{ALRM} = 'IGNORE'; alarm 1; sleep 2; 'on'", "text on"],
  [
    "use Time::HiRes qw(alarm sleep usleep time); $SIG{ALRM} = sub { print 'ring' }; my $t = time;\n" +
    "alarm .5; usleep 100_000; sleep 3; sprintf '%.1f', time - $t",
    "text 0.5 | ring",
  ],
];

Deno.test("perl signals: an alarm goes off during a sleep", async () => {
  for (const [code, wanted] of ALARMS) {
    // a second that ends while the program computes would count
    assertEquals([code, told(await run(code, { clock: 0 }))], [code, wanted]);
  }
});
