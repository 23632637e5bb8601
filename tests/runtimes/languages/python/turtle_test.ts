/** `turtle` draws SVG: programs for a window run as they are. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { type Display, displayIn, displaysOf as run, pristineEngine } from "./displays.ts";

/** The pictures of displays. */
function picturesOf(displays: readonly Display[]): readonly string[] {
  return displays.map(({ data }) => String(data["image/svg+xml"]));
}

const STAR = `
from turtle import *
color('red', 'yellow')
begin_fill()
while True:
    forward(200)
    left(170)
    if abs(pos()) < 1:
        break
end_fill()
done()
`;

Deno.test("turtle: a program for a window displays one picture", async () => {
  const { displays, ending, stdout, stderr } = await run(STAR);
  assertEquals([ending.kind, stdout, stderr], ["none", "", ""]);
  const [svg = "", ...more] = picturesOf(displays);
  assertEquals(more, []);
  assertMatch(svg, /^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' .*<\/svg>$/);
  assertStringIncludes(svg, "<polygon points='0,0 200,0");
  assertStringIncludes(svg, "fill='yellow'");
  assertStringIncludes(svg, "stroke='red'");
});

Deno.test("turtle: what is drawn is displayed at the end of a run without done, of a failing one too", async () => {
  for (const end of ["", "1 / 0", "raise SystemExit(2)", "import sys; sys.exit()"]) {
    const { displays } = await run(`import turtle\nturtle.forward(50)\n${end}`);
    assertEquals(picturesOf(displays).length, 1, end);
  }
  assertEquals((await run("import turtle")).displays, []);
  assertEquals(
    (await run("import turtle\nturtle.forward(1)\nimport os\nos._exit(0)")).displays,
    [],
  );
});

Deno.test("turtle: usual programs run unchanged, and numbers are those of a window", async () => {
  const programs: readonly (readonly [code: string, output: string])[] = [
    [
      "t = turtle.Turtle()\nt.fd(100); t.lt(90); t.fd(50)\nprint(t.pos(), t.heading())",
      "(100.00,50.00) 90.0\n",
    ],
    ["turtle.circle(50)\nprint(turtle.pos())", "(-0.00,0.00)\n"],
    ["turtle.goto(3, 4)\nprint(turtle.distance(0, 0), turtle.towards(3, 10))", "5.0 90.0\n"],
    [
      "turtle.mode('logo')\nturtle.right(90)\nturtle.fd(10)\nprint(turtle.heading(), turtle.pos())",
      "90.0 (10.00,0.00)\n",
    ],
    [
      "turtle.radians()\nturtle.left(turtle.Vec2D(1, 2) * turtle.Vec2D(0, 0))\nprint(turtle.heading())",
      "0.0\n",
    ],
    [
      "turtle.colormode(255)\nturtle.pencolor(51, 204, 140)\nprint(turtle.pencolor())",
      "(51.0, 204.0, 140.0)\n",
    ],
    [
      "print(turtle.speed(), turtle.isdown(), turtle.shape(), turtle.pensize())",
      "3 True classic 1\n",
    ],
    [
      "turtle.speed('fastest')\nturtle.penup()\nprint(turtle.speed(), turtle.isdown())",
      "0 False\n",
    ],
    [
      "s = turtle.Screen()\ns.setup(600, 400)\ns.onkey(exit, 'q')\ns.listen()\ns.exitonclick()\nprint(s.window_width())",
      "600\n",
    ],
    [
      "a = turtle.Turtle('turtle')\nb = a.clone()\nb.fd(5)\nprint(len(turtle.turtles()), a.pos(), b.pos())",
      "2 (0.00,0.00) (5.00,0.00)\n",
    ],
    [
      "turtle.fd(10)\nturtle.lt(90)\nturtle.undo()\nturtle.undo()\nprint(turtle.pos(), turtle.heading())",
      "(0.00,0.00) 0.0\n",
    ],
    [
      "turtle.begin_poly()\nturtle.fd(1)\nturtle.end_poly()\nprint(turtle.get_poly())",
      "((0.00,0.00), (1.00,0.00))\n",
    ],
    [
      "n = []\ndef tick():\n    n.append(1)\n    turtle.ontimer(tick, 1000)\ntick()\nturtle.mainloop()\nprint(len(n))",
      "11\n",
    ],
    [
      "turtle.tracer(0)\nturtle.update()\nwith turtle.fill():\n    turtle.circle(5)\nprint(turtle.filling())",
      "False\n",
    ],
  ];
  for (const [code, output] of programs) {
    const { stdout, stderr, ending } = await run(`import turtle\n${code}`);
    assertEquals([stdout, stderr, ending.kind], [output, "", "none"], code);
  }
});

Deno.test("turtle: mistakes are errors that say what is wrong", async () => {
  const errors = [
    ["turtle.color('bluish')", "TurtleGraphicsError", "bad color string: bluish"],
    ["turtle.pencolor(2, 0, 0)", "TurtleGraphicsError", "bad color sequence: (2, 0, 0)"],
    ["turtle.shape('dog')", "TurtleGraphicsError", "There is no shape named dog"],
    ["turtle.mode('x')", "TurtleGraphicsError", "No turtle-graphics-mode x"],
    ["turtle.forward('a')", "TypeError", ""],
    ["turtle.jump()", "AttributeError", "module 'turtle' has no attribute 'jump'"],
  ] as const;
  for (const [code, name, message] of errors) {
    const { ending } = await run(`import turtle\n${code}`);
    assert(ending.kind === "error", code);
    assertEquals(ending.error.name.split(".").at(-1), name);
    assertStringIncludes(ending.error.message, message);
  }
});

Deno.test("turtle: texts and titles are escaped, in every form", async () => {
  const hostile = `'"><script>alert(1)</script>&\\x00\\ud800]]>`;
  const { displays } = await run(`
import turtle
turtle.title(${JSON.stringify(hostile).replaceAll("\\\\", "\\")})
turtle.write(${
    JSON.stringify(hostile).replaceAll("\\\\", "\\")
  }, font=("a'><b", 12, "bold italic' x='"))
for color in ("red' onload='x", "url(http://127.0.0.1/)", "#12345'", "javascript:x"):
    try:
        turtle.color(color)
    except turtle.TurtleGraphicsError:
        print(color)
`);
  const [svg = ""] = picturesOf(displays);
  assertEquals(/<script|onload|url\(|\0|[\ud800-\udfff]/.exec(svg), null);
  const tags = [...svg.matchAll(/<(\/?[a-z]+)/g)].map(([, tag]) => tag);
  assertEquals([...new Set(tags)].sort(), [
    "/svg",
    "/text",
    "/title",
    "polygon",
    "rect",
    "svg",
    "text",
    "title",
  ]);
  // every apostrophe in a tag is one of an attribute
  for (const [tag] of svg.matchAll(/<[^>]*>/g)) assertEquals(tag.split("'").length % 2, 1, tag);
});

Deno.test("turtle: a drawing that is too large for a display shows its first parts, and says so", async () => {
  const { displays, stderr, ending } = await run(`
import turtle
turtle.tracer(0)
turtle.setundobuffer(None)
for n in range(110_000):
    turtle.goto(n % 977 + 0.1, n % 883 + 0.1)
`);
  assertEquals(ending.kind, "none");
  const [svg = ""] = picturesOf(displays);
  assert(svg.length > 500_000 && svg.length < 1024 * 1024, String(svg.length));
  assertMatch(stderr, /turtle: the drawing is too large: \d+ of its parts are not shown/);
  const far = await run("import turtle\nturtle.goto(1e308, -1e308)\nturtle.fd(float('inf'))");
  assertEquals(
    /nan|inf|e\+/i.exec(picturesOf(far.displays)[0]?.replace("stroke-linejoin", "") ?? ""),
    null,
  );
});

Deno.test("turtle: a context draws on from run to run, and shows only what is new", async () => {
  const engine = await pristineEngine();
  const runs = [
    "import turtle\nt = turtle.Turtle()\nt.fd(10)",
    "1",
    "t.lt(90)\nt.fd(10)\nturtle.done()",
    "t.clear()\nt.hideturtle()",
  ].map((code) => displayIn(engine, code));
  const counts = runs.map(({ displays }) => picturesOf(displays).length);
  assertEquals(counts, [1, 0, 1, 1]);
  assertStringIncludes(picturesOf(runs[2]?.displays ?? [])[0] ?? "", "points='0,0 10,0 10,-10'");
});
