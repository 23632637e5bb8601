import { assertEquals } from "@std/assert";
import { next, perl, run, told } from "./perl.ts";

const DIAMOND = "{ package A; sub m { 'A' } sub n { 'n' } }\n{ package B; our @ISA = 'A' }\n" +
  "{ package C; our @ISA = 'A'; sub m { 'C' } }\n{ package D; use mro 'c3'; our @ISA = ('B', 'C') }\n";

Deno.test("perl method orders: C3 lasts from run to run of a context, and affects no other run", async () => {
  const engine = await perl();
  engine.reset();
  assertEquals(told(next(engine, `${DIAMOND}D->m`)), "text C");
  assertEquals(
    told(next(engine, "package A; sub late { 'late' } package main; D->m . D->late")),
    "text Clate",
  );
  assertEquals(told(next(engine, "@C::ISA = (); join ',', D->m, mro::get_mro('D')")), "text A,c3");
  assertEquals(told(await run(`${DIAMOND.replace("use mro 'c3'; ", "")}D->m`)), "text A");
});

/**
 * Programs that harm only themselves: they call the driver's host functions, or have odd parent
 * classes.
 */
const ODD: readonly (readonly [code: string, told: string])[] = [
  [
    "Belljar::choose_order($_, 1) for undef, 1, 'x', \\1, {}, [], \\%main::, sub { }, -1, 1e300; 'on'",
    "text on",
  ],
  ["Belljar::changes_of($_) for undef, {}, 4294967295, \\my $x; 'on'", "text on"],
  ["Belljar::ring_in($_) for undef, 'x', -5, 'nan', -1e300, {}; 1 for 1 .. 9; 'on'", "text on"],
  [
    "use mro; mro::set_mro('E', 'c3'); eval { @E::ISA = \"n\\xe9e\" }; substr $@, 0, 23",
    "text C3 cannot order classes",
  ],
  [
    "package T { sub TIEARRAY { bless [] } sub FETCHSIZE { 1 } sub FETCH { eval { die } } }\n" +
    "tie @E::ISA, 'T'; use mro; mro::set_mro('E', 'c3'); eval { E->can('x') }; $@",
    "text C3 cannot order class 'E': its @ISA is tied at main.pl line 2.\n",
  ],
];

Deno.test("perl host functions: a run continues for any arguments of the guest", async () => {
  for (const [code, wanted] of ODD) assertEquals([code, told(await run(code))], [code, wanted]);
});

Deno.test("perl alarms: the same program is interrupted at the same position", async () => {
  const code = "use Time::HiRes 'alarm'; my $n = 0; $SIG{ALRM} = sub { die };\n" +
    "eval { alarm 0.01; $n++ while 1 }; $n";
  assertEquals(told(await run(code)), told(await run(code)));
});

Deno.test("perl alarms: an alarm that a run leaves does not go off in the next run of its context", async () => {
  const engine = await perl();
  engine.reset();
  next(engine, "use Time::HiRes 'alarm'; $SIG{ALRM} = sub { print 'ring' }; alarm 0.001; 0");
  assertEquals(told(next(engine, "my $n = 0; $n++ while $n < 200_000; $n")), "text 200000");
});

Deno.test("perl alarms: without a handler the program ends as by a signal", async () => {
  const code = "use Time::HiRes 'alarm'; print 'a'; alarm 0.001; 1 while 1";
  assertEquals(told(await run(code)), "SystemExit: exit status 142 | a");
});
