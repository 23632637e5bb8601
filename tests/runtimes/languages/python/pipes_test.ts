import { assertEquals } from "@std/assert";
import { run, valueOf } from "./support.ts";

Deno.test("pipes: data come out in order, and end when the last writer closes", async () => {
  assertEquals(
    await valueOf(`import os
r, w = os.pipe()
w2 = os.dup(w)
parts = [os.write(w, b'abc'), os.read(r, 2), os.write(w2, b'de'), os.read(r, 100)]
os.close(w)
os.write(w2, b'f')
os.close(w2)
str(parts + [os.read(r, 9), os.read(r, 9)])`),
    "\"[3, b'ab', 2, b'cde', b'f', b'']\"",
  );
  const through = `import os
r, w = os.pipe()
seen = b''
for i in range(40):
    os.write(w, bytes([i]) * 5000)
    seen += os.read(r, 5000)
seen == b''.join(bytes([i]) * 5000 for i in range(40))`;
  assertEquals(await valueOf(through), "True");
});

Deno.test("pipes: an endless wait is an immediate error", async () => {
  const errors = `import os
r, w = os.pipe()
said = []
def ask(f, *args):
    try: said.append(f(*args))
    except OSError as error: said.append(type(error).__name__)
ask(os.read, r, 1)
ask(os.write, w, b'x' * 65537)
ask(os.write, w, b'x' * 65536)
ask(os.write, w, b'x')
ask(os.write, r, b'x')
ask(os.read, w, 1)
ask(os.lseek, r, 0, 0)
os.close(r)
ask(os.write, w, b'x')
said`;
  assertEquals(
    JSON.parse(await valueOf(errors)),
    [
      "BlockingIOError",
      "BlockingIOError",
      65_536,
      "BlockingIOError",
      "OSError",
      "OSError",
      "OSError",
      "BrokenPipeError",
    ],
  );
});

Deno.test("pipes: a pipe can capture output, and descriptors run out as usual", async () => {
  const caught = await run(`import os, sys
r, w = os.pipe()
out = os.dup(1)
os.dup2(w, 1)
os.system('clear'); os.write(1, b'caught')
os.dup2(out, 1)
os.write(1, b'seen')
os.read(r, 99)`);
  assertEquals([caught.stdout, caught.ending], ["seen", { kind: "text", text: "b'caught'" }]);
  const many = `import os
ends = []
try:
    while True: ends += os.pipe()
except OSError as error: print(error.strerror)
for end in ends: os.close(end)
r, w = os.pipe()
import stat
[stat.S_ISFIFO(os.fstat(r).st_mode), os.isatty(w), len(ends) % 2]`;
  const ran = await run(many);
  assertEquals(ran.stdout, "Too many open files\n");
  assertEquals(ran.ending, { kind: "json", json: "[true, false, 0]" });
});

Deno.test("pipes: open() makes files of them", async () => {
  assertEquals(
    await valueOf(`import os
r, w = os.pipe()
with open(w, 'w') as out: out.write('one\\ntwo\\n')
with open(r) as lines: found = list(lines)
str(found)`),
    "\"['one\\\\n', 'two\\\\n']\"",
  );
});
