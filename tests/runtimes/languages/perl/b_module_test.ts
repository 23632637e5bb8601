import { assertEquals } from "@std/assert";
import { run } from "./perl.ts";

/** Lines of a program, and the output of Perl 5.36 for it. */
async function lines(code: string): Promise<readonly string[]> {
  const { out, outcome } = await output(code);
  assertEquals(outcome, "text");
  return out.trimEnd().split("\n");
}

async function output(code: string) {
  const { out, ending } = await run(`use strict; use warnings;\n${code};\n'done'`);
  return { out, outcome: ending.kind };
}

Deno.test("B of Perl: perlstring() and cstring() write literals", async () => {
  const texts = String
    .raw`"a\"b\\c\$d\@e", "\n\r\t\a\b\f\e\0\x01\x7f\xff", "\x{263a}\x{e9}a\n\"\$", "??=", "'", "\x0b"`;
  const code =
    `use B qw(perlstring cstring);\nprint perlstring($_), ' ', cstring($_), "\\n" for ${texts}, undef`;
  assertEquals(await lines(code), [
    String.raw`"a\"b\\c\$d\@e" "a\"b\\c$d@e"`,
    String.raw`"\n\r\t\a\b\f\033\000\001\177\377" "\n\r\t\a\b\f\033\000\001\177\377"`,
    String.raw`"\x{263a}\x{e9}a\n\"\$" "\342\230\272\303\251a\n\"$"`,
    String.raw`"??=" "\077?="`,
    String.raw`"'" "'"`,
    String.raw`"\013" "\v"`,
    "0 0",
  ]);
});

Deno.test("B of Perl: svref_2object() names subroutines and their packages", async () => {
  const code = `use B qw(svref_2object class);
sub foo {} my $anon = sub {}; package Q { sub bar {} }
for my $code (\\&foo, $anon, \\&Q::bar) {
  my $o = svref_2object($code);
  my $is_anonymous = $o->CvFLAGS & B::CVf_ANON ? 1 : 0;
  print join(' ', $o->GV->NAME, $o->STASH->NAME, $o->GV->STASH->NAME, $is_anonymous, class($o)), "\\n";
}`;
  assertEquals(await lines(code), [
    "foo main main 0 CV",
    "__ANON__ main main 1 CV",
    "bar Q Q 0 CV",
  ]);
});

Deno.test("B of Perl: svref_2object() tells numbers, texts and references apart", async () => {
  const code = String.raw`use B qw(svref_2object class);
my $u = "\x{263a}"; my ($i, $f, $s, $r, $n, $d) = (5, 1.5, "5", [], undef, "7"); my $sum = $d + 0;
for my $v (\$i, \$f, \$s, \$r, \$n, \$d, \$u) {
  my $flags = svref_2object($v)->FLAGS;
  print join(',', grep { $flags & B->can($_)->() } qw(SVf_IOK SVf_NOK SVf_POK SVf_ROK SVp_IOK SVf_UTF8)),
    ' ', class(svref_2object($v)), "\n";
}
print join(' ', svref_2object(\"abc")->PV, svref_2object(\42)->int_value, svref_2object([1, 2])->FILL,
  svref_2object(bless {}, 'Cl')->SvSTASH->NAME, svref_2object(\*STDOUT)->NAME), "\n";
eval { svref_2object(1) }; print $@ =~ /^argument is not a reference/ ? "refused\n" : $@`;
  assertEquals(await lines(code), [
    "SVf_IOK,SVp_IOK IV",
    "SVf_NOK NV",
    "SVf_POK PV",
    "SVf_ROK IV",
    " NULL",
    "SVf_IOK,SVf_POK,SVp_IOK PVIV",
    "SVf_POK,SVf_UTF8 PV",
    "abc 42 1 Cl STDOUT",
    "refused",
  ]);
});
