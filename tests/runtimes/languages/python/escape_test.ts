/**
 * Attempts to escape. A guest may get an exception, a limit or a crash of its own interpreter. It
 * may never see anything of the host, and the next run must be unaffected.
 */
import { assert, assertEquals } from "@std/assert";
import { type Ran, run, show } from "./support.ts";

/** Host values that a guest would find if it escaped; none may change or be shown. */
const SECRET = "canary-of-the-host-5f1d";
Reflect.set(globalThis, "belljarCanary", SECRET);

/** A program that finds the driver's own run, a generator among all objects. */
const REACH_DRIVER = `import gc
run = next(o for o in gc.get_objects()
           if type(o).__name__ == 'generator' and o.gi_code.co_name == '_steps')
`;

/** A program that makes the driver send another answer. */
function fakeAnswer(answer: string): string {
  return `${REACH_DRIVER}def close_all():
    run.gi_frame.f_locals['answer'] = ${answer}
    yield int
run.gi_frame.f_globals['open_files'].close_all = close_all
1`;
}

async function attempt(code: string): Promise<Ran> {
  const ran = await run(code, { limits: { fuel: 3_000_000_000 } });
  const told = JSON.stringify(ran);
  assert(!told.includes(SECRET), `told the secret: ${code}`);
  assert(!/Deno|file:\/\/\/(?!etc)|\.ts:\d/.test(told), `told of the host: ${code}\n${told}`);
  assertEquals(Reflect.get(globalThis, "belljarCanary"), SECRET);
  const next = await run(
    "import os, sys\n[1 + 1, os.getcwd(), os.listdir('/workspace'), 'evil' in globals()]",
  );
  assertEquals(next.ending, { kind: "json", json: '[2, "/workspace", [], false]' }, code);
  return ran;
}

/** Programs that must fail with an exception of one of these names. */
const REFUSED: readonly (readonly [code: string, ...names: string[]])[] = [
  ["import js", "ModuleNotFoundError"],
  ["import pyodide_js", "ModuleNotFoundError"],
  ["import _pyodide_core", "ModuleNotFoundError"],
  ["import _pyodide", "ModuleNotFoundError"],
  ["import pyodide", "ModuleNotFoundError"],
  ["from pyodide.ffi import JsProxy, run_sync", "ModuleNotFoundError"],
  ["from pyodide.code import run_js\nrun_js('1')", "ModuleNotFoundError"],
  ["import micropip", "ModuleNotFoundError"],
  ["import ctypes\nctypes.CDLL(None)", "OSError"],
  ["import ctypes\nctypes.CFUNCTYPE(ctypes.c_int)(7)()", "OSError"],
  ["import ctypes\nctypes.CFUNCTYPE(ctypes.c_int)(print)", "OSError"],
  ["import ctypes, _ctypes\n_ctypes.call_function(7, ())", "OSError"],
  ["import ctypes\nctypes.pythonapi.PyRun_SimpleString", "OSError"],
  ["import _testcapi", "ModuleNotFoundError"],
  ["import _testinternalcapi", "ModuleNotFoundError"],
  ["import ssl, socket\nssl.create_default_context().wrap_socket(socket)", "OSError"],
  ["import _ssl", "ModuleNotFoundError"],
  ["import tkinter", "ModuleNotFoundError"],
  [
    "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    "ImportError",
    "OSError",
    "ModuleNotFoundError",
    "AttributeError",
  ],
  [
    "import _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec('_pyodide_core', None)).x",
    "ImportError",
    "AttributeError",
    "SystemError",
  ],
  [
    "import _imp, importlib.machinery as m\n_imp.create_builtin(m.ModuleSpec('_testcapi', None)).x",
    "ImportError",
    "AttributeError",
    "SystemError",
  ],
  [
    "from importlib.machinery import BuiltinImporter, ModuleSpec\nBuiltinImporter.create_module(ModuleSpec('_testcapi', BuiltinImporter))",
    "ImportError",
  ],
  ["import importlib.machinery as m\nm.FrozenImporter.find_spec('js').name", "AttributeError"],
  [
    "open('x.so', 'wb').write(b'\\0asm\\1\\0\\0\\0')\nimport importlib.machinery as m\nm.ExtensionFileLoader('x', '/workspace/x.so').create_module(m.ModuleSpec('x', None, origin='/workspace/x.so'))",
    "ImportError",
    "AttributeError",
  ],
  [
    "import _imp, importlib.machinery as m\n_imp.create_dynamic(m.ModuleSpec('x', None, origin='/workspace/x.so'))",
    "ImportError",
  ],
  ["import os\nos.system('id')", "OSError"],
  ["import posix\nposix.system('id')", "OSError"],
  ["import os\nos.popen('id').read()", "OSError"],
  ["import subprocess\nsubprocess.run(['id'])", "OSError"],
  ["import subprocess\nsubprocess.check_output('id', shell=True)", "OSError"],
  ["import os\nos.fork()", "OSError", "AttributeError"],
  ["import os\nos.execv('/bin/sh', ['sh'])", "OSError", "AttributeError"],
  ["import os\nos.posix_spawn('/bin/sh', ['sh'], {})", "OSError", "AttributeError"],
  [
    "import _posixsubprocess\n_posixsubprocess.fork_exec(*[None] * 23)",
    "TypeError",
    "OSError",
    "AttributeError",
    "ValueError",
  ],
  [
    "import pty\npty.spawn('sh')",
    "OSError",
    "ModuleNotFoundError",
    "ImportError",
    "AttributeError",
  ],
  ["import socket\nsocket.socket()", "OSError", "PermissionError"],
  [
    "import socket\nsocket.create_connection(('1.1.1.1', 80), timeout=1)",
    "OSError",
    "gaierror",
    "PermissionError",
  ],
  ["import socket\nsocket.getaddrinfo('localhost', 80)", "gaierror", "OSError"],
  ["import socket\nsocket.socketpair()", "OSError", "PermissionError", "AttributeError"],
  ["import urllib.request\nurllib.request.urlopen('http://169.254.169.254/')", "URLError"],
  ["import urllib.request\nurllib.request.urlopen('file:///etc/passwd')", "URLError"],
  [
    "import http.client\nhttp.client.HTTPConnection('127.0.0.1', 8000).request('GET', '/')",
    "gaierror",
    "OSError",
    "PermissionError",
  ],
  [
    "import asyncio\nasync def f():\n    await asyncio.open_connection('127.0.0.1', 80)\nasyncio.run(f())",
    "OSError",
    "gaierror",
    "NotImplementedError",
    "RuntimeError",
    "PermissionError",
  ],
  ["open('/etc/passwd')", "FileNotFoundError"],
  ["open('/proc/self/environ')", "FileNotFoundError"],
  ["open('/home/user/.profile')", "FileNotFoundError"],
  ["import os\nos.listdir('/proc/self/fd')", "FileNotFoundError"],
  ["open('../../../../etc/hosts')", "FileNotFoundError"],
  ["import os\nos.mkdir('/evil')", "OSError"],
  ["open('/lib/python314.zip', 'r+b')", "OSError"],
  ["import os\nos.rename('/lib', '/tmp/lib')", "OSError"],
  ["import os\nos.unlink('/dev/null')", "OSError"],
  ["import os\nos.truncate('/lib/python314.zip', 0)", "OSError"],
  ["import os\nos.symlink('/lib', 'l')", "PermissionError"],
  ["import os\nos.link('/lib/python314.zip', 'l')", "OSError", "AttributeError", "PermissionError"],
  ["import os\nos.mkfifo('/workspace/f')", "OSError", "AttributeError", "PermissionError"],
  ["import os\nos.chroot('/tmp')", "PermissionError"],
  ["import fcntl\nfcntl.ioctl(1, 0x5401, b'x' * 64)", "OSError"],
  ["import termios\ntermios.tcgetattr(0)", "error"],
  ["import os\nos.openpty()", "OSError", "AttributeError"],
  ["import os\nos.read(99, 10)", "OSError"],
  ["import threading\nthreading.Thread(target=print).start()", "RuntimeError"],
  ["import _thread\n_thread.start_new_thread(print, ())", "RuntimeError"],
  ["import concurrent.futures as c\nc.ProcessPoolExecutor().submit(print)", "OSError"],
  [
    "import concurrent.interpreters as c\nc.create()",
    "ModuleNotFoundError",
    "ImportError",
    "RuntimeError",
  ],
  ["import _interpreters", "ModuleNotFoundError"],
  [
    "import _remote_debugging",
    "ModuleNotFoundError",
  ],
  [
    "import sys\nopen('x.py', 'w').close()\nsys.remote_exec(42, 'x.py')",
    "RuntimeError",
    "AttributeError",
    "NotImplementedError",
    "OSError",
    "PermissionError",
  ],
  ["input()", "EOFError"],
  ["import pickle\npickle.loads(b'cposix\\nsystem\\n(S\"id\"\\ntR.')", "OSError"],
  [
    "import pickle\npickle.loads(b'c_pyodide_core\\nrun_js\\n(S\"1\"\\ntR.')",
    "ModuleNotFoundError",
  ],
];

for (const [code, ...names] of REFUSED) {
  Deno.test(`escape: refused: ${code.split("\n").slice(-2).join("; ")}`, async () => {
    const { ending } = await attempt(code);
    assert(ending.kind === "error", `${show(ending)} from ${code}`);
    assert(names.includes(ending.error.name), `${show(ending)} from ${code}`);
  });
}

/** Searches that must find nothing: the value is what was found. */
const SEARCHES: readonly (readonly [subject: string, code: string, found: string])[] = [
  [
    "types of the bridge among all objects",
    "import gc\nsorted({type(o).__name__ for o in gc.get_objects() if 'Js' in type(o).__name__ or 'roxy' in type(o).__name__} - {'ProxyType', 'MappingProxyType', 'mappingproxy', 'weakproxy', 'CallableProxyType', 'weakcallableproxy'})",
    "[]",
  ],
  [
    "subclasses of the bridge",
    "[c.__name__ for c in ().__class__.__base__.__subclasses__() if 'Js' in c.__name__ or 'yodide' in c.__module__]",
    "[]",
  ],
  [
    "modules of the bridge",
    "import sys\n[m for m in list(sys.modules) + list(sys.builtin_module_names) if 'yodide' in m or m == 'js' or 'testcapi' in m or 'belljar' in m]",
    "[]",
  ],
  [
    "module finders",
    "import sys\n[f.__name__ for f in sys.meta_path]",
    '["BuiltinImporter", "FrozenImporter", "PathFinder", "NotebookFinder"]',
  ],
  [
    "the walk to os._wrap_close",
    "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['listdir']('/')",
    '["dev", "lib", "tmp", "usr", "workspace"]',
  ],
  [
    "posix by load_module",
    "import importlib.machinery as m, importlib.util as u\nu.module_from_spec(m.ModuleSpec('posix', m.BuiltinImporter)).listdir('/workspace')",
    "[]",
  ],
  [
    "environment of the host",
    "import os, posix\n[dict(os.environ), {k for k in posix.environ if k != b'x'} - {b'LANG'}]",
    "[{}, set()]",
  ],
  [
    "what os.uname tells",
    "import os\nos.uname().nodename in ('emscripten', 'localhost', '')",
    "True",
  ],
  ["standard input", "import sys\nsys.stdin.read()", "''"],
  [
    "descriptors that are open",
    "import os\n[n for n in range(64) if not isinstance((lambda: [os.fstat(n)])() if n < 3 else None, type(None))]",
    "[0, 1, 2]",
  ],
  [
    "frames of the driver hold no host value",
    "import sys\nf = sys._getframe()\nn = []\nwhile f:\n    n += [type(v).__name__ for v in f.f_locals.values() if type(v).__module__ not in ('builtins', 'ast', '_ast') and 'belljar' not in type(v).__module__ and not callable(v)]\n    f = f.f_back\n[x for x in n if 'Js' in x]",
    "[]",
  ],
  [
    "the source of the driver",
    "import os, time\nos.path.exists(time.sleep.__code__.co_filename)",
    "False",
  ],
];

for (const [subject, code, found] of SEARCHES) {
  Deno.test(`escape: nothing found: ${subject}`, async () => {
    const { ending } = await attempt(code);
    const got = ending.kind === "text"
      ? ending.text
      : ending.kind === "json"
      ? ending.json
      : show(ending);
    assertEquals(got, found);
  });
}

/**
 * Programs that break their own interpreter on purpose. Any outcome is allowed except harm to
 * others.
 */
const SELF_HARM: readonly string[] = [
  "import os\nos.abort()",
  "import faulthandler\nfaulthandler._sigsegv()",
  "import faulthandler\nfaulthandler._fatal_error_c_thread()",
  "import faulthandler\nfaulthandler._stack_overflow()",
  "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
  "exec((lambda: 0).__code__.replace(co_code=b'\\x55\\xff' * 50))",
  "exec((lambda: 0).__code__.replace(co_code=bytes(range(256)), co_consts=(), co_names=()))",
  "def f(): return x\nf.__code__ = f.__code__.replace(co_stacksize=1, co_nlocals=0)\nf()",
  "import marshal\nexec(marshal.loads(marshal.dumps(compile('1', 'x', 'exec'))[:-3] + b'\\xff\\xff\\xff'))",
  "import marshal\nmarshal.loads(b'(' + b'\\xff\\xff\\xff\\x7f')",
  `${REACH_DRIVER}run.gi_frame.f_globals.clear()\n1`,
  fakeAnswer("b'j' + b'{' * 9"),
  fakeAnswer("b''"),
  fakeAnswer("5"),
  fakeAnswer("b'e' + b'[1]'"),
  "import posix\nposix.posix_fadvise(0x7fff5eed, -5, 0, 0)\nposix.posix_fadvise(0x7fff5eed, 2**62, 0, 0)\nwhile True: pass",
  "import gc\nfor o in gc.get_objects():\n    if isinstance(o, dict) and o is not globals():\n        try: o.clear()\n        except Exception: pass\n1",
  "import sys\nfor m in list(sys.modules.values()):\n    try: vars(m).clear()\n    except Exception: pass\n1",
  "import builtins\nvars(builtins).clear()\n1",
  "import mmap\nm = mmap.mmap(-1, 1 << 20)\nm[:] = b'x' * (1 << 20)\nlen(m)",
  "import sys\nsys.setswitchinterval(1e-9)\nsys.setrecursionlimit(2**31 - 1)\ndef f(): f()\nf()",
  "import _signal\n_signal.set_wakeup_fd(1)\n1",
  "import os\nfor n in range(3): os.close(n)\nprint('x')",
  "import os\nos.dup2(1, 2)\nos.close(1)\nprint('x')",
  "type('X', (), {'__del__': lambda s: 1 / 0})()\nimport gc\ngc.collect()",
  "import os\nos._exit(1)",
];

for (const code of SELF_HARM) {
  Deno.test(`escape: does not harm the next run: ${code.split("\n").slice(-2).join("; ").slice(0, 90)}`, async () => {
    await attempt(code);
  });
}
