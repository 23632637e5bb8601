/** How Python programs read standard input; the outcomes are those of the native interpreter. */
import type { InputCase } from "./input_case.ts";

/** The programs. */
export const PYTHON_CASES: readonly InputCase[] = [
  {
    name: "the whole",
    code: "import sys\nprint(repr(sys.stdin.read()))",
    stdin: "a\nb\r\nc\rd",
    stdout: "'a\\nb\\r\\nc\\rd'\n",
  },
  {
    name: "by input() to its end, prompts on standard output",
    code:
      "a = input('name? ')\nb = input()\nprint(repr(a), repr(b))\ntry:\n    input('more? ')\nexcept EOFError as e:\n    print(type(e).__name__, e)",
    stdin: "Ada\nL. ",
    stdout: "name? 'Ada' 'L. '\nmore? EOFError EOF when reading a line\n",
  },
  {
    name: "input() of a last line without an end",
    code: "print(repr(input()))",
    stdin: "x",
    stdout: "'x'\n",
  },
  {
    name: "by line",
    code: "import sys\nfor line in sys.stdin:\n    print(repr(line))",
    stdin: "one\ntwo\nthree",
    stdout: "'one\\n'\n'two\\n'\n'three'\n",
  },
  {
    name: "by line, with carriage returns",
    code: "import sys\nprint(sys.stdin.readlines())",
    stdin: "a\r\nb\rc\n\n",
    stdout: "['a\\r\\n', 'b\\rc\\n', '\\n']\n",
  },
  {
    name: "readline, then the rest, then the end",
    code:
      "import sys\nprint(repr(sys.stdin.readline()), repr(sys.stdin.read()), repr(sys.stdin.readline()), repr(sys.stdin.read()))",
    stdin: "one\ntwo\nthree",
    stdout: "'one\\n' 'two\\nthree' '' ''\n",
  },
  {
    name: "by character",
    code: "import sys\nwhile c := sys.stdin.read(1):\n    print(repr(c), end=' ')",
    stdin: "a\u00e9\ud834\udd1e\n\u0000z",
    stdout: "'a' '\u00e9' '\ud834\udd1e' '\\n' '\\x00' 'z' ",
  },
  {
    name: "bytes",
    code:
      "import sys\nprint(sys.stdin.buffer.readline(), sys.stdin.buffer.read(2), sys.stdin.buffer.read(), sys.stdin.buffer.read1())",
    stdin: "\u00e9\nabcdef",
    stdout: "b'\\xc3\\xa9\\n' b'ab' b'cdef' b''\n",
  },
  {
    name: "bytes, then text",
    code: "import sys\nprint(sys.stdin.buffer.read(3), repr(sys.stdin.read()))",
    stdin: "abcdef",
    stdout: "b'abc' 'def'\n",
  },
  {
    name: "by descriptor",
    code: "import os\nprint(os.read(0, 3), os.read(0, 100), os.read(0, 1), os.read(0, 1))",
    stdin: "abcdef",
    stdout: "b'abc' b'def' b'' b''\n",
  },
  {
    name: "by the device",
    code:
      "with open('/dev/stdin') as f:\n    print(repr(f.readline()), repr(f.read()))\nprint(repr(open(0).read()))",
    stdin: "a\nb",
    stdout: "'a\\n' 'b'\n''\n",
  },
  {
    name: "open(0) by bytes",
    code: "with open(0, 'rb', closefd=False) as f:\n    print(f.read())",
    stdin: "a\nb",
    stdout: "b'a\\nb'\n",
  },
  {
    name: "by pathlib",
    code: "import pathlib\nprint(repr(pathlib.Path('/dev/stdin').read_text()))",
    stdin: "a\nb",
    stdout: "'a\\nb'\n",
  },
  {
    name: "fileinput",
    code:
      "import fileinput\nfor line in fileinput.input():\n    print(fileinput.lineno(), repr(line), fileinput.isstdin())",
    stdin: "one\ntwo\nthree",
    stdout: "1 'one\\n' True\n2 'two\\n' True\n3 'three' True\n",
  },
  {
    name: "iter and next",
    code: "import sys\nit = iter(sys.stdin)\nprint(repr(next(it)), [*it], next(it, None))",
    stdin: "one\ntwo\nthree",
    stdout: "'one\\n' ['two\\n', 'three'] None\n",
  },
  {
    name: "iter(input, sentinel)",
    code: "print(list(iter(input, '')))",
    stdin: "a\nb\n\nc",
    stdout: "['a', 'b']\n",
  },
  {
    name: "numbers, as contests read them",
    code: "import sys\nn = int(input())\nprint(n, sum(map(int, sys.stdin.read().split())))",
    stdin: "3\n1 2\n3\n",
    stdout: "3 6\n",
  },
  {
    name: "sys.stdin.readline bound to input",
    code:
      "import sys\ninput = sys.stdin.readline\nprint(repr(input()), repr(input()), repr(input()), repr(input()))",
    stdin: "one\ntwo\nthree",
    stdout: "'one\\n' 'two\\n' 'three' ''\n",
  },
  {
    name: "a wrapper of another encoding",
    code:
      "import io, sys\nsys.stdin = io.TextIOWrapper(sys.stdin.buffer, encoding='latin-1')\nprint(repr(input()))",
    stdin: "\u00e9\n",
    stdout: "'\u00c3\u00a9'\n",
  },
  {
    name: "reconfigure",
    code:
      "import sys\nsys.stdin.reconfigure(encoding='ascii', errors='replace')\nprint(repr(sys.stdin.read()))",
    stdin: "a\u00e9",
    stdout: "'a\ufffd\ufffd'\n",
  },
  {
    name: "csv",
    code: "import csv, sys\nprint(list(csv.reader(sys.stdin)))",
    stdin: 'a,"b\nc"\r\n1,2\r\n',
    stdout: "[['a', 'b\\nc'], ['1', '2']]\n",
  },
  {
    name: "json",
    code: "import json, sys\nprint(json.load(sys.stdin))",
    stdin: '{"a": [1, "\u00e9"]}\n',
    stdout: "{'a': [1, '\u00e9']}\n",
  },
  {
    name: "what it is",
    code:
      "import sys, os, stat\nprint(sys.stdin.isatty(), os.isatty(0), sys.stdin.fileno(), stat.S_ISFIFO(os.fstat(0).st_mode), sys.stdin.readable(), sys.stdin.writable(), sys.stdin.seekable(), sys.stdin.name, sys.stdin.mode, sys.stdin.closed)",
    stdin: "x",
    stdout: "False False 0 True True False False <stdin> r False\n",
  },
  {
    name: "it does not seek",
    code:
      "import sys\ntry:\n    sys.stdin.buffer.raw.seek(0)\nexcept OSError as e:\n    print(e.errno)",
    stdin: "x",
    stdout: "29\n",
  },
  {
    name: "select",
    code:
      "import select, sys\nprint(select.select([sys.stdin], [], [], 5)[0] == [sys.stdin], repr(sys.stdin.read()), select.select([sys.stdin], [], [], 5)[0] == [sys.stdin])",
    stdin: "x",
    stdout: "True 'x' True\n",
  },
  {
    name: "the end again and again",
    code:
      "import sys\nprint([sys.stdin.read() for _ in range(3)], [sys.stdin.buffer.read(1) for _ in range(2)])\nfor line in sys.stdin: print(line)",
    stdin: "x",
    stdout: "['x', '', ''] [b'', b'']\n",
  },
  {
    name: "StringIO in its place",
    code:
      "import io, sys\nsys.stdin = io.StringIO('mine\\n')\nprint(input(), repr(sys.__stdin__.read()))",
    stdin: "given",
    stdout: "mine 'given'\n",
  },
  {
    name: "peek and readinto",
    code:
      "import sys\nb = bytearray(3)\nprint(sys.stdin.buffer.peek()[:2], sys.stdin.buffer.readinto(b), b, sys.stdin.buffer.read())",
    stdin: "abcdef",
    stdout: "b'ab' 3 bytearray(b'abc') b'def'\n",
  },
  {
    name: "sys.stdin.close",
    code: "import sys\nsys.stdin.close()\ntry:\n    input()\nexcept ValueError as e:\n    print(e)",
    stdin: "x",
    stdout: "I/O operation on closed file.\n",
  },
  {
    name: "a prompt that is flushed before an error",
    code: "try:\n    input('? ')\nfinally:\n    print('!')",
    stdin: "x\n",
    stdout: "? !\n",
  },
  {
    name: "asyncio and a thread",
    code:
      "import asyncio\nasync def main():\n    print(await asyncio.to_thread(input, '> '))\nasyncio.run(main())",
    stdin: "x\n",
    stdout: "> x\n",
  },
  {
    name: "an encoded interactive loop",
    code:
      "total = 0\nwhile True:\n    try:\n        total += int(input())\n    except EOFError:\n        break\nprint(total)",
    stdin: "1\n2\n3",
    stdout: "6\n",
  },
  {
    name: "getpass",
    code:
      "import getpass, warnings\nwarnings.simplefilter('ignore')\nimport sys\nsys.stderr = sys.stdout\nprint(repr(getpass.fallback_getpass('pw: ')))",
    stdin: "secret\n",
    stdout: "Warning: Password input may be echoed.\npw: 'secret'\n",
  },
  {
    name: "BOM, NUL and astral text",
    code: "import sys\nprint(ascii(sys.stdin.read()))",
    stdin: "\ufeffa\u0000b\ud83d\ude00\u2028\u0085\u000b\f\u001c",
    stdout: "'\\ufeffa\\x00b\\U0001f600\\u2028\\x85\\x0b\\x0c\\x1c'\n",
  },
  {
    name: "lines end at newlines alone",
    code: "import sys\nprint(ascii([*sys.stdin]))",
    stdin: "a\u2028b\u0085c\u000bd\fe\u001cf\r\ng",
    stdout: "['a\\u2028b\\x85c\\x0bd\\x0ce\\x1cf\\r\\n', 'g']\n",
  },
  {
    name: "asyncio, by a stream over the pipe",
    code:
      "import asyncio, sys\nasync def main():\n    loop = asyncio.get_running_loop()\n    reader = asyncio.StreamReader()\n    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)\n    print(await reader.readline(), await reader.read(), reader.at_eof())\nasyncio.run(main())",
    stdin: "one\ntwo",
    stdout: "b'one\\n' b'two' True\n",
  },
  {
    name: "asyncio, by a reader of the loop",
    code:
      "import asyncio, os, sys\nasync def main():\n    loop, got = asyncio.get_running_loop(), asyncio.Queue()\n    loop.add_reader(sys.stdin, lambda: got.put_nowait(os.read(0, 2)))\n    print(await got.get(), await asyncio.wait_for(got.get(), 1), loop.remove_reader(0), loop.remove_reader(0))\n    await asyncio.sleep(1)\nasyncio.run(main())",
    stdin: "abc",
    stdout: "b'ab' b'c' True False\n",
  },
];
