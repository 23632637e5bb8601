/** Programs that break their own interpreter on purpose: only the effect on others matters. */
export const BROKEN: readonly string[] = [
  "import os\nos.abort()",
  "import faulthandler\nfaulthandler._sigsegv()",
  "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
  "exec((lambda: 0).__code__.replace(co_code=b'\\x55\\xff' * 50))",
  "exec((lambda: 0).__code__.replace(co_code=bytes(range(256)), co_consts=(), co_names=()))",
  "import marshal\nexec(marshal.loads(marshal.dumps(compile('1', 'x', 'exec'))[:-3] + b'\\xff\\xff\\xff'))",
  "import gc\nfor o in gc.get_objects():\n    if isinstance(o, dict) and o is not globals():\n        try: o.clear()\n        except Exception: pass\n1",
  "import sys\nfor m in list(sys.modules.values()):\n    try: vars(m).clear()\n    except Exception: pass\n1",
  "class A:\n def __repr__(self):\n  import sys\n  f = sys._getframe()\n  while f.f_back: f = f.f_back\n  f.f_globals.clear()\n  return ''\nA()",
  "class A:\n def __repr__(self):\n  import sys\n  def close_all(): sys._getframe(1).f_locals['answer'] = b'j' + b'{' * 9\n  sys._getframe(2).f_globals['open_files'].close_all = close_all\n  return ''\nA()",
  "import posix\nposix.posix_fadvise(0x7fff5eed, -5, 0, 0)\nposix.posix_fadvise(0x7fff5eed, 2 ** 62, 0, 0)\nwhile True: pass",
  "import sys\nsys.setrecursionlimit(2 ** 31 - 1)\ndef f(): f()\nf()",
];
