// test: slow
/** Programs that are indented as a whole run as `python3.14 -c` runs them. */
import { assertEquals } from "@std/assert";
import { run } from "./support.ts";

const PRINTS: readonly (readonly [program: string, stdout: string])[] = [
  ["    total = 0\n    for n in range(4):\n        total += n\n    print(total)", "6\n"],
  ["\n\n  # sums\n\n  print(1)\n   \n\n  print(2)\n", "1\n2\n"],
  ["\tif True:\n\t\tprint('tab')\n\tprint('end')", "tab\nend\n"],
  ["    if 1:\r\n        print('a')\r\n\r\n    print('b')\r\n", "a\nb\n"],
  ["  words = ('a',\n    'b',\n  )\n  print(len(words))", "2\n"],
  ["  text = '''\n  one\n    two'''\n  print(repr(text))", "'\\none\\n  two'\n"],
  ["  x = 1 + \\\n    2\n  print(x)", "3\n"],
  ["    class A:\n\n        def f(self):\n            return 'f'\n\n    print(A().f())", "f\n"],
  ["    async def f():\n        return 5\n    print(await f())", "5\n"],
];

Deno.test("indented programs: common leading whitespace is removed", async () => {
  for (const [code, stdout] of PRINTS) {
    const ran = await run(code);
    assertEquals([ran.stdout, ran.ending.kind], [stdout, "none"], code);
  }
});

const VALUES: readonly (readonly [program: string, text: string])[] = [
  ["    n = 20\n    n + 1", "21"],
  ["x = '''\n    a'''\nlen(x)", "6"],
  [" 7", "7"],
  // not indented as a whole: not a byte is changed
  ["if 1:\n    s = '''  \n\t\n'''\nlen(s)", "5"],
];

Deno.test("indented programs: the last expression is the value", async () => {
  for (const [code, text] of VALUES) {
    assertEquals((await run(code)).ending, { kind: "text", text }, code);
  }
});

const FAILURES: readonly (readonly [program: string, name: string, line: number])[] = [
  ["x = 1\n    y = 2", "IndentationError", 2],
  ["    x = 1\n  y = 2", "IndentationError", 1],
  ["    x = 1\n\ty = 2", "IndentationError", 1],
  ["    s = '''\nz'''\n    print(s)", "IndentationError", 1],
  ["# note\n    x = 1", "IndentationError", 2],
  ["    x = 1\n    y ==== 2", "SyntaxError", 2],
  ["\n\n    print(1)\n    1 / 0", "ZeroDivisionError", 4],
];

Deno.test("indented programs: errors have the line of the program", async () => {
  for (const [code, name, line] of FAILURES) {
    const { ending } = await run(code);
    const error = ending.kind === "error" ? ending.error : undefined;
    assertEquals([error?.name, error?.lineNumber], [name, line], code);
  }
});

Deno.test("indented programs: carets are below the failing part", async () => {
  const { ending } = await run("    def half(n):\n        return n / 0\n\n    print(half(4))");
  assertEquals(ending.kind === "error" && ending.error.traceback, [
    "Traceback (most recent call last):",
    '  File "main.py", line 4, in <module>',
    "    print(half(4))",
    "          ~~~~^^^",
    '  File "main.py", line 2, in half',
    "    return n / 0",
    "           ~~^~~",
    "ZeroDivisionError: division by zero",
  ]);
});
