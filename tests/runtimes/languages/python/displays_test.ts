import { assertEquals } from "@std/assert";
import { pythonEngine, run, runIn } from "./support.ts";

/** Writes a line to the device, the way a library does. */
const SHOW = `
import json, os
def show(value, end="\\n"):
    with open("/dev/display", "w") as device:
        device.write(json.dumps(value) + end)
def put(data):
    device = os.open("/dev/display", os.O_WRONLY)
    os.write(device, data)
    os.close(device)
`;

Deno.test("python displays: a line written to /dev/display is a display, the value stays", async () => {
  const { displays, ending, stdout } = await run(
    `${SHOW}show({"data": {"text/html": "<b>1</b>"}, "metadata": {"a": 1}})\nprint(2)\n7`,
  );
  assertEquals(displays, ['{"data": {"text/html": "<b>1</b>"}, "metadata": {"a": 1}}']);
  assertEquals([ending, stdout], [{ kind: "text", text: "7" }, "2\n"]);
});

Deno.test("python displays: bytes are joined over writes and opens of one run", async () => {
  const { displays } = await run(`${SHOW}
for byte in b'{"data":{"text/plain":"x"}}\\n{"data":{"text/plain":"y"}}\\n':
    put(bytes([byte]))
`);
  assertEquals(displays, ['{"data":{"text/plain":"x"}}', '{"data":{"text/plain":"y"}}']);
});

Deno.test("python displays: invalid displays are dropped, and the run continues", async () => {
  const { displays, ending } = await run(`${SHOW}
for line in [b"", b"{", b"\\x00", b"\\xff", b"[]", b"7", b"null", b'{"data":{}}',
             b'{"data":{"html":"x"}}', b'{"data":{"text/html":1},"main":false}',
             b'{"data":{"text/html":1},"metadata":[]}', b'{"data":{"text/html":1},"more":1}',
             b'{"data":{"a/b":' + b"[" * 300 + b"]" * 300 + b"}}", b'{"data":["text/html"]}']:
    put(line + b"\\n")
show({"data": {"text/html": {"__proto__": 1}}, "main": True})
8
`);
  assertEquals(displays, ['{"data": {"text/html": {"__proto__": 1}}, "main": true}']);
  assertEquals(ending, { kind: "text", text: "8" });
});

Deno.test("python displays: over the limits entries are dropped, and the run ends with that limit", async () => {
  for (
    const [code, kept] of [
      ['for i in range(100): show({"data": {"text/plain": str(i)}})', 16],
      ['show({"data": {"text/plain": "x" * (2 << 20)}}); show({"data": {"a/b": 1}})', 0],
      ['for i in range(3): show({"data": {"text/plain": "x" * 500_000}})', 2],
    ] as const
  ) {
    const { displays, ending, stdout } = await run(`${SHOW}${code}\nprint("after")\n1`);
    assertEquals([displays.length, stdout], [kept, "after\n"]);
    assertEquals(ending, { kind: "limit", limit: "display", traceback: [] });
  }
});

Deno.test("python displays: the run's own error stays the error", async () => {
  const { ending, displays } = await run(
    `${SHOW}for i in range(17): show({"data": {"a/b": i}})\n1 / 0`,
  );
  assertEquals([ending.kind, displays.length], ["error", 16]);
});

Deno.test("python displays: a line that a run does not end meets no later run", async () => {
  const engine = await pythonEngine();
  engine.reset();
  const inContext = { inContext: true };
  const first = `${SHOW}kept = open("/dev/display", "w", buffering=1)
show({"data": {"a/b": 1}}, end="")`;
  assertEquals(runIn(engine, first, inContext).displays, []);
  const second = runIn(engine, 'put(b"\\n")\nshow({"data": {"a/b": 2}})', inContext);
  assertEquals(second.displays, ['{"data": {"a/b": 2}}']);
});

Deno.test("python displays: showing much costs fuel for each write and each byte", async () => {
  const costOf = async (code: string) => (await run(`${SHOW}${code}`)).fuelConsumed;
  const [none, small, large] = [
    await costOf("x = b'x' * 500_000 + b'\\n'"),
    await costOf("x = b'x' * 500_000 + b'\\n'; put(b'\\n')"),
    await costOf("x = b'x' * 500_000 + b'\\n'; put(x)"),
  ];
  assertEquals([none < small, large - small > 10 * 500_000], [true, true]);
});
