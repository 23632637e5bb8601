/** Displays of a program besides text and values: `Belljar::display`. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Display } from "../../../../client/protocol/types.ts";
import { brief, next, perl, type Ran, run } from "./perl.ts";

/** The displays of a run. */
function shown({ displays }: Pick<Ran, "displays">): readonly Display[] {
  return displays.map((json) => JSON.parse(json));
}

/** Programs, and the data of each display, in order. */
const SHOWN: readonly (readonly [code: string, data: readonly unknown[]])[] = [
  ["1", []],
  ["Belljar::display('text/html', '<b>é</b>')", [{ "text/html": "<b>é</b>" }]],
  ["use utf8; Belljar::display('text/html', 'é☃')", [{ "text/html": "é☃" }]],
  ["Belljar::display('text/html', qq(\\xe9))", [{ "text/html": "é" }]],
  ["Belljar::display('text/plain', qq(\\xff\\xfe))", [{ "text/plain": "ÿþ" }]],
  ["Belljar::display('text/plain', 6 * 7)", [{ "text/plain": "42" }]],
  ["Belljar::display('text/plain', qq(a\\0\\n\"\\\\\\x{2028}))", [{
    "text/plain": 'a\0\n"\\\u2028',
  }]],
  ["Belljar::display('image/png', qq(\\x89PNG))", [{ "image/png": "iVBORw==" }]],
  ["my $b = qq(\\xff); utf8::upgrade($b); Belljar::display('IMAGE/png', $b)", [{
    "IMAGE/png": "/w==",
  }]],
  ["Belljar::display('image/svg+xml', '<svg/>')", [{ "image/svg+xml": "<svg/>" }]],
  ["Belljar::display('application/pdf', '%PDF')", [{ "application/pdf": "%PDF" }]],
  ["Belljar::display('application/pdf', qq(%PDF\\xff))", [{ "application/pdf": "JVBERv8=" }]],
  ["Belljar::display('application/json', '{}')", [{ "application/json": "{}" }]],
  ["Belljar::display('application/json', $_) for 5, '5', 1.5, 1 == 1, 1 == 2", [
    { "application/json": 5 },
    { "application/json": "5" },
    { "application/json": 1.5 },
    { "application/json": true },
    { "application/json": false },
  ]],
  [
    "Belljar::display('x/y', { a => [1, '1', 1.5, !!1, !!0, undef, \\1, \\0], 'é' => {} })",
    [{ "x/y": { a: [1, "1", 1.5, true, false, null, true, false], é: {} } }],
  ],
  ["Belljar::display('x/y', JSON::PP::true())", [{ "x/y": true }]],
  [
    "package J { sub TO_JSON { { j => [bless [], 'K'] } } } package K { sub TO_JSON { 1 } } " +
    "Belljar::display('x/y', [bless {}, 'J'])",
    [{ "x/y": [{ j: [1] }] }],
  ],
  [
    "package O { use overload '\"\"' => sub { '<o>' } } my $o = bless [], 'O'; " +
    "Belljar::display('text/html', $o); Belljar::display('image/gif', $o)",
    [{ "text/html": "<o>" }, { "image/gif": "PG8+" }],
  ],
  ["Belljar::display('x/y', '')", [{ "x/y": "" }]],
  ["use Belljar qw(display); display 'x/y', 'imported'", [{ "x/y": "imported" }]],
  ["use Belljar; require Belljar; Belljar::display('x/y', defined &display ? 1 : 0)", [
    { "x/y": "0" },
  ]],
];

Deno.test("perl displays: display shows text, bytes as Base64, and JSON", async () => {
  for (const [code, data] of SHOWN) {
    const ran = await run(code);
    assertEquals([code, shown(ran), ran.err], [code, data.map((data) => ({ data })), ""]);
  }
});

Deno.test("perl displays: display takes metadata, and returns nothing", async () => {
  const ran = await run("my @all = Belljar::display('x/y', 'a', { w => 5 }); scalar @all");
  assertEquals(brief(ran), "text 0");
  assertEquals(shown(ran), [{ data: { "x/y": "a" }, metadata: { w: 5 } }]);
});

const NOT_JSON = /the data cannot be JSON, which has no infinite numbers, code, cycles/;

/** Calls that are refused, with the message. */
const REFUSED: readonly (readonly [call: string, message: RegExp])[] = [
  ["Belljar::display()", /expected \(\$mime, \$data\) or \(\$mime, \$data, \\%metadata\)/],
  ["Belljar::display('x/y')", /expected \(\$mime, \$data\)/],
  ["Belljar::display(1, 2, 3, 4)", /expected \(\$mime, \$data\)/],
  ["Belljar::display(undef, 1)", /there is no MIME type/],
  ["Belljar::display({}, 1)", /not a MIME type such as text\/html: HASH/],
  ...[
    "",
    "x",
    "x/",
    "-x/y",
    "x/.y",
    "/y",
    "x/y/z",
    "x y/z",
    "x/y; a=b",
    "é/y",
    "x/y\\n",
    "\\x{263a}/x",
  ].map((
    type,
  ) => [`Belljar::display("${type}", 1)`, /not a MIME type such as text\/html: /] as const),
  ["Belljar::display('x/' . 'y' x 128, 1)", /not a MIME type/],
  ["Belljar::display('text/html', undef)", /there are no data for text\/html/],
  ["Belljar::display('image/png', qq(\\x{263a}))", /are bytes, but there are characters above 255/],
  ["Belljar::display('image/png', [1])", /the data of image\/png must be a string/],
  ["Belljar::display('x/y', sub { 1 })", NOT_JSON],
  ["Belljar::display('x/y', \\*STDOUT)", NOT_JSON],
  ["Belljar::display('x/y', \\2)", NOT_JSON],
  ["Belljar::display('x/y', [9 ** 9 ** 9])", NOT_JSON],
  ["Belljar::display('x/y', bless {}, 'K')", NOT_JSON],
  ["Belljar::display('x/y', qq(\\x{d800}))", NOT_JSON],
  ["my $c = []; push @$c, $c; Belljar::display('x/y', $c)", NOT_JSON],
  [
    "package J { sub TO_JSON { $_[0] } } Belljar::display('x/y', bless {}, 'J')",
    NOT_JSON,
  ],
  ["my $d = []; $d = [$d] for 1 .. 254; Belljar::display('x/y', $d)", NOT_JSON],
  ["Belljar::display('x/y', 1, [1])", /the metadata must be a reference to a hash/],
  ["Belljar::display('x/y', 1, { a => sub { 1 } })", /the metadata cannot be JSON/],
];

Deno.test("perl displays: a wrong call dies at its line, and shows nothing", async () => {
  for (const [call, message] of REFUSED) {
    const ran = await run(`my $x = 1;\n${call};`);
    assertEquals([call, ran.ending.kind, shown(ran)], [call, "error", []]);
    if (ran.ending.kind !== "error") continue;
    assertMatch(ran.ending.error.message, message);
    assertMatch(ran.ending.error.message, /^Belljar::display: .* at main\.pl line 2\.$/s);
    assertEquals(ran.ending.error.lineNumber, 2);
    assertEquals(ran.ending.error.traceback, ["at main.pl line 2"]);
  }
});

Deno.test("perl displays: an error is a program's to catch, also by its own handler", async () => {
  const caught = await run("eval { Belljar::display('x', 1) }; 'caught ' . $@");
  assertMatch(brief(caught), /^text caught Belljar::display: .* at main\.pl line 1\.\n$/);
  const handled = await run(
    "$SIG{__DIE__} = sub { print 'handler: ' . $_[0] };\neval { Belljar::display('x/y', [sub {}]) }; 1",
  );
  assertMatch(
    handled.out,
    /^handler: Belljar::display: the data cannot .* at main\.pl line 2\.\n$/,
  );
});

Deno.test("perl displays: exceptions of the data's own methods pass through", async () => {
  const cases: readonly (readonly [code: string, ending: string])[] = [
    [
      "package O { use overload '\"\"' => sub { die \"no text\\n\" } } Belljar::display('x/y', bless [], 'O')",
      "Error: no text",
    ],
    [
      "package J { sub TO_JSON { die { code => 5 } } } Belljar::display('x/y', [bless [], 'J'])",
      'Error: {"code":5}',
    ],
    [
      "package T { sub TIESCALAR { bless [] } sub FETCH { die \"no value\\n\" } } tie my $t, 'T'; Belljar::display('x/y', $t)",
      "Error: no value",
    ],
    [
      "package J { sub TO_JSON { 1 while 1 } } Belljar::display('x/y', [bless [], 'J'])",
      "limit fuel",
    ],
    [
      "package J { sub TO_JSON { exit 3 } } Belljar::display('x/y', [bless [], 'J'])",
      "SystemExit: exit status 3",
    ],
  ];
  for (const [code, ending] of cases) {
    const ran = await run(code, { limits: { fuel: 1_000_000_000 } });
    assertEquals([code, brief(ran), shown(ran)], [code, ending, []]);
  }
});

Deno.test("perl displays: a tied value is read once", async () => {
  const ran = await run(
    "my $n = 0; package T { sub TIESCALAR { bless [] } sub FETCH { ++$n } } tie my $t, 'T';\n" +
      "Belljar::display('text/plain', $t); $n",
  );
  assertEquals([brief(ran), shown(ran)], ["text 1", [{ data: { "text/plain": "1" } }]]);
});

Deno.test("perl displays: a call changes no variable of the program", async () => {
  const code = `
$_ = 'keep'; $@ = 'e'; $! = 2; $/ = 'r'; $, = '-'; $\\ = '!'; $; = 'x'; $" = '+'; $? = 5;
'abc' =~ /(b)/;
my @sorted = sort { Belljar::display('x/y', "$a$b"); $a <=> $b } 2, 1;
my @mapped = map { Belljar::display('x/y', { x => [$_] }); $_ } 3;
join ',', $_, $@, $! + 0, $/, $,, $\\, $;, $", $?, $1, @sorted, @mapped`;
  const ran = await run(code);
  assertEquals(brief(ran), "text keep,e,2,r,-,!,x,+,5,b,1,2,3");
  assertEquals(shown(ran), [{ data: { "x/y": "21" } }, { data: { "x/y": { x: [3] } } }]);
  const ended = await run(
    "our $g = bless []; sub DESTROY { eval { 1 } } $? = 0; END { $? = 3; Belljar::display('x/y', 1) }",
  );
  assertEquals(brief(ended), "SystemExit: exit status 3");
});

Deno.test("perl displays: blocks, destructors and handlers may show something", async () => {
  const code = "package D { sub DESTROY { Belljar::display('x/y', $_[0][0]) } }\n" +
    "our $global = bless ['global'], 'D'; { my $inner = bless ['inner'], 'D' }\n" +
    "BEGIN { Belljar::display('x/y', 'begin') } END { Belljar::display('x/y', 'end') }\n" +
    "local $SIG{ALRM} = sub { Belljar::display('x/y', 'alarm') }; alarm 1; sleep 2;\n" +
    "local $SIG{__WARN__} = sub { Belljar::display('x/y', 'warning') }; warn 'w'; 1";
  const displays = shown(await run(code));
  assertEquals(displays.map(({ data }) => data["x/y"]), [
    "begin",
    "inner",
    "alarm",
    "warning",
    "end",
    "global",
  ]);
});

/** Programs that redefine what a display could rely on. */
const REDEFINED = [
  "*CORE::GLOBAL::open = *CORE::GLOBAL::syswrite = *CORE::GLOBAL::close = sub { die };",
  "*MIME::Base64::encode_base64 = *JSON::PP::encode = *overload::Method = sub { die };",
  "use open ':encoding(UTF-16)'; binmode STDOUT, ':utf8';",
  "close STDOUT; close STDERR; chdir '/';",
  "$, = '-'; $\\ = '!'; $/ = undef; $| = 0; $^W = 1;",
  "%ENV = (); @INC = (); %INC = ();",
];

/** Programs that show as much as there is room for, or more, and how many displays are kept. */
const AMOUNTS: readonly (readonly [code: string, ending: string, kept: number])[] = [
  ["Belljar::display('x/y', $_) for 1 .. 16; 5", "text 5", 16],
  ["Belljar::display('x/y', $_) for 1 .. 17; 5", "limit display", 16],
  ["Belljar::display('text/plain', 'x' x 2 ** 20)", "limit display", 0],
  ["Belljar::display('image/png', 'x' x 2 ** 20)", "limit display", 0],
  ["Belljar::display('text/plain', 'x' x 500_000) for 1 .. 3", "limit display", 2],
  ["Belljar::display('x/y', $_) for 1 .. 17; die \"x\\n\"", "Error: x", 16],
  ["my $d = []; $d = [$d] for 1 .. 253; Belljar::display('x/y', $d)", "none", 1],
  ["my $d = {}; $d = {d => $d} for 1 .. 253; Belljar::display('x/y', 1, $d)", "none", 1],
];

Deno.test("perl displays: displays over the limit are dropped, and reported when the program has ended", async () => {
  for (const [code, ending, kept] of AMOUNTS) {
    const ran = await run(code);
    assertEquals([code, brief(ran), ran.displays.length], [code, ending, kept]);
  }
});

Deno.test("perl displays: redefined functions and settings do not change them", async () => {
  const code = "Belljar::display('text/plain', 'é'); Belljar::display('image/png', 'a');\n" +
    "Belljar::display('x/y', { a => ['é'] });";
  const displays = [
    { data: { "text/plain": "é" } },
    { data: { "image/png": "YQ==" } },
    { data: { "x/y": { a: ["é"] } } },
  ];
  for (const redefined of REDEFINED) {
    const ran = await run(`no warnings;\n${redefined}\n${code}`);
    assertEquals([redefined, shown(ran)], [redefined, displays]);
  }
});

Deno.test("perl displays: each run in a context shows its own, and leaves nothing open", async () => {
  const engine = await perl();
  engine.reset();
  const steps: readonly (readonly [code: string, data: readonly unknown[]])[] = [
    ["use Belljar qw(display); my $n = 1; display('x/y', $n); sub show { display('x/y', $n) } 0", [
      "1",
    ]],
    ["$n++; show(); display('x/y', { n => $n })", ["2", { n: 2 }]],
    ["5", []],
    ["eval { display('x', 1) }; show()", ["2"]],
    ["sub TO_JSON { 1 } [bless {}]", []],
  ];
  for (const [code, data] of steps) {
    const ran = next(engine, code);
    assertEquals([code, shown(ran).map(({ data }) => data["x/y"])], [code, data]);
  }
  const open = next(engine, "opendir my $d, '/dev/fd'; scalar grep { !/^[.012]+$/ } readdir $d");
  const none = await run("opendir my $d, '/dev/fd'; scalar grep { !/^[.012]+$/ } readdir $d");
  assertEquals(brief(open), brief(none));
  engine.reset();
});

Deno.test("perl displays: the same program shows the same for the same fuel", async () => {
  const code = "Belljar::display('x/y', { a => 1, b => [2] })";
  const runs = [await run(code), await run(code), await run(code)];
  assertEquals(new Set(runs.map(({ fuelConsumed }) => fuelConsumed)).size, 1);
});
