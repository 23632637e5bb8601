/** Calls of the caller's functions from Perl: `Belljar::call`. */
import { assert, assertEquals } from "@std/assert";
import { CALL_LIMITS } from "../../../../shared/call_limits.ts";
import { runOn } from "../../../support/engine_runs.ts";
import { callerOf, type CallerOptions, Failure } from "../../../support/program_calls.ts";
import { brief, LIMITS, perl } from "./perl.ts";

const FUNCTIONS: NonNullable<CallerOptions["functions"]> = {
  add: ({ a, b }) => Number(a) + Number(b),
  echo: (args) => ({ ...args }),
  "crm.find": ({ q }) => ({ name: q ?? null, tags: ["a", 1, 2.5, null, true, false] }),
  "crm.class": () => "class",
  fail: ({ data = { code: 7 } }) => new Failure("no luck", { data }),
  deny: () => new Failure("not you", { kind: "denied" }),
  expire: () => new Failure("too late", { kind: "expired" }),
  slow: () => "slow",
};

async function calling(
  code: string,
  options: CallerOptions & { readonly inContext?: boolean } = {},
) {
  const engine = await perl();
  if (!options.inContext) engine.reset();
  const caller = callerOf({ functions: FUNCTIONS, delays: { slow: 5_000 }, ...options });
  const { inContext = false } = options;
  const ran = runOn(engine, {
    code,
    inContext,
    limits: { ...LIMITS, fuel: 40e9 },
    calls: caller.calls,
  });
  if (inContext) engine.state.endRun();
  const told = [brief(ran), ran.stdout, ran.stderr].filter((text) => text !== "").join(" | ");
  return { told, asked: caller.asked, ran };
}

/** Programs, what they tell, and what they ask. */
const CASES: readonly (readonly [code: string, told: string, asked: readonly string[]])[] = [
  ["Belljar::call('add', { a => 1, b => 2 })", "text 3", ['1 add {"a":1,"b":2}']],
  ["Belljar::call('echo')", "json {}", ["1 echo {}"]],
  [
    "use Belljar qw(call tools tool); call('crm.find', { q => 'x' })",
    'json {"name":"x","tags":["a",1,2.5,null,true,false]}',
    ['1 crm.find {"q":"x"}'],
  ],
  [
    "use utf8; Belljar::call('echo', { 'é' => qq(☃\\n\\t'\"\\\\\\$x\\@y), n => [1, '1', 1.5, !!1, !!0, undef, \\1] })",
    `json {"n":[1,"1",1.5,true,false,null,true],"é":"☃\\n\\t'\\"\\\\$x@y"}`,
    [`1 echo {"n":[1,"1",1.5,true,false,null,true],"é":"☃\\n\\t'\\"\\\\$x@y"}`],
  ],
  [
    "package O { sub TO_JSON { { of => ref shift } } } Belljar::call('echo', { o => bless [], 'O' })",
    'json {"o":{"of":"O"}}',
    ['1 echo {"o":{"of":"O"}}'],
  ],
  [
    "my @all = Belljar::tools(); my $one = Belljar::tool('crm.find'); [scalar(@all), $all[4], $one->{description}, Belljar::tool('no')]",
    'json [8,"fail",null,null]',
    [],
  ],
  // places that call
  [
    "join ',', sort { Belljar::call('add', { a => $a, b => -$b }) <=> 0 } 3, 1, 2",
    "text 1,2,3",
    ['1 add {"a":3,"b":-1}', '2 add {"a":1,"b":-2}', '3 add {"a":2,"b":-3}'],
  ],
  [
    "package T { sub TIESCALAR { bless [] } sub FETCH { Belljar::call('crm.class') } } tie my $x, 'T'; \"$x\"",
    "text class",
    ["1 crm.class {}"],
  ],
  [
    "package O { use overload '\"\"' => sub { Belljar::call('crm.class') }, '+' => sub { Belljar::call('add', { a => 1, b => 1 }) } } my $o = bless []; bless $o, 'O'; my $n = $o + 1; \"$o $n\"",
    "text class 2",
    ['1 add {"a":1,"b":1}', "2 crm.class {}"],
  ],
  [
    "package A { our $AUTOLOAD; sub AUTOLOAD { return if $AUTOLOAD =~ /DESTROY/; Belljar::call('echo', { name => $AUTOLOAD })->{name} } } A->hello",
    "text A::hello",
    ['1 echo {"name":"A::hello"}'],
  ],
  [
    "(my $t = '1 22') =~ s/(\\d+)/Belljar::call('add', { a => $1 + 0, b => 1 })/ge; $t",
    "text 2 23",
    ['1 add {"a":1,"b":1}', '2 add {"a":22,"b":1}'],
  ],
  [
    "END { print Belljar::call('crm.class') } exit 0",
    "none | class",
    ["1 crm.class {}"],
  ],
  [
    "local $SIG{__WARN__} = sub { print Belljar::call('crm.class') }; warn 'x'; local $SIG{__DIE__} = sub { print Belljar::call('add', { a => 1, b => 1 }) }; eval { die 'y' }; 1",
    "text 1 | class2",
    ["1 crm.class {}", '2 add {"a":1,"b":1}'],
  ],
  ["my $s = eval { $! = 2; $@ = 'kept'; Belljar::call('echo'); $! + 0 }; $s", "text 2", [
    "1 echo {}",
  ]],
  [
    "Belljar::call('echo'); eval 'die'; my $first = $@; eval { Belljar::call('fail') }; eval 'die'; $first . $@",
    "text Died at (eval 1) line 1.\nDied at (eval 2) line 1.\n",
    ["1 echo {}", "2 fail {}"],
  ],
  // errors
  [
    "for ({ data => { unknown => !!1 } }, { data => { unknown => 'yes' } }, { data => ['unknown'] }, {}) { eval { Belljar::call('fail', $_) }; print $@->unknown ? 1 : 0 }",
    "none | 1000",
    [
      '1 fail {"data":{"unknown":true}}',
      '2 fail {"data":{"unknown":"yes"}}',
      '3 fail {"data":["unknown"]}',
      "4 fail {}",
    ],
  ],
  [
    "eval { Belljar::call($_) } // print ref $@, '|', $@->message, '|', $@->tool, '|', $@->data ? $@->data->{code} : '-', '|', $@ for qw(fail deny expire nothing)",
    "text  | Belljar::ToolError|no luck|fail|7|no luck at main.pl line 1.\n" +
    "Belljar::ToolDenied|not you|deny|-|not you at main.pl line 1.\n" +
    "Belljar::ToolExpired|too late|expire|-|too late at main.pl line 1.\n" +
    'Belljar::ToolError|there is no tool "nothing"|nothing|-|there is no tool "nothing" at main.pl line 1.\n',
    ["1 fail {}", "2 deny {}", "3 expire {}"],
  ],
  [
    "eval { Belljar::call('deny') }; [$@->isa('Belljar::ToolError') ? 1 : 0, $@ ? 1 : 0, $@ eq qq(not you at main.pl line 1.\\n) ? 1 : 0]",
    "json [1,1,1]",
    ["1 deny {}"],
  ],
];

Deno.test("perl calls: values, errors, and places from where a program calls", async () => {
  for (const [code, told, asked] of CASES) {
    const found = await calling(code);
    assertEquals([found.told, found.asked], [told, asked], code);
  }
});

Deno.test("perl calls: an error that nobody catches names its class and line", async () => {
  const { ran } = await calling("sub ask {\n  Belljar::call('fail');\n}\n\nask();");
  assertEquals(ran.ending, {
    kind: "error",
    error: {
      name: "Belljar::ToolError",
      message: "no luck",
      traceback: ["at main.pl line 2", "main::ask called at main.pl line 5"],
      lineNumber: 2,
    },
  });
});

Deno.test("perl calls: what cannot be called is a ToolError, and nobody is asked", async () => {
  const wrong: readonly (readonly [call: string, message: RegExp])[] = [
    ["Belljar::call()", /^expected \(\$name\)/],
    ["Belljar::call('add', {}, 1)", /^expected \(\$name\)/],
    ["Belljar::call('add', [1])", /^add: the arguments must be a reference to a hash/],
    ["Belljar::call('add', 'x')", /^add: the arguments must be a reference to a hash/],
    ["Belljar::call('a b')", /^there is no tool "a b"$/],
    ["Belljar::call('crm.fnd')", /^there is no tool "crm\.fnd"; did you mean crm\.find\?$/],
    ["Belljar::call('ad')", /^there is no tool "ad"; did you mean add\?$/],
    ["Belljar::call('add', { a => 9**9**9 })", /^add: the arguments cannot be JSON/],
    ["Belljar::call('add', { a => sub { 1 } })", /^add: the arguments cannot be JSON/],
    ["my $h = {}; $h->{h} = $h; Belljar::call('add', $h)", /^add: the arguments cannot be JSON/],
    [
      "Belljar::call('add', { a => 'x' x 65_529 })",
      /^add: the arguments are 65537 bytes as JSON, the most is 65536/,
    ],
  ];
  for (const [call, message] of wrong) {
    const { ran, asked } = await calling(`eval { ${call} }; print ref $@; $@->message`);
    assertEquals([ran.stdout, asked], ["Belljar::ToolError", []], call);
    assert(ran.ending.kind === "text" && message.test(ran.ending.text), `${call}: ${brief(ran)}`);
  }
  const most = await calling("Belljar::call('add', { a => 'x' x 65_528 })");
  assertEquals(most.asked.length, 1);
});

Deno.test("perl calls: a run without tools has none", async () => {
  const { told, asked } = await calling(
    "eval { Belljar::call('add') }; $@->message . scalar(my @none = Belljar::tools())",
    { tools: "none" },
  );
  assertEquals([told, asked], ["text this run has no tools0", []]);
});

Deno.test("perl calls: large and deep answers", async () => {
  const text = "é'\"\\\n".repeat(20_000);
  const numbers = Array.from({ length: 40_000 }, (_, index) => index);
  const functions = {
    text: () => text,
    numbers: () => numbers,
    deep: () => JSON.parse(`${"[".repeat(512)}${"]".repeat(512)}`),
    deeper: () => JSON.parse(`${"[".repeat(513)}${"]".repeat(513)}`),
  };
  const { told } = await calling(
    `my $t = Belljar::call('text'); my $n = Belljar::call('numbers'); my $d = Belljar::call('deep');
my $sum = 0; $sum += $_ for @$n; eval { Belljar::call('deeper') };
[length $t, substr($t, -5), scalar(@$n), $sum, ref $d->[0][0], $@->message]`,
    { functions },
  );
  assertEquals(
    told,
    `json [100000,${
      JSON.stringify("é'\"\\\n")
    },40000,799980000,"ARRAY","The answer has more than 512 levels"]`,
  );
});

Deno.test("perl calls: an alarm goes off while a call is pending", async () => {
  const dies = await calling(
    `$SIG{ALRM} = sub { die "alarm\\n" }; my $t = time; alarm 2; eval { Belljar::call('slow'); 1 } or print $@; alarm 0; time - $t`,
  );
  assertEquals(dies.told, "text 2 | alarm\n");
  const goesOn = await calling(
    `$SIG{ALRM} = sub { print 'rung ', Belljar::call('add', { a => 1, b => 1 }), ' ' }; my $t = time; alarm 2; print Belljar::call('slow'); time - $t`,
  );
  assertEquals(goesOn.told, "text 5 | rung 2 slow");
  assertEquals(goesOn.asked, ["1 slow {}", '2 add {"a":1,"b":1}']);
  const twice = await calling(
    `my $rung = 0; $SIG{ALRM} = sub { $rung++; alarm 2 }; alarm 2; Belljar::call('slow'); alarm 0; $rung`,
  );
  assertEquals(twice.told, "text 2");
  const late = await calling(
    `$SIG{ALRM} = sub { die "alarm\\n" }; alarm 9; eval { Belljar::call('slow'); 1 while 1 }; $@`,
    { delays: { slow: 8_999 } },
  );
  assertEquals(late.told, "text alarm\n");
});

Deno.test("perl calls: a call that was given up stays pending, and 64 are the most", async () => {
  const { told, asked } = await calling(
    `$SIG{ALRM} = sub { die "alarm\\n" }; my $n = 0;
for (1 .. 64) { alarm 1; eval { Belljar::call('slow') }; $n++ if $@ eq "alarm\\n" } alarm 0;
eval { Belljar::call('echo') }; "$n " . $@->message`,
    { delays: { slow: 1_000_000 } },
  );
  assertEquals(told, "text 64 at most 64 calls may be without an answer at a time");
  assertEquals(asked.length, 64);
});

Deno.test("perl calls: the 1,001st call ends the run", async () => {
  const { ran, asked } = await calling("eval { Belljar::call('echo') } for 1 .. 1001; print 'no'");
  assert(ran.ending.kind === "limit" && ran.ending.limit === "calls", brief(ran));
  assertEquals([asked.length, ran.stdout], [CALL_LIMITS.calls, ""]);
});

Deno.test("perl calls: sleeps and questions wait for real", async () => {
  const { told, asked } = await calling(
    `my $t = time; sleep 3; select undef, undef, undef, 0.5; print 'Name? '; chomp(my $name = <STDIN>); my @rest = <STDIN>; print "$name @rest"; Belljar::call('add', { a => 1, b => time - $t })`,
    { input: ["Ann\n", "b\nc\n"] },
  );
  assertEquals(told, "text 4 | Name? Ann b\n c\n");
  assertEquals(asked, [
    "sleep 3000",
    "sleep 500",
    "input",
    "input",
    "input",
    '1 add {"a":1,"b":3}',
  ]);
});

Deno.test("perl calls: ways to read a line that is asked for", async () => {
  const input = ["first\n", "second\n", "third\n"];
  const ways: readonly (readonly [code: string, told: string])[] = [
    ["my $l = <>; chomp $l; $l", "text first"],
    ["my @l = <STDIN>; scalar @l", "text 3"],
    ["read STDIN, my $b, 8; $b", "text first\nse"],
    ["sysread STDIN, my $b, 100; $b", "text first\n"],
    ["getc STDIN", "text f"],
    ["my $n = 0; while (my $l = <STDIN>) { $n++; last if $n == 2 } $n", "text 2"],
    ["local $/; my $all = <STDIN>; length $all", "text 19"],
    [
      "my @l; push @l, scalar <STDIN> for 1 .. 2; join '', @l, eof(STDIN) ? 'end' : 'more'",
      "text first\nsecond\nmore",
    ],
  ];
  for (const [code, told] of ways) assertEquals((await calling(code, { input })).told, told, code);
  const two = await calling("scalar <STDIN>", { input });
  assertEquals(two.asked, ["input"], "one question for one line");
});

Deno.test("perl calls: nothing of them reaches a later run of the context", async () => {
  const engine = await perl();
  engine.reset();
  const first = await calling(
    "our $kept = eval { Belljar::call('fail') } // $@; our $find = sub { Belljar::call('crm.find', { q => shift })->{name} }; $find->('x')",
    { inContext: true },
  );
  assertEquals(first.told, "text x");
  const without = await calling(
    "my $m = $kept->message; eval { $find->('y') }; $m . ', ' . $@->message",
    { inContext: true, tools: "none" },
  );
  assertEquals(without.told, "text no luck, this run has no tools");
  const again = await calling("$find->('z')", { inContext: true });
  assertEquals([again.told, again.asked], ["text z", ['1 crm.find {"q":"z"}']]);
});
