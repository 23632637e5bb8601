/** Displays of a program besides text and values: `display_data`, and methods of its last value. */
import { assertEquals, assertMatch } from "@std/assert";
import type { Display } from "../../../../client/protocol/types.ts";
import { errorOf, type Ran, run, shortEnding } from "./ruby.ts";

/** The displays of a run. */
function shown({ displays }: Pick<Ran, "displays">): readonly Display[] {
  return displays.map((json) => JSON.parse(json));
}

/** Programs, and the data of each display, in order. */
const SHOWN: readonly (readonly [code: string, data: readonly unknown[]])[] = [
  ["1", []],
  ["display_data('text/html', '<b>é</b>')", [{ "text/html": "<b>é</b>" }]],
  ["display_data('text/plain', 'é'.encode('UTF-16LE'))", [{ "text/plain": "é" }]],
  ["display_data('text/plain', 'é'.encode('ISO-8859-1'))", [{ "text/plain": "é" }]],
  ["display_data('text/plain', 'é'.b)", [{ "text/plain": "é" }]],
  ["display_data('text/plain', \"\\xff\")", [{ "text/plain": "/w==" }]],
  ["display_data('image/png', \"\\x89PNG\".b)", [{ "image/png": "iVBORw==" }]],
  ["display_data('image/png', 'text')", [{ "image/png": "dGV4dA==" }]],
  ["display_data('IMAGE/PNG', 'text')", [{ "IMAGE/PNG": "dGV4dA==" }]],
  ["display_data('image/svg+xml', '<svg/>'.b)", [{ "image/svg+xml": "<svg/>" }]],
  ["display_data('application/pdf', '%PDF'.b)", [{ "application/pdf": "JVBERg==" }]],
  ["display_data('application/pdf', '%PDF')", [{ "application/pdf": "%PDF" }]],
  ["display_data('application/json', '{}')", [{ "application/json": "{}" }]],
  [
    "display_data('application/json', { a: [1, 2.5, nil, true, 'x', :y], 'b' => {} })",
    [{ "application/json": { a: [1, 2.5, null, true, "x", "y"], b: {} } }],
  ],
  ["[nil, false, 5, :a].each { display_data('x/y', _1) }; nil", [
    { "x/y": null },
    { "x/y": false },
    { "x/y": 5 },
    { "x/y": "a" },
  ]],
  [
    "class P; def to_json(*) = '{\"p\":1}'; end; display_data('x/y', P.new); nil",
    [{ "x/y": { p: 1 } }],
  ],
  ["display_data('text/plain'.freeze, 'a'.freeze)", [{ "text/plain": "a" }]],
  ['display_data(\'text/plain\', "a\\0\\n\\"\\\\\\u2028")', [{ "text/plain": 'a\0\n"\\\u2028' }]],
  ["Fiber.new { display_data('x/y', 1) }.resume; at_exit { display_data('x/y', 2) }; nil", [
    { "x/y": 1 },
    { "x/y": 2 },
  ]],
];

Deno.test("ruby displays: display_data shows text, bytes as Base64, and JSON", async () => {
  for (const [code, data] of SHOWN) {
    const ran = await run(code);
    assertEquals([code, shown(ran)], [code, data.map((data) => ({ data }))]);
  }
});

Deno.test("ruby displays: display_data returns nil, takes metadata, and is a private method", async () => {
  const ran = await run(
    "a = display_data('x/y', 1, metadata: { w: 5 })\n" +
      "b = (5.display_data('x/y', 2) rescue $!.class.to_s)\n[a, b, Kernel.respond_to?(:display_data)]",
  );
  assertEquals(shortEnding(ran.ending), 'json [null,"NoMethodError",false]');
  assertEquals(shown(ran), [{ data: { "x/y": 1 }, metadata: { w: 5 } }]);
});

const NOT_JSON = /^display_data: data cannot be JSON/;

/** Calls that are refused, with the class and message of the error. */
const REFUSED: readonly (readonly [code: string, name: string, message: RegExp])[] = [
  ["display_data", "ArgumentError", /given 0, expected 2/],
  ["display_data('x/y', 1, color: 2)", "ArgumentError", /unknown keyword: :color/],
  ["display_data(:'x/y', 1)", "TypeError", /must be a String, not Symbol$/],
  ["display_data(nil, 1)", "TypeError", /must be a String, not NilClass$/],
  ["display_data(BasicObject.new, 1)", "TypeError", /must be a String, not BasicObject$/],
  ...["", "x", "x/", "-x/y", "x/.y", "/y", "x/y/z", "x y/z", "x/y; a=b", "é/y", "x/y\\n", "x/\\xff"]
    .map((type) =>
      [
        `display_data("${type}", 1)`,
        "ArgumentError",
        /not a MIME type such as "text\/html"/,
      ] as const
    ),
  ["display_data('x/' + 'y' * 128, 1)", "ArgumentError", /not a MIME type/],
  ["display_data('image/png', nil)", "TypeError", /data of image\/png must be a String, not Nil/],
  ["display_data('x/y', Object.new)", "TypeError", /must be a String or what JSON can hold/],
  ["display_data('x/y', BasicObject.new)", "TypeError", /not BasicObject$/],
  ["display_data('x/y', Float::NAN)", "ArgumentError", NOT_JSON],
  ["display_data('x/y', [Object.new])", "ArgumentError", NOT_JSON],
  ["display_data('x/y', [\"\\xff\"])", "ArgumentError", NOT_JSON],
  ["display_data('x/y', { 1 => 2, '1' => 3 })", "ArgumentError", NOT_JSON],
  ["a = []; a << a; display_data('x/y', a)", "ArgumentError", NOT_JSON],
  ["a = []; 254.times { a = [a] }; display_data('x/y', a)", "ArgumentError", NOT_JSON],
  [
    "a = {}; 254.times { a = { a: a } }; display_data('x/y', 1, metadata: a)",
    "ArgumentError",
    /metadata must/,
  ],
  ["display_data('x/y', 1, metadata: 5)", "TypeError", /metadata must be a Hash, not Integer$/],
  ["display_data('x/y', 1, metadata: { a: 1i })", "ArgumentError", /metadata must be a Hash that/],
  [
    "display_data('x/y', 1, metadata: Class.new(Hash) { def to_json(*) = '5' }.new)",
    "ArgumentError",
    /metadata must be a Hash that/,
  ],
];

Deno.test("ruby displays: a wrong call raises where the program made it, and shows nothing", async () => {
  for (const [code, name, message] of REFUSED) {
    const ran = await run(`x = 1\n${code}`);
    const error = errorOf(ran.ending);
    assertEquals([code, error.name, error.lineNumber], [code, name, 2]);
    assertMatch(error.message, message, code);
    assertEquals(error.traceback[0], "main.rb:2:in 'Kernel#display_data'");
    assertEquals(shown(ran), []);
  }
});

/** Bodies of the class of the last value, and the data that it is shown with. */
const LAST: readonly (readonly [body: string, data: unknown])[] = [
  ["", undefined],
  ["def to_html = '<b>é</b>'", { "text/html": "<b>é</b>" }],
  [
    "def to_html = 'h'; def to_svg = '<svg/>'; def to_png = \"\\xff\".b",
    { "text/html": "h", "image/svg+xml": "<svg/>", "image/png": "/w==" },
  ],
  ["def to_html(a = 1, *b, c: 2, **d, &e) = 'x'", { "text/html": "x" }],
  ["define_method(:to_html) { 'x' }", { "text/html": "x" }],
  ["attr_reader :to_html; def initialize = @to_html = 'x'", { "text/html": "x" }],
  ["include Module.new { def to_html = 'x' }", { "text/html": "x" }],
  ["prepend Module.new { def to_html = 'x' }; def to_html = 'y'", { "text/html": "x" }],
  ["def to_html = 'h'.encode('UTF-16LE')", { "text/html": "h" }],
  ['def to_html = "h\\xff"', { "text/html": "h\uFFFD" }],
  ["def to_svg = '<svg>é</svg>'.b", { "image/svg+xml": "<svg>é</svg>" }],
  ["def to_html = ''", { "text/html": "" }],
  ["def to_html = Class.new(String) { def to_s = raise; def encode(*) = 1 }.new('x')", {
    "text/html": "x",
  }],
  ["def to_html = nil; def to_png = 5; def to_svg = [1]", undefined],
  ["def to_html(a) = 'x'", undefined],
  ["def to_html(a:) = 'x'", undefined],
  ["def to_html(a, *b) = 'x'", undefined],
  ["private def to_html = 'x'; protected def to_svg = 'x'", undefined],
  ["def method_missing(*) = 'x'; def respond_to_missing?(*) = true", undefined],
  ["def respond_to?(*) = true; def public_send(*) = 'x'", undefined],
  ["def to_html = 'x'; undef to_html", undefined],
  ["def self.to_html = 'x'", undefined],
  ["def initialize = define_singleton_method(:to_html) { 'x' }", undefined],
  ["def self.public_method_defined?(*) = true; def self.public_instance_method(*) = 5", undefined],
];

Deno.test("ruby displays: the last value is shown by the public methods of its class", async () => {
  for (const [body, data] of LAST) {
    const ran = await run(`class Thing\n${body}\nend\nThing.new`);
    assertEquals(ran.ending.kind, "text", body);
    const displays = data === undefined ? [] : [{ data, main: true }];
    assertEquals([body, shown(ran)], [body, displays]);
  }
});

Deno.test("ruby displays: values of any class are shown, a BasicObject is not", async () => {
  const cases: readonly (readonly [code: string, html: readonly string[]])[] = [
    ["class Array; def to_html = 'x'; end; [1]", ["x"]],
    ["class Table < Array; def to_html = 'x'; end; Table[1].freeze", ["x"]],
    ["module Kernel; def to_html = 'x'; end; 'text'", ["x"]],
    ["module Kernel; def to_html = 'x'; end; nil", []],
    ["Struct.new(:to_html).new('x')", ["x"]],
    ["Data.define(:to_html).new(to_html: 'x')", ["x"]],
    ["class Bare < BasicObject; def to_html = 'x'; end; Bare.new", []],
    ["def to_html = 'x'; Object.new", []],
    ["require 'ostruct'; OpenStruct.new(to_html: 'x')", []],
    [
      "module Shown; refine(Object) { def to_html = 'x' }; end; using Shown; Object.new",
      [],
    ],
  ];
  for (const [code, html] of cases) {
    const displays = shown(await run(code));
    assertEquals([code, displays.map(({ data }) => data["text/html"])], [code, html]);
  }
});

const THING = "class Thing\n  def to_html = 'x'\nend\n";

Deno.test("ruby displays: the last value is shown once, last, and only if the program succeeds", async () => {
  const last: Display = { data: { "text/html": "x" }, main: true };
  const calls = `at_exit { display_data("x/y", 2) }\n${THING}display_data("x/y", 1)\nThing.new`;
  assertEquals(shown(await run(calls)), [
    { data: { "x/y": 1 } },
    { data: { "x/y": 2 } },
    last,
  ]);
  const own = "class Thing\n  def to_html = (display_data('x/y', 1); 'x')\nend\nThing.new";
  assertEquals(shown(await run(own)), [{ data: { "x/y": 1 } }, last]);
  for (const end of ["raise 'late'", "exit", "exit 3", "exit!"]) {
    const ran = await run(`at_exit { ${end} }\n${THING}Thing.new`);
    assertEquals([end, shown(ran)], [end, []]);
  }
  for (const code of ["Thing.new\nreturn", "Thing.new; raise 'x'", "Thing.new; nil"]) {
    assertEquals(shown(await run(THING + code)), [], code);
  }
});

/** Methods of the last value that do what they should not, and how the run ends. */
const HOSTILE: readonly (readonly [body: string, ending: string])[] = [
  ["def to_html = raise('no')", "error RuntimeError"],
  ["def to_html = exit(3)", "error SystemExit"],
  ["def to_html = throw(:x)", "error UncaughtThrowError"],
  ["def to_html = to_html", "error SystemStackError"],
  ["def to_html = loop {}", "limit fuel"],
  ["def to_html = 'x' * 2**40", "error RangeError"],
  ["def to_html = 'x'.dup.force_encoding('UTF-7')", "text #<thing>"],
  ["def to_html = Class.new(BasicObject).new", "text #<thing>"],
  ["def class = raise('no'); def to_html = 'x'", "text #<thing>"],
];

Deno.test("ruby displays: output, errors and fuel of a value's method are the program's own", async () => {
  for (const [body, ending] of HOSTILE) {
    const code = `class Thing\n  def inspect = '#<thing>'\n  ${body}\nend\nThing.new`;
    const ran = await run(code, { limits: { fuel: 2_000_000_000 } });
    assertEquals([body, shortEnding(ran.ending)], [body, ending]);
  }
});

/** Programs that redefine what a display could rely on. */
const REDEFINED = [
  "class IO; def syswrite(*) = raise; def close = raise; def self.sysopen(*) = raise; def self.for_fd(*) = raise; end",
  "class File; def self.open(*) = raise; def initialize(*) = raise; end",
  "class String; def encode(*) = raise; def gsub(*) = raise; def to_s = raise; def [](*) = raise; end",
  "module JSON; def self.generate(*) = raise; end; class Hash; def to_json(*) = raise; def to_a = raise; end",
  "class Array; def pack(*) = raise; def join(*) = raise; def push(*) = raise; end",
  "class Module; def ===(o) = raise; def public_method_defined?(*) = raise; end",
  "class Method; def call(*) = raise; end; module Kernel; def class = raise; def raise(*) = 5; end",
  "%i[Belljar IO File JSON Array Hash].each { |name| Object.send(:remove_const, name) }",
  "$stdout.close; $stderr.close; Dir.chdir('/')",
  "Encoding.default_internal = 'UTF-16LE'; Encoding.default_external = 'UTF-16LE'",
  "GC.disable; [String, Array, Hash, IO, File, Kernel].each(&:freeze)",
];

/** Programs that show as much as there is room for, or more, and how many displays are kept. */
const AMOUNTS: readonly (readonly [code: string, ending: string, kept: number])[] = [
  ["16.times { display_data('x/y', _1) }; 5", "text 5", 16],
  ["17.times { display_data('x/y', _1) }; puts 'on'; 5", "limit display", 16],
  [`16.times { display_data('x/y', _1) }\n${THING}Thing.new`, "limit display", 16],
  ["display_data('text/plain', 'x' * 2**20); 5", "limit display", 0],
  ["display_data('image/png', 'x' * 2**20); 5", "limit display", 0],
  ["3.times { display_data('text/plain', 'x' * 500_000) }; 5", "limit display", 2],
  ["class Thing\n  def to_html = 'x' * 2**21\nend\nThing.new", "limit display", 0],
  ["17.times { display_data('x/y', _1) }; raise 'x'", "error RuntimeError", 16],
  ["a = []; 253.times { a = [a] }; display_data('x/y', a); 5", "text 5", 1],
  ["a = {}; 253.times { a = { a: a } }; display_data('x/y', 1, metadata: a); 5", "text 5", 1],
];

Deno.test("ruby displays: displays over the limit are dropped, and reported when the program has ended", async () => {
  for (const [code, ending, kept] of AMOUNTS) {
    const ran = await run(code);
    assertEquals([code, shortEnding(ran.ending), ran.displays.length], [code, ending, kept]);
    if (code.includes("puts")) assertEquals(ran.stdout, "on\n");
  }
});

Deno.test("ruby displays: redefined core methods and removed names do not change them", async () => {
  const code = "class Thing; def to_html; 'x'; end; def to_png; 'y'; end; end\n" +
    "display_data('text/plain', 'a'); display_data('image/png', 'a'); display_data('x/y', { a: [1] })\nThing.new";
  const displays = [
    { data: { "text/plain": "a" } },
    { data: { "image/png": "YQ==" } },
    { data: { "x/y": { a: [1] } } },
    { data: { "text/html": "x", "image/png": "eQ==" }, main: true },
  ];
  for (const redefined of REDEFINED) {
    const ran = await run(`class Thing; end\n${redefined}\n${code}`);
    assertEquals([redefined, shown(ran)], [redefined, displays]);
  }
});

Deno.test("ruby displays: a program of its own may call a method display_data, and display prints", async () => {
  const own = await run("def display_data(*all) = all\ndisplay_data('x', 1)");
  assertEquals([shortEnding(own.ending), shown(own)], ['json ["x",1]', []]);
  const printed = await run("'a'.display");
  assertEquals([printed.stdout, shown(printed)], ["a", []]);
});

Deno.test("ruby displays: the same program shows the same for the same fuel", async () => {
  const code = `display_data("x/y", { a: 1 })\n${THING}Thing.new`;
  const runs = await Promise.all(Array.from({ length: 3 }, () => run(code)));
  assertEquals(new Set(runs.map(({ fuelConsumed }) => fuelConsumed)).size, 1);
});
