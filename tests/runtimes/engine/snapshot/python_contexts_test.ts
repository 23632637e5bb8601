import { testContexts } from "./engine_contexts.ts";

const text = (value: string) => JSON.stringify(value);

testContexts("python", {
  survivors: [
    {
      name: "closures",
      make:
        "def counter():\n n = 40\n def up():\n  nonlocal n\n  n += 1\n  return n\n return up\nup = counter(); up()",
      probe: "up()",
      first: "42",
      second: "43",
    },
    {
      name: "classes, instances, dataclasses and enums",
      make: `from dataclasses import dataclass, field
from enum import Enum
class Base:
    made = 0
    def __init_subclass__(cls): cls.tag = cls.__name__.lower()
    @property
    def x(self):
        self._x = getattr(self, '_x', 0) + 1
        return self._x
class Sub(Base):
    __slots__ = ('y',)
@dataclass(order=True)
class Point:
    x: int
    y: list = field(default_factory=list)
class Color(Enum):
    RED = 1
s = Sub(); p = Point(3)`,
      probe:
        "p.y.append(1); [s.x, s.tag, p > Point(2), len(p.y), Color(1) is Color.RED, isinstance(s, Base)]",
      first: '[1,"sub",true,1,true,true]',
      second: '[2,"sub",true,2,true,true]',
    },
    {
      name: "generators in mid-flight",
      make:
        "log = []\ndef walk():\n try:\n  with open('/workspace/g.txt', 'w'):\n   for x in [1, 2, 3, 4]:\n    log.append((yield x * 10))\n finally:\n  log.append('end')\ng = walk(); next(g)",
      probe: "[g.send('a'), len(log)]",
      first: "[20,1]",
      second: "[30,2]",
    },
    {
      name: "coroutines not yet awaited and context variables",
      make:
        "import contextvars, functools\nvar = contextvars.ContextVar('v', default=1)\nctx = contextvars.copy_context()\nctx.run(var.set, 5)\nasync def add(a, b): return a + b\nwaiting = [add(1, 2), add(3, 4), add(5, 6)]\n@functools.lru_cache\ndef slow(n):\n  calls.append(n)\n  return n\ncalls = []; slow(3)",
      probe: "slow(3); [await waiting.pop(), ctx[var], len(calls)]",
      first: "[11,5,1]",
      second: "[7,5,1]",
    },
    {
      name: "databases of sqlite3 in memory",
      make:
        "import sqlite3\ndb = sqlite3.connect(':memory:')\ndb.create_function('twice', 1, lambda x: x * 2)\ndb.execute('create table t(x integer primary key, y text)')\ndb.executemany('insert into t values (?, ?)', [(i, 'r' * i) for i in range(200)])\ndb.commit()\nrows = db.execute('select x from t order by x')\nrows.fetchone()",
      probe:
        "db.execute(\"insert into t(y) values ('z')\"); [rows.fetchone()[0], db.execute('select count(*), twice(max(length(y))) from t').fetchone()]",
      first: "[1,[201,398]]",
      second: "[2,[202,398]]",
    },
    {
      name: "compiled regular expressions and their iterators",
      make:
        "import re\npattern = re.compile(r'(?P<w>[a-z]+)(\\d)?', re.I)\nfound = pattern.finditer('ab1 CD ef3 gh')\nm = next(found)",
      probe: "[m['w'], next(found)['w'], pattern.sub('x', 'a1 b')]",
      first: '["ab","CD","x x"]',
      second: '["ab","ef","x x"]',
    },
    {
      name: "hashes and compressors half done",
      make:
        "import hashlib, hmac, zlib\nh = hashlib.sha256(b'ab'); k = hmac.new(b'k', b'a', 'md5'); z = zlib.compressobj(); z.compress(b'abc' * 1000)\nn = 0",
      probe:
        "n += 1; c = h.copy(); c.update(b'c'); d = z.copy(); packed = d.flush(); [c.hexdigest()[:16], k.hexdigest()[:8], len(packed) > 10, n]",
      first: '["ba7816bf8f01cfea","ddcf3d21",true,1]',
      second: '["ba7816bf8f01cfea","ddcf3d21",true,2]',
    },
    {
      name: "open iterators",
      make:
        "import itertools, csv, io\nc = itertools.count(5); z = zip('abc', itertools.cycle([1, 2])); next(z); r = csv.reader(io.StringIO('a,b\\nc,d\\ne,f')); next(r); d = iter({1: 2, 3: 4, 5: 6}.items()); next(d)",
      probe: "[next(c), next(z), next(r), next(d)]",
      first: '[5,["b",2],["c","d"],[3,4]]',
      second: '[6,["c",1],["e","f"],[5,6]]',
    },
    {
      name: "random generators of the guest's own, decimals, weak references and exceptions",
      make:
        "import random, decimal, weakref\nrnd = random.Random(5); rnd.random()\ndecimal.getcontext().prec = 5\nclass A: pass\na = A(); w = weakref.ref(a); n = 0\ntry: 1 / 0\nexcept ZeroDivisionError as e: kept = e",
      probe:
        "n += 1; [rnd.randrange(1000), str(decimal.Decimal(1) / 3), w() is a, kept.__traceback__.tb_lineno, n]",
      first: '[759,"0.33333",true,6,1]',
      second: '[367,"0.33333",true,6,2]',
    },
    {
      name: "modules that were imported and changed",
      make:
        "import json, sys, types\njson.mine = 1\nm = types.ModuleType('made'); m.x = 1; sys.modules['made'] = m",
      probe: "import made; made.x += 1; [made.x, json.mine]",
      first: "[2,1]",
      second: "[3,1]",
    },
    {
      name: "large strings and lists",
      make: "big = 'x' * 3_000_000 + 'end'; rows = [{'i': i} for i in range(50_000)]; 0",
      probe: "rows.append({'i': 1}); [len(big), big[-3:], len(rows), rows[49_999]['i']]",
      first: '[3000003,"end",50001,49999]',
      second: '[3000003,"end",50002,49999]',
    },
  ],
  define: "v = 1; v",
  increment: "v += 1; v",
  changeThenLoop: "v = 100\nwhile True: pass",
  changeThenWrite: "v = 100\nwhile True: print('x')",
  incrementThenFail: "v += 1\nraise ValueError('x')",
  incrementThenLong: "v += 1\n'x' * 2000",
  noise: "v = 100\nimport os\nnoise = os.urandom(300_000)\n1",
  random: "import random; random.random()",
  fill: (mark) =>
    `kept = ['${mark}' + str(i) for i in range(200)]\nblob = bytearray(b'${mark}' * 3000)\nopen('c.txt', 'w').write('${mark}')\nlen(kept)`,
  enter: "import os; os.mkdir('d'); os.chdir('d')",
  where: "import os; os.getcwd()",
  write: (path, value) => `with open(${text(path)}, 'w') as f: f.write(${text(value)})`,
  remove: (path) => `import os; os.remove(${text(path)})`,
  makeDirectory: (path) => `import os; os.mkdir(${text(path)})`,
  removeDirectory: (path) => `import os; os.rmdir(${text(path)})`,
  setTime: (path, seconds) => `import os; os.utime(${text(path)}, (${seconds}, ${seconds}))`,
  tree: `import os
found = []
for folder, dirs, files in os.walk('/workspace'):
    for name in dirs + files:
        path = os.path.join(folder, name)
        value = None if os.path.isdir(path) else open(path).read()
        found.append([path[len('/workspace/'):], value, os.stat(path).st_mtime])
sorted(found)`,
});
