/** Files that are open for reading go on in the next run of a context, with all that reads from them. */
import { assertEquals } from "@std/assert";
import { valuesInContext } from "./support.ts";

const WRITE = "open('a.txt', 'w').write('one\\ntwo\\nthree\\n')\n";

const CASES: Readonly<Record<string, readonly [programs: readonly string[], last: unknown]>> = {
  "a text file goes on at its line": [
    [`${WRITE}f = open('a.txt')\nf.readline()`, "f.readline()", "[f.closed, f.read()]"],
    [false, "three\n"],
  ],
  "a file of bytes goes on at its position": [
    [
      `${WRITE}f = open('a.txt', 'rb')\nf.seek(4)`,
      "f.read(3).decode()",
      "[f.tell(), f.read(2).hex()]",
    ],
    [7, "0a74"],
  ],
  "a file without a buffer goes on": [
    [`${WRITE}f = open('a.txt', 'rb', buffering=0)\nf.read(4)`, "[f.read(3).decode()]"],
    ["two"],
  ],
  "a zip archive gives its members": [
    [
      `${WRITE}import zipfile\nwith zipfile.ZipFile('a.zip', 'w') as z: z.write('a.txt')\nz = zipfile.ZipFile('a.zip')`,
      "z.namelist()",
      "[z.read('a.txt').decode()[:3]]",
    ],
    ["one"],
  ],
  "a compressed file goes on": [
    [
      "import gzip\nwith gzip.open('a.gz', 'wt') as g: g.write('one\\ntwo\\n')\ng = gzip.open('a.gz', 'rt')\ng.readline()",
      "[g.readline()]",
    ],
    ["two\n"],
  ],
  "a tar archive gives its members": [
    [
      `${WRITE}import tarfile\nwith tarfile.open('a.tar', 'w') as t: t.add('a.txt')\nt = tarfile.open('a.tar')`,
      "t.getnames()",
      "[t.extractfile('a.txt').read().decode()[:3]]",
    ],
    ["one"],
  ],
  "a reader of CSV goes on": [
    [
      "import csv\nopen('a.csv','w').write('a,b\\n1,2\\n3,4\\n')\nr = csv.DictReader(open('a.csv'))\nnext(r)",
      "next(r)",
    ],
    { a: "3", b: "4" },
  ],
  "a file that was removed reports that": [
    [
      `${WRITE}import os\nf = open('a.txt', 'rb', buffering=0)\nNone`,
      "os.remove('a.txt')\nNone",
      "try: f.read()\nexcept (OSError, ValueError) as e: r = type(e).__name__\n[r]",
    ],
    ["ValueError"],
  ],
  "a renamed file goes on": [
    [
      `${WRITE}import os\nf = open('a.txt')\nf.readline()\nos.rename('a.txt', 'b.txt')`,
      "[f.closed, f.readline()]",
    ],
    [false, "two\n"],
  ],
  "a file with a relative path goes on in another directory": [
    [
      `${WRITE}import os\nf = open('a.txt')\nf.readline()\nos.mkdir('d')\nos.chdir('d')`,
      "[f.readline()]",
    ],
    ["two\n"],
  ],
  "a bare descriptor goes on at its position": [
    [
      `${WRITE}import os\nfd = os.open('a.txt', os.O_RDONLY)\nos.read(fd, 4).decode()`,
      "os.read(fd, 3).decode()",
      "[os.read(fd, 3).decode(), os.fstat(fd).st_size]",
    ],
    ["\nth", 14],
  ],
  "a bare descriptor for writing is closed": [
    [
      `${WRITE}import os\nfd = os.open('a.txt', os.O_RDWR)\nos.read(fd, 4).decode()`,
      "try: os.read(fd, 3)\nexcept OSError as e: r = e.errno\n[r]",
    ],
    [9],
  ],
  "a copy of a descriptor goes on": [
    [
      `${WRITE}import os\nf = open('a.txt')\ng = os.fdopen(os.dup(f.fileno()))\ng.readline()`,
      "[f.closed, g.readline()]",
    ],
    [false, "two\n"],
  ],
  "a temporary file in memory goes on": [
    [
      "import tempfile\nt = tempfile.SpooledTemporaryFile()\nt.write(b'one')\nt.seek(0)\nNone",
      "[t.read().decode(), t._rolled]",
    ],
    ["one", false],
  ],
  "a file that is open for writing is closed": [[
    `f = open('a.txt', 'w')\nf.write('x')`,
    "[f.closed]",
  ], [true]],
  "a file that is open for both is closed": [
    [`${WRITE}f = open('a.txt', 'r+')\nNone`, "[f.closed]"],
    [true],
  ],
};

for (const [name, [programs, last]] of Object.entries(CASES)) {
  Deno.test(`open files: ${name}`, async () => {
    assertEquals((await valuesInContext(programs)).at(-1), last);
  });
}

Deno.test("open files: two hundred readers keep their positions", async () => {
  const values = await valuesInContext([
    "for i in range(200): open(f'{i}.txt', 'w').write(f'{i:04d}{i}')\n" +
    "fs = [open(f'{i}.txt') for i in range(200)]\nsum(int(f.read(4)) for f in fs)",
    "[all(int(f.read()) == i for i, f in enumerate(fs))]",
  ]);
  assertEquals(values, ["19900", [true]]);
});
