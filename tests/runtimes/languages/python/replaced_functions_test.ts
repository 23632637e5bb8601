import { assertEquals } from "@std/assert";
import { errorOf, valueOf } from "./support.ts";

Deno.test("replaced functions: replacements show the signature and the docstring of the originals", async () => {
  assertEquals(
    await valueOf(`import inspect, os, time, _thread
said = []
for function in (os.fork, os.system, os.execv, _thread.start_new_thread, time.get_clock_info):
    try: said.append(str(inspect.signature(function)))
    except ValueError: said.append('none')
str([said, os.system.__text_signature__, os.fork.__doc__.split('.')[0], os.execv.__name__])`),
    "\"[['()', '(command)', '(path, argv, /)', '(function, args, kwargs={}, /)', '(name, /)'], '($module, /, command)', 'Fork a child process', 'execv']\"",
  );
});

Deno.test("time: sleep takes numbers only, in CPython's words, and every clock describes itself", async () => {
  for (const [given, type] of [["[]", "list"], ["'1'", "str"], ["None", "NoneType"]]) {
    assertEquals(
      (await errorOf(`import time\ntime.sleep(${given})`)).message,
      `'${type}' object cannot be interpreted as an integer`,
    );
  }
  const clocks = ["monotonic", "perf_counter", "process_time", "thread_time", "time"];
  const told = await valueOf(
    `import time\n[time.get_clock_info(n).resolution < 1 for n in ${JSON.stringify(clocks)}]`,
  );
  assertEquals(JSON.parse(told), clocks.map(() => true));
  assertEquals((await errorOf("import time\ntime.get_clock_info('x')")).message, "unknown clock");
});

Deno.test("owners: chown fails, and with EBADF for a closed descriptor", async () => {
  assertEquals(
    JSON.parse(
      await valueOf(`import os, errno
def code(f, *args):
    try: f(*args)
    except OSError as error: return errno.errorcode[error.errno]
    except Exception as error: return type(error).__name__
open('f', 'w').close()
[code(os.fchown, 99, 0, 0), code(os.fchown, 1, 0, 0), code(os.chown, 'f', 0, 0), code(os.chown, 'f', 1.0, 0)]`),
    ),
    ["EBADF", "EPERM", "EPERM", "TypeError"],
  );
});

Deno.test("sys.maxsize: every function accepts it as an index", async () => {
  const told = JSON.parse(
    await valueOf(`import sys, itertools, collections, io, re
m = sys.maxsize
[m == 2 ** 31 - 1, "a b".split(" ", m), "aa".replace("a", "b", m), re.sub("a", "b", "aa", count=m),
 list(itertools.islice("ab", m)), list(itertools.islice(itertools.repeat(1, m), 2)),
 list(collections.deque("ab", maxlen=m)), io.BytesIO(b"ab").read(m) == b"ab", len(range(m)) == m]`),
  );
  const both = ["a", "b"];
  assertEquals(told, [true, both, "bb", "bb", both, [1, 1], both, true, true]);
});
