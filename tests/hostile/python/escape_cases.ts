/** Programs that search for the host: the bridge, the system, the network. */
import type { HostileCase } from "../cases.ts";

/** Imports that fail. */
export const HOST_ACCESS: readonly HostileCase[] = [
  ...[
    ..."js pyodide_js pyodide _pyodide_core _pyodide _testcapi tkinter webbrowser_".split(
      " ",
    ).map((name) => `import ${name}`),
    "from js import Function",
    "from pyodide.ffi import JsProxy",
    "import ctypes\nctypes.CDLL('libc.so.6')",
    "import ctypes\nctypes.CFUNCTYPE(ctypes.c_int)(1)()",
    "import importlib\nimportlib.import_module('_pyodide_core')",
    "import _imp, importlib.machinery as m\n_imp.create_dynamic(m.ModuleSpec('x', None, origin='/workspace/x.so'))",
    "import importlib.machinery as m\nm.ExtensionFileLoader('x', '/workspace/x.so').create_module(m.ModuleSpec('x', None))",
  ].map((code) => ({ name: code, code, outcome: "error" }) as const),
  ...[
    "import ctypes\nctypes.memset(64, 255, 1 << 24)",
    "import ctypes\nctypes.string_at(1 << 31)",
    "import ctypes\nctypes.cast(id(ctypes), ctypes.POINTER(ctypes.c_long))[2] = 7\nctypes",
    "import _ctypes\n_ctypes.PyObj_FromPtr(12345)",
  ].map((code) => ({ name: code, code, outcome: "crash" }) as const),
  ...[
    "import antigravity",
    "import webbrowser\nwebbrowser.open('http://127.0.0.1/')",
    "import this",
  ]
    .map((code) => ({ name: code, code, outcome: "any" }) as const),
];

/** The system that can be reached is the virtual one, or there is an exception. */
export const ESCAPES: readonly HostileCase[] = [
  ...[
    "import os\nos.system('id')",
    "import subprocess\nsubprocess.run(['id'])",
    "import subprocess\nsubprocess.Popen('id', shell=True)",
    "import os\nos.fork()",
    "import os\nos.execv('/bin/sh', ['sh'])",
    "import os\nos.posix_spawn('/bin/sh', ['sh'], {})",
    "import os\nos.kill(1, 9)",
    "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    "import multiprocessing.pool\nmultiprocessing.pool.Pool(2)",
    "import threading\nthreading.Thread(target=print).start()",
    "import concurrent.futures as c\nc.ProcessPoolExecutor().submit(print).result()",
    "import asyncio\nasyncio.run(asyncio.create_subprocess_exec('id'))",
    "import pty\npty.spawn('sh')",
    "open('/etc/passwd')",
    "open('/proc/self/environ')",
    "open('/proc/1/cmdline')",
    "open('../../etc/hosts')",
    "import os\nos.mkdir('/evil')",
    "import os\nos.chroot('/')",
    "import os\nos.symlink('/etc/passwd', 'link')",
    "import gc\n[o for o in gc.get_objects() if type(o).__name__ == 'JsProxy'][0]",
    "().__class__.__base__.__subclasses__()[0].constructor.constructor('return 1')()",
    "import pickle\npickle.loads(b'cposix\\nsystem\\n(S\"id\"\\ntR.')",
    "from importlib.machinery import BuiltinImporter\nBuiltinImporter.load_module('posix').system('id')",
  ].map((code) => ({ name: code, code, outcome: "error" }) as const),
  {
    name: "the walk to os._wrap_close finds the virtual root",
    code:
      "[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == '_wrap_close'][0].__init__.__globals__['listdir']('/')",
    outcome: "value",
    results: [{ json: ["dev", "lib", "tmp", "usr", "workspace"] }],
  },
  {
    name: "posix by BuiltinImporter finds the virtual root",
    code:
      "from importlib.machinery import BuiltinImporter\nBuiltinImporter.load_module('posix').listdir('/')",
    outcome: "value",
    results: [{ json: ["dev", "lib", "tmp", "usr", "workspace"] }],
  },
  {
    name: "the environment is empty",
    code: "import os\nos.environ.data if hasattr(os.environ, 'data') else dict(os.environ)",
    outcome: "value",
    results: [{ json: {} }],
  },
];

export const NETWORK: readonly HostileCase[] = [
  "import socket\nsocket.create_connection(('127.0.0.1', 8000))",
  "import socket\nsocket.create_connection(('1.1.1.1', 80), timeout=1)",
  "import socket\nsocket.socket()",
  "import socket\nsocket.socketpair()",
  "import socket\nsocket.gethostbyname('localhost')",
  "import urllib.request\nurllib.request.urlopen('http://169.254.169.254/')",
  "import urllib.request\nurllib.request.urlopen('http://127.0.0.1:8000/')",
  "import urllib.request\nurllib.request.urlopen('https://example.com/')",
  "import urllib.request\nurllib.request.urlopen('file:///etc/passwd')",
  "import http.client\nhttp.client.HTTPConnection('127.0.0.1', 8000).request('GET', '/')",
  "import http.server\nhttp.server.HTTPServer(('', 0), None)",
  "import smtplib\nsmtplib.SMTP('127.0.0.1')",
  "import ftplib\nftplib.FTP('127.0.0.1')",
  "import asyncio\nasyncio.run(asyncio.open_connection('127.0.0.1', 80))",
].map((code) => ({ name: code, code, outcome: "error" }));
