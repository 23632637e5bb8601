/**
 * Databases in files, and files of logs, from one run of a context to the next.
 */
import { assertEquals, assertNotEquals } from "@std/assert";
import { anotherEngine, pythonEngine, run, runIn, show, valueOf } from "./support.ts";

/** Runs programs as those of a context; what each of them gives. */
async function told(...programs: readonly string[]): Promise<readonly string[]> {
  const on = await pythonEngine();
  on.reset();
  const values = programs.map((code) => {
    const { ending, stderr } = runIn(on, code);
    on.state.endRun();
    assertEquals(stderr, "", code);
    return ending.kind === "text"
      ? ending.text
      : ending.kind === "json"
      ? ending.json
      : show(ending);
  });
  on.reset();
  return values;
}

const OPENED = `
import sqlite3
con = sqlite3.connect("shop.db")
con.row_factory = sqlite3.Row
con.create_function("twice", 1, lambda x: x * 2)
con.execute("create table t(a)")
con.commit()
con.execute("insert into t values (1)")
cur = con.cursor()
None`;
const ROWS = "[tuple(row) for row in cur.execute('select twice(a) from t')]";

Deno.test("databases: a connection continues, with its functions and its open transaction", async () => {
  assertEquals(
    await told(
      OPENED,
      `con.execute("insert into t values (2)")\n${ROWS}`,
      `con.rollback()\n${ROWS}`,
      `con.execute("insert into t values (3)")\ncon.commit()\n${ROWS}`,
      "con.close()\nsqlite3.connect('shop.db').execute('select a from t').fetchall()",
    ),
    ['{"kind":"none"}', "[[2], [4]]", "[]", "[[6]]", "[[3]]"],
  );
});

Deno.test("databases: several databases, shelves and plain files do not interfere", async () => {
  assertEquals(
    await told(
      "import shelve, sqlite3\nplain = open('a.txt', 'w')\ndb = shelve.open('shelf')\n" +
        "one, two = sqlite3.connect('1.db'), sqlite3.connect('2.db')\n" +
        "for con in (two, one): con.execute('create table t(a)')\ndb['a'] = 1\nplain.close()",
      "one.execute('insert into t values (1)')\ntwo.execute('insert into t values (2)')\ndb['b'] = 2\n" +
        "other = open('b.txt', 'w')\nother.write('x')",
      "one.commit()\ntwo.commit()\ndb.close()\n" +
        "[c.execute('select a from t').fetchone() for c in (one, two)] + [dict(shelve.open('shelf')), open('b.txt').read()]",
    ),
    ['{"kind":"none"}', "1", '[[1], [2], {"a": 1, "b": 2}, "x"]'],
  );
});

Deno.test("databases: a database without its file reports that, and nothing else fails", async () => {
  const [, gone, other] = await told(
    OPENED,
    "con.rollback()\nimport os\nos.remove('shop.db')\nNone",
    "try:\n    cur.execute('select a from t')\nexcept sqlite3.OperationalError as e:\n    print(e)\n" +
      "c = sqlite3.connect('new.db')\nc.execute('create table q(z)')\nc.execute('select count(*) from q').fetchone()",
  );
  assertEquals([gone, other], ['{"kind":"none"}', "(0,)"]);
  const raw = "import os, sqlite3\nc = sqlite3.connect('a.db')\nc.execute('create table t(a)')\n" +
    "c.set_trace_callback(lambda s: 1 / 0)\nc.row_factory = lambda c, r: exit(3)\nc.text_factory = None\nNone";
  assertEquals(await told(raw, "5"), ['{"kind":"none"}', "5"]);
});

Deno.test("databases: a log file continues in later runs", async () => {
  for (const mode of ["a", "w"]) {
    const begun = `import logging\nlogging.basicConfig(filename="app.log", filemode="${mode}", ` +
      'format="%(message)s", level="INFO")\nlogging.info("one")';
    assertEquals(
      await told(begun, "logging.info('two')", "logging.info('three')\nopen('app.log').read()"),
      ['{"kind":"none"}', '{"kind":"none"}', "'one\\ntwo\\nthree\\n'"],
    );
  }
});

Deno.test("databases: a workspace file's inode number follows from its path, in every process", async () => {
  const made =
    "import os\nfor name in %: open(name, 'w').close()\nos.mkdir('d')\nopen('d/x', 'w').close()\n" +
    "[os.stat(path).st_ino for path in ('b', 'd', 'd/x')]";
  const first = await valueOf(made.replace("%", "'ab'"));
  const second = runIn(await anotherEngine(), made.replace("%", "'zyb'")).ending;
  assertEquals(second, { kind: "json", json: first });
  assertEquals(new Set(JSON.parse(first)).size, 3);
  const code = `
import os
f = open("a", "w")
number = os.fstat(f.fileno()).st_ino
same = [number == os.stat("a").st_ino == next(os.scandir()).inode()]
os.remove("a")
open("a", "w").close()
same + [os.path.samestat(os.fstat(f.fileno()), os.stat("a")), os.path.samefile("a", "./a")]`;
  assertEquals(await valueOf(code), "[true, false, true]");
  const { ending } = await run("import os\nos.stat('/lib').st_ino");
  assertNotEquals(ending.kind === "text" && Number(ending.text) > 2 ** 52, true);
});
