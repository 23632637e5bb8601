/**
 * The environment of a program, as on Linux, and the errors for what does not exist.
 */
import { assert, assertEquals } from "@std/assert";
import { errorOf, pythonEngine, runIn, valueOf } from "./support.ts";

Deno.test("surroundings: shelve and dbm store values in SQLite and in plain files", async () => {
  const code = `
import dbm, dbm.dumb, shelve
with shelve.open("store") as db:
    db["a"], db["b"] = {"x": 1}, [1, 2]
with shelve.open("store", writeback=True) as db:
    db["b"].append(3)
    del db["a"]
seen = [list(shelve.open("store", flag="r").items()), dbm.whichdb("store")]
with dbm.dumb.open("plain", "n") as db:
    db["k"], db[b"gone"], db["long"] = "v", "x", "y" * 2000
    db["k"] = "longer than before" * 60
    del db["gone"]
with dbm.open("plain", "r") as db:
    seen += [dbm.whichdb("plain"), sorted(db.keys()), len(db["k"]), db.get("gone"), len(db["long"])]
seen
`;
  assertEquals(
    await valueOf(code),
    "[[('b', [1, 2, 3])], 'dbm.sqlite3', 'dbm.dumb', [b'k', b'long'], 1080, None, 2000]",
  );
  const cases: readonly (readonly [code: string, name: string, message: string])[] = [
    ["dbm.open('no')", "error", "db file doesn't exist; use 'c' or 'n' flag to create a new db"],
    ["open('f', 'w').write('x')\ndbm.open('f')", "error", "db type could not be determined"],
    ["dbm.open('s', 'c')['k']", "KeyError", "'k'"],
    [
      "dbm.open('s', 'q')",
      "error",
      "db file doesn't exist; use 'c' or 'n' flag to create a new db",
    ],
    [
      "dbm.dumb.open('s', 'r')",
      "OSError",
      "need 'c' or 'n' flag to open new db",
    ],
    [
      "dbm.open('s', 'c').close()\ndbm.open('s', 'r')['a'] = 'b'",
      "error",
      "attempt to write a readonly database",
    ],
    ["d = dbm.open('s', 'c')\nd.close()\nd['a']", "error", "DBM object has already been closed"],
  ];
  for (const [source, name, message] of cases) {
    const error = await errorOf(`import dbm, dbm.dumb\n${source}`);
    assertEquals([error.name, error.message], [name, message], source);
  }
});

Deno.test("surroundings: the user exists and has a writable home", async () => {
  const code = `
import getpass, grp, os, pathlib, pwd
home = pathlib.Path.home()
(home / ".config").mkdir()
(home / ".config" / "app.ini").write_text("x")
[str(home), os.path.expanduser("~/a"), getpass.getuser(), os.getlogin(), pwd.getpwuid(os.getuid()).pw_name,
 grp.getgrgid(0).gr_name, (home / ".config").owner(), os.path.expanduser("~nobody")]
`;
  assertEquals(
    await valueOf(code),
    '["/workspace", "/workspace/a", "user", "user", "user", "root", "root", "~nobody"]',
  );
  const env = { HOME: "/tmp", USER: "ann" };
  const given = "import getpass, pathlib\nstr(pathlib.Path.home()), getpass.getuser()";
  assertEquals(await valueOf(given, { env }), "('/tmp', 'ann')");
  assertEquals((await errorOf("import pwd\npwd.getpwnam('ann')")).name, "KeyError");
});

Deno.test("surroundings: clearing the missing screen succeeds, opening a browser does not", async () => {
  assertEquals(await valueOf("import os\n[os.system('clear'), os.system('cls')]"), "[0, 0]");
  for (const call of ["get()", "open('http://a.test/')"]) {
    assertEquals((await errorOf(`import webbrowser\nwebbrowser.${call}`)).name, "Error");
  }
});

const REFUSED: readonly (readonly [code: string, name: string, message: string])[] = [
  ...["subprocess.run(['ls'])", "subprocess.check_output('ls', shell=True)", "os.system('ls')"]
    .map((code) => [code, "OSError", "[Errno 38] processes are not available here"] as const),
  [
    "asyncio.run(asyncio.create_subprocess_exec('ls'))",
    "OSError",
    "[Errno 38] processes are not available here",
  ],
  [
    "multiprocessing.Pool(2)",
    "OSError",
    "[Errno 38] processes are not available here, but ThreadPool is",
  ],
  ["socket.gethostbyname('a.test')", "gaierror", "[Errno -3] there is no network here"],
  ["socket.create_connection(('a.test', 80))", "gaierror", "[Errno -3] there is no network here"],
  [
    "urllib.request.urlopen('http://a.test/')",
    "URLError",
    "<urlopen error [Errno -3] there is no network here>",
  ],
  [
    "threading.Thread(target=print).start()",
    "RuntimeError",
    "can't start new thread: threads are not available here, but ThreadPoolExecutor is",
  ],
];

Deno.test("surroundings: a missing facility has its own error", async () => {
  const imports =
    "import asyncio, multiprocessing, os, socket, subprocess, threading, urllib.request";
  for (const [code, name, message] of REFUSED) {
    const error = await errorOf(`${imports}\n${code}`);
    assertEquals([error.name, error.message, error.lineNumber], [name, message, 2], code);
    assert(!error.traceback.join("\n").includes("belljar"), code);
  }
});

Deno.test("surroundings: a thread pool runs a task when it is submitted, in contexts too", async () => {
  const pool = `
import threading
from concurrent.futures import ThreadPoolExecutor
order = []
pool = ThreadPoolExecutor(2, "worker", initializer=order.append, initargs=("init",))
def task(n):
    order.append((n, threading.current_thread().name))
    return pool.submit(task, n - 1).result() + n if n else 0
order.append(pool.submit(task, 2).result())
order + [threading.current_thread().name]
`;
  const on = await pythonEngine();
  on.reset();
  const expected = [
    '["init"',
    ...[2, 1, 0].map((n) => `[${n}, "worker_0"]`),
    "3",
    '"MainThread"]',
  ].join(", ");
  assertEquals(runIn(on, pool).ending, { kind: "json", json: expected });
  on.state.endRun();
  assertEquals(runIn(on, "pool.submit(pow, 2, 10).result()").ending, {
    kind: "text",
    text: "1024",
  });
  on.reset();
  const failing = await errorOf(`${pool}pool.submit(int, "x").result()`);
  assertEquals([failing.name, failing.lineNumber], ["ValueError", 11]);
  assert(!failing.traceback.join("\n").includes("belljar"));
});

Deno.test("surroundings: seeds of every kind give the same numbers as in CPython", async () => {
  const code = `
import random
seeds = 3.5, 0.1, -0.25, 1e300, 0.0, -1.0, float("inf"), -2.5e-320, 7, "x", b"x"
[random.Random(seed).random() for seed in seeds]`;
  assertEquals(
    await valueOf(code),
    "[0.3039190124834461, 0.8062579873336703, 0.8538447723761984, 0.2614143642581235, " +
      "0.8444218515250481, 0.13119521545503066, 0.19236379321481523, 0.7801013341118131, " +
      "0.32383276483316237, 0.6307877176639078, 0.6307877176639078]",
  );
  assertEquals(
    await valueOf("import random\nrandom.seed(3.5)\nrandom.random()"),
    "0.3039190124834461",
  );
});
