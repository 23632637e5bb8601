/** Calls of the caller's functions from Ruby: `tools`. */
import { assert, assertEquals } from "@std/assert";
import { CALL_LIMITS } from "../../../../shared/call_limits.ts";
import { createRubyEngine } from "../../../../runtimes/languages/ruby/create.ts";
import type { RubyEngine } from "../../../../runtimes/languages/ruby/engine.ts";
import { ALL_CONTEXTS, builtIsolate } from "../../../support/built.ts";
import { runOn } from "../../../support/engine_runs.ts";
import { callerOf, type CallerOptions, Failure } from "../../../support/program_calls.ts";
import { errorOf, LIMITS, rubyEngine, shortEnding } from "./ruby.ts";

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

interface Calling extends CallerOptions {
  /** Continues the state of the engine. */
  readonly context?: RubyEngine;
}

async function calling(code: string, options: Calling = {}) {
  const { context } = options;
  const engine = context ?? await rubyEngine();
  if (context === undefined) engine.reset();
  const caller = callerOf({ functions: FUNCTIONS, delays: { slow: 5_000 }, ...options });
  const ran = runOn(engine, {
    code,
    inContext: context !== undefined,
    limits: { ...LIMITS, fuel: 60e9 },
    calls: caller.calls,
  });
  context?.state?.endRun();
  const told = [shortEnding(ran.ending), ran.stdout, ran.stderr].filter((text) => text !== "");
  return { told: told.join(" | "), asked: caller.asked, ran };
}

/** Programs, what they tell, and what they ask. */
const CASES: readonly (readonly [code: string, told: string, asked: readonly string[]])[] = [
  ["tools.add(a: 1, b: 2)", "text 3", ['1 add {"a":1,"b":2}']],
  ["tools.echo", "json {}", ["1 echo {}"]],
  ["tools.echo({ 'a b' => 1, c: :d })", 'json {"a b":1,"c":"d"}', ['1 echo {"a b":1,"c":"d"}']],
  [
    "tools.crm.find(q: 'x')",
    'json {"name":"x","tags":["a",1,2.5,null,true,false]}',
    ['1 crm.find {"q":"x"}'],
  ],
  [
    'tools.echo(é: "☃\\n\\"\\\\\\#{x}", n: [1, 2**70, 1.5, nil, true])',
    `json {"é":"☃\\n\\"\\\\#{x}","n":[1,1.1805916207174113e+21,1.5,null,true]}`,
    [`1 echo {"é":"☃\\n\\"\\\\#{x}","n":[1,1180591620717411303424,1.5,null,true]}`],
  ],
  // the tools themselves
  [
    "[Tools.names, tools.crm.inspect, tools.respond_to?(:add), tools.respond_to?(:ad), tools.equal?(Tools)]",
    'json [["add","echo","crm.find","crm.class","fail","deny","expire","slow"],"#<tools crm.find, crm.class>",true,false,true]',
    [],
  ],
  [
    "find = Tools['crm.find']; [find.name, find.description, find.input_schema, find.call(q: 1)['name'], Tools['no']]",
    'json ["crm.find",null,null,1,null]',
    ['1 crm.find {"q":1}'],
  ],
  [
    'puts tools; "#{tools.crm}"',
    'text "#<tools crm.find, crm.class>" | #<tools add, echo, crm.find, crm.class, fail, deny, expire, slow>\n',
    [],
  ],
  ["[{ a: 1, b: 2 }].map(&tools.method(:add))", "json [3]", ['1 add {"a":1,"b":2}']],
  ["tools.method(:add).to_proc.(a: 1, b: 1) + tools.public_send('add', a: 1, b: 0)", "text 3", [
    '1 add {"a":1,"b":1}',
    '2 add {"a":1,"b":0}',
  ]],
  ["tools.crm.class", 'text "class"', ["1 crm.class {}"]],
  // places that call
  ["[3, 1, 2].sort { |a, b| tools.add(a:, b: -b) }", "json [1,2,3]", [
    '1 add {"a":3,"b":-1}',
    '2 add {"a":1,"b":-2}',
    '3 add {"a":3,"b":-2}',
  ]],
  [
    "f = Fiber.new { Fiber.yield tools.add(a: 1, b: 1); tools.add(a: 2, b: 2) }; [f.resume, f.resume]",
    "json [2,4]",
    ['1 add {"a":1,"b":1}', '2 add {"a":2,"b":2}'],
  ],
  [
    "e = Enumerator.new { |y| 2.times { y << tools.add(a: _1, b: 1) } }; [e.next, e.next]",
    "json [1,2]",
    ['1 add {"a":0,"b":1}', '2 add {"a":1,"b":1}'],
  ],
  ["(1..).lazy.map { tools.add(a: _1, b: 1) }.select(&:odd?).first", "text 3", [
    '1 add {"a":1,"b":1}',
    '2 add {"a":2,"b":1}',
  ]],
  [
    "class L; def method_missing(n, *) = tools.echo(n:)['n']; def respond_to_missing?(*) = true; end; L.new.hello",
    'text "hello"',
    ['1 echo {"n":"hello"}'],
  ],
  [
    "class C; include Comparable; def <=>(o) = tools.add(a: 1, b: -2); end; C.new < C.new",
    "text true",
    ['1 add {"a":1,"b":-2}'],
  ],
  [
    "class B < BasicObject; def a = Tools.add(a: 1, b: 1); def b = ::Tools.crm.class; end; [B.new.a, B.new.b]",
    'json [2,"class"]',
    ['1 add {"a":1,"b":1}', "2 crm.class {}"],
  ],
  ["require 'delegate'; SimpleDelegator.new(1).then { Tools.add(a: _1 + 0, b: 1) }", "text 2", [
    '1 add {"a":1,"b":1}',
  ]],
  ["h = Hash.new { |all, k| all[k] = tools.echo(k:)['k'] }; [h[:a], h[:a]]", 'json ["a","a"]', [
    '1 echo {"k":"a"}',
  ]],
  [
    "class J; def to_json(*) = tools.crm.class.to_json; end; tools.echo(j: J.new)",
    'json {"j":"class"}',
    ["1 crm.class {}", '2 echo {"j":"class"}'],
  ],
  ["at_exit { print tools.crm.class }; 1", "text 1 | class", ["1 crm.class {}"]],
  ["begin; exit; ensure; print tools.crm.class; end", "none | class", [
    "1 crm.class {}",
  ]],
  ["'1 22'.gsub(/\\d+/) { tools.add(a: $&.to_i, b: 1) }", 'text "2 23"', [
    '1 add {"a":1,"b":1}',
    '2 add {"a":22,"b":1}',
  ]],
  // errors
  [
    "[{ data: { unknown: true } }, { data: { unknown: 'yes' } }, { data: ['unknown'] }, {}].map { |given| tools.fail(given) rescue [$!.unknown, $!.unknown?] }",
    "json [[true,true],[false,false],[false,false],[false,false]]",
    [
      '1 fail {"data":{"unknown":true}}',
      '2 fail {"data":{"unknown":"yes"}}',
      '3 fail {"data":["unknown"]}',
      "4 fail {}",
    ],
  ],
  [
    "%i[fail deny expire nothing].map { |n| tools.public_send(n) rescue [$!.class, $!.message, $!.tool, $!.data, $!.is_a?(ToolError)] }.each { p _1 }; nil",
    'none | [ToolError, "no luck", "fail", {"code" => 7}, true]\n' +
    '[ToolDenied, "not you", "deny", nil, true]\n' +
    '[ToolExpired, "too late", "expire", nil, true]\n' +
    '[ToolError, "there is no tool \\"nothing\\"", "nothing", nil, true]\n',
    ["1 fail {}", "2 deny {}", "3 expire {}"],
  ],
  [
    "begin; tools.deny; rescue Tools::ToolDenied; [ToolError.superclass, Tools::ToolExpired.name].map(&:to_s); end",
    'json ["StandardError","ToolExpired"]',
    ["1 deny {}"],
  ],
];

Deno.test("ruby calls: values, errors, and places from where a program calls", async () => {
  for (const [code, told, asked] of CASES) {
    const found = await calling(code);
    assertEquals([found.told, found.asked], [told, asked], code);
  }
});

Deno.test("ruby calls: names that Ruby has uses for are names of tools", async () => {
  const names =
    ("class then send start self __send__ __id__ object_id initialize method_missing instance_eval nil end " +
      "def names inspect to_s respond_to dup freeze Integer BEGIN _ a.class a.self a.b.end").split(
        " ",
      );
  const functions = Object.fromEntries(names.map((name) => [name, () => name]));
  const { ran, asked } = await calling(names.map((name) => `p tools.${name}()`).join("\n"), {
    functions,
  });
  assertEquals(ran.stdout, names.map((name) => `${JSON.stringify(name)}\n`).join(""), ran.stderr);
  assertEquals(asked.length, names.length);
  assertEquals(ran.stderr, "");
});

Deno.test("ruby calls: an error that nobody catches names its class and line", async () => {
  const { ran } = await calling("def ask\n  tools.crm.find(q: 1)\n  tools.fail\nend\n\nask");
  assertEquals(errorOf(ran.ending), {
    name: "ToolError",
    message: "no luck",
    traceback: ["main.rb:3:in 'Tools.fail'", "main.rb:3:in 'Object#ask'", "main.rb:6:in '<main>'"],
    lineNumber: 3,
  });
});

Deno.test("ruby calls: what cannot be called is a ToolError, and nobody is asked", async () => {
  const wrong: readonly (readonly [call: string, message: RegExp])[] = [
    ["tools.add(1)", /^add: the arguments must be keywords or one Hash$/],
    ["tools.add({}, 1)", /^add: the arguments must be keywords or one Hash$/],
    ["tools.add({ a: 1 }, b: 2)", /^add: the arguments must be keywords or one Hash$/],
    ["tools.add!", /^there is no tool "add!"; did you mean add\?$/],
    ["tools.crm.fnd(q: 1)", /^there is no tool "crm\.fnd"; did you mean crm\.find\?$/],
    ["tools.crn.find(q: 1)", /^there is no tool "crn"$/],
    ["tools.add(a: Float::INFINITY)", /^add: the arguments cannot be JSON/],
    ["tools.add(a: Object.new)", /^add: the arguments cannot be JSON/],
    ['tools.add(a: "\\xff")', /^add: the arguments cannot be JSON/],
    ["h = {}; h[:h] = h; tools.add(h)", /^add: the arguments cannot be JSON/],
    ["tools.add(a: 'x' * 65_529)", /^add: the arguments are more than 65536 bytes as JSON$/],
  ];
  for (const [call, message] of wrong) {
    const { ran, asked } = await calling(`begin; ${call}; rescue ToolError; puts $!.message; end`);
    assertEquals(asked, [], call);
    assert(message.test(ran.stdout.trimEnd()), `${call}: ${ran.stdout}`);
  }
  const most = await calling("tools.add(a: 'x' * 65_528)");
  assertEquals(most.asked.length, 1);
});

Deno.test("ruby calls: a run without tools has none of the names", async () => {
  const { told, asked } = await calling(
    "[defined?(tools), defined?(Tools), defined?(ToolError), defined?(ToolDenied), defined?(ToolExpired)]",
    { tools: "none" },
  );
  assertEquals([told, asked], ["json [null,null,null,null,null]", []]);
});

Deno.test("ruby calls: a program may use the names for its own", async () => {
  const { told } = await calling(
    "Tools = 1; class ToolError < RuntimeError; end; def tools = 2; [Tools, ToolError.superclass.to_s, tools]",
  );
  assertEquals(told, 'json [1,"RuntimeError",2]');
});

Deno.test("ruby calls: large and deep answers", async () => {
  const functions = {
    text: () => "é'\"\\\n".repeat(20_000),
    numbers: () => Array.from({ length: 40_000 }, (_, index) => index),
    deep: () => JSON.parse(`${"[".repeat(500)}${"]".repeat(500)}`),
    deeper: () => JSON.parse(`${"[".repeat(600)}${"]".repeat(600)}`),
  };
  const { told } = await calling(
    "t = tools.text; n = tools.numbers; [t.size, t[-5..], n.size, n.sum, tools.deep.class.to_s, (tools.deeper rescue $!.message)]",
    { functions },
  );
  assertEquals(
    told,
    `json [100000,${
      JSON.stringify("é'\"\\\n")
    },40000,799980000,"Array","the answer has more than 500 levels"]`,
  );
});

Deno.test("ruby calls: a time limit ends a pending call", async () => {
  const simple = await calling(
    "t = Time.now; begin; Timeout.timeout(2) { tools.slow }; rescue Timeout::Error; print $!.message; end; (Time.now - t).round(1)",
  );
  assertEquals(simple.told, "text 2.0 | execution expired");
  const inTime = await calling(
    "t = Time.now; [Timeout.timeout(9) { tools.slow }, (Time.now - t).round(1)]",
  );
  assertEquals(inTime.told, 'json ["slow",5.0]');
  const nested = await calling(
    "begin; Timeout.timeout(4) { Timeout.timeout(2, IOError) { tools.slow } rescue print($!.class); tools.slow }; rescue Timeout::Error; 'outer'; end",
  );
  assertEquals(nested.told, 'text "outer" | IOError');
  const late = await calling(
    "begin; Timeout.timeout(5.001) { tools.slow; loop {} }; rescue Timeout::Error; 'computing'; end",
  );
  assertEquals(late.told, 'text "computing"');
  const fiber = await calling(
    "begin; Timeout.timeout(2) { Fiber.new { tools.slow }.resume }; rescue Timeout::Error; 'fiber'; end",
  );
  assertEquals(fiber.told, 'text "fiber"');
});

Deno.test("ruby calls: a call that was given up stays pending, and 64 are the most", async () => {
  const { told, asked } = await calling(
    "n = 0; 64.times { Timeout.timeout(1) { tools.slow } rescue n += 1 }; [n, (tools.echo rescue $!.message)]",
    { delays: { slow: 1_000_000 } },
  );
  assertEquals(told, 'json [64,"echo: at most 64 calls may be without an answer at a time"]');
  assertEquals(asked.length, 64);
});

Deno.test("ruby calls: the 1,001st call ends the run", async () => {
  const { ran, asked } = await calling("1001.times { tools.echo rescue 1 }; print 'no'");
  assertEquals([shortEnding(ran.ending), ran.stdout], ["limit calls", ""]);
  assertEquals(asked.length, CALL_LIMITS.calls);
});

Deno.test("ruby calls: sleeps and questions wait for real", async () => {
  const { told, asked } = await calling(
    "t = Time.now; sleep 3; IO.select(nil, nil, nil, 0.5); print 'Name? '; name = gets; rest = $stdin.read; tools.echo(name:, rest:, s: (Time.now - t).to_i)",
    { input: ["Ann\n", "b\nc\n"] },
  );
  assertEquals(told, 'json {"name":"Ann\\n","rest":"b\\nc\\n","s":3} | Name? ');
  assertEquals(asked.slice(0, 5), ["sleep 3000", "sleep 500", "input", "input", "input"]);
});

Deno.test("ruby calls: ways to read a line that is asked for", async () => {
  const input = ["first\n", "second\n", "third\n"];
  const ways: readonly (readonly [code: string, told: string])[] = [
    ["gets.chomp", 'text "first"'],
    ["STDIN.gets(chomp: true)", 'text "first"'],
    ["$stdin.readline", 'text "first\\n"'],
    ["readlines.size", "text 3"],
    ["$stdin.each_line.map(&:size)", "json [6,7,6]"],
    ["$stdin.read.size", "text 19"],
    ["$stdin.read(8)", 'text "first\\nse"'],
    ["$stdin.getc", 'text "f"'],
    ["$stdin.readpartial(100)", 'text "first\\n"'],
    ["ARGF.each_line.first", 'text "first\\n"'],
    ["3.times { gets }; [gets, $stdin.eof?]", "json [null,true]"],
    ["3.times { gets }; readline", "error EOFError"],
  ];
  for (const [code, told] of ways) assertEquals((await calling(code, { input })).told, told, code);
  const two = await calling("gets", { input });
  assertEquals(two.asked, ["input"], "one question for one line");
});

Deno.test("ruby calls: nothing of them reaches a later run of the context", async () => {
  const { artifact } = await builtIsolate("ruby", ALL_CONTEXTS);
  const context = await createRubyEngine(artifact);
  const first = await calling(
    "$t = tools; $crm = tools.crm; $e = tools.fail rescue $e = $!; def find(q) = $crm.find(q:)['name']; find('x')",
    { context },
  );
  assertEquals(first.told, 'text "x"');
  const without = await calling(
    "[defined?(tools), defined?(Tools), defined?(ToolError), $e.message, $e.class.to_s, (find('y') rescue $!.message), ($t.add rescue $!.message), $t.singleton_methods(false)]",
    { context, tools: "none" },
  );
  assertEquals(
    without.told,
    'json [null,null,null,"no luck","ToolError","crm.find: this run has no tools","add: this run has no tools",[]]',
  );
  const again = await calling("[find('z'), ToolError.equal?($e.class), tools.add(a: 1, b: 1)]", {
    context,
  });
  assertEquals(again.told, 'json ["z",true,2]');
  assertEquals(again.asked, ['1 crm.find {"q":"z"}', '2 add {"a":1,"b":1}']);
  const others = await calling("[Tools.names, (tools.add rescue $!.class.to_s)]", {
    context,
    functions: { other: () => 1 },
  });
  assertEquals(others.told, 'json [["other"],"ToolError"]');
});
