import { assertEquals } from "@std/assert";
import { brief, run } from "./perl.ts";

/** Programs and the value of their last statement. */
const VALUES: readonly (readonly [code: string, ending: string])[] = [
  ["20 + 22", "text 42"],
  ["my $x = 5;\n$x * 2;\nsub helper { 1 }\n", "text 10"],
  ["undef", "none"],
  ["", "none"],
  ["# nothing\n", "none"],
  ['"é"', "text é"],
  ['use utf8; "é☃"', "text é☃"],
  ['"\\x{e9}"', "text é"],
  ['"\\xff\\xfe"', "text ÿþ"],
  ['"\\x{d800}" eq "" ; 1', "text 1"],
  ["my @x = (3, 4, 5); @x", "text 3"],
  ["1 == 2", "text "],
  ['print "x"', "none"],
  ['printf "%s", 1', "none"],
  ['use feature "say"; say "x";', "none"],
  ['print STDERR "x" if 1', "none"],
  ["for my $i (1 .. 3) { $i }", "none"],
  ["my $i = 3; while ($i--) { 7 }", "none"],
  ["if (1) { 42 } else { 43 }", "text 42"],
  ["[1, '1', 1.5, !!1, !!0, undef]", 'json [1,"1",1.5,true,false,null]'],
  [
    "[9223372036854775807, 18446744073709551615, -9223372036854775808]",
    "json [9223372036854775807,18446744073709551615,-9223372036854775808]",
  ],
  ["['10' + 0, '10', 1e300, -0.5, 1_000]", 'json [10,"10",1e+300,-0.5,1000]'],
  ["my $h = {b => 1, a => [{c => 'x'}]}; $h", 'json {"a":[{"c":"x"}],"b":1}'],
  ['+["\\x00\\x1f\\"\\\\\\n\\x{2028}é"]', 'json ["\\u0000\\u001f\\"\\\\\\n\u2028Ã©"]'],
  ['use JSON::PP; decode_json(\'{"a":[1,true,null,"é"]}\')', 'json {"a":[1,true,null,"é"]}'],
  ["use bigint; 2 ** 100", "text 1267650600228229401496703205376"],
  ["return 7; 8", "text 7"],
  ['"abc" =~ /b(c)/; $1', "text c"],
  ["qr/a/i", "text (?^i:a)"],
  ["v1.22.333 eq sprintf('%vd', '1.22.333') ? 1 : sprintf '%vd', v1.22.333", "text 1.22.333"],
  ["do { 5 }", "text 5"],
  ["eval { die 'x' }; $@ =~ /x at main.pl line 1/ ? 'caught' : 'no'", "text caught"],
  ["local $_ = 'k'; s/k/v/r", "text v"],
  ["my $t = <<'A' . 'x';\nprint 1;\nA\nlength $t", "text 10"],
  ["#!/usr/bin/perl\nuse strict;\nmy $v = 3;\n$v\n__END__\nprint 'no'\n", "text 3"],
  ["5;\n=pod\n\nnot code\n", "text 5"],
  ["package Foo; sub new { bless {}, shift } package main; ref(Foo->new)", "text Foo"],
];

Deno.test("perl values: the last statement's value is text or JSON", async () => {
  for (const [code, ending] of VALUES) {
    assertEquals([code, brief(await run(code))], [code, ending]);
  }
});

/** Containers that JSON cannot represent. */
const NO_JSON = [
  "[9 ** 9 ** 9]",
  "my $nan = -sin 9 ** 9 ** 9; [$nan]",
  "my $c = []; push @$c, $c; $c",
  "[sub { 1 }]",
  "[\\1]",
  "[bless {}, 'Foo']",
  "my $deep = []; $deep = [$deep] for 1 .. 5_000; $deep",
  '["\\x{d800}"]',
  '["\\x{110000}"]',
  '[{ "\\x{dfff}" => 1 }]',
  "[bless [], 'JSON::PP::Boolean']",
];

/** Hashes whose keys a JSON object cannot represent completely. */
const LIKE_KEYS = [
  'my %h = ("\\xc3\\xa9" => 1, "\\x{e9}" => 2); \\%h',
  'use utf8; my %h = ("é" => 1); { no utf8; $h{"é"} = 2 } \\%h',
  "package T; sub TIEHASH { bless [] } sub FIRSTKEY { 'a' } sub NEXTKEY { ++$n % 2 ? 'a' : undef } " +
  "sub FETCH { 7 } package main; tie my %t, 'T'; \\%t",
];

Deno.test("perl values: a container that cannot be JSON is text", async () => {
  for (const code of NO_JSON) {
    const { ending } = await run(code);
    assertEquals([code, ending.kind], [code, "text"]);
    if (ending.kind === "text") assertEquals(/^ARRAY\(0x[0-9a-f]+\)$/.test(ending.text), true);
  }
});

Deno.test("perl values: a hash with keys that look the same in JSON is text, and loses no key", async () => {
  for (const code of LIKE_KEYS) {
    const { ending } = await run(code);
    assertEquals([code, ending.kind], [code, "text"]);
    if (ending.kind === "text") assertEquals(/^HASH\(0x[0-9a-f]+\)$/.test(ending.text), true);
  }
});

Deno.test("perl values: bytes that are not Unicode are shown as characters", async () => {
  assertEquals(brief(await run('["\\xed\\xa0\\x80"]')), 'json ["í\u00a0\u0080"]');
  assertEquals(brief(await run('"\\xf5\\x80"')), "text õ\u0080");
});

Deno.test("perl values: showing a value causes no warning", async () => {
  const shown = [
    "package O; use overload '\"\"' => sub { undef }; package main; bless [], 'O'",
    "#!perl -w\npackage O; use overload '\"\"' => sub { undef }; package main; bless [], 'O'",
  ];
  for (const code of shown) {
    const ran = await run(code);
    assertEquals([brief(ran), ran.err], ["text ", ""]);
  }
});

Deno.test("perl values: redefinitions by guests do not change the mapping", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["*Scalar::Util::reftype = *Scalar::Util::blessed = sub { die }; [1]", "json [1]"],
    [
      "*CORE::GLOBAL::sprintf = *CORE::GLOBAL::ref = sub { 'x' }; my $r = {a => \"\\x01\"}; $r",
      'json {"a":"\\u0001"}',
    ],
    ["%main:: = (); [1, 2]", "json [1,2]"],
    ["undef %Belljar::; [1, 2]", "json [1,2]"],
    ["undef %main::; 5", "text 5"],
    ["{ no warnings; *Belljar::describe = sub { 'tforged' } } 5", "text forged"],
    [
      "$, = '-'; $\\ = '!'; $/ = undef; $; = 'x'; $\" = '+'; [1, 'a', {b => 2}]",
      'json [1,"a",{"b":2}]',
    ],
    [
      "package T; sub TIEHASH { bless {} } sub FIRSTKEY { 'a' } sub NEXTKEY { undef } " +
      "sub FETCH { 7 } package main; tie my %t, 'T'; \\%t",
      'json {"a":7}',
    ],
    [
      "package O; use overload '\"\"' => sub { die \"no text\\n\" }; package main; bless [], 'O'",
      "Error: no text",
    ],
    [
      "package O; use overload '\"\"' => sub { 'shown' }; package main; bless [], 'O'",
      "text shown",
    ],
  ];
  for (const [code, ending] of cases) {
    assertEquals([code, brief(await run(code))], [code, ending]);
  }
});

Deno.test("perl values: a result over its limit ends the run with that limit", async () => {
  const limits = { resultBytes: 1_000 };
  assertEquals(brief(await run("'a' x 1000", { limits })), `text ${"a".repeat(1_000)}`);
  assertEquals(brief(await run("'a' x 1001", { limits })), "limit result");
  assertEquals(brief(await run("[('abc') x 300]", { limits })), "limit result");
  assertEquals(brief(await run("'é' x 501", { limits })), "limit result");
});
