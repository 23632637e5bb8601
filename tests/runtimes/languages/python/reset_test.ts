import { Baseline } from "../../../../runtimes/engine/baseline.ts";
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { Instance } from "../../../../runtimes/languages/python/host/instance.ts";
import type { GuestMemory } from "../../../../runtimes/languages/python/host/guest_memory.ts";
import { encodeRequest } from "../../../../runtimes/languages/python/host/request.ts";
import { anotherEngine, engineParts, pythonEngine, run, runIn } from "./support.ts";

/** Collects everything that a fresh interpreter reveals about itself. */
const PROBE = `
import asyncio, codecs, collections, copyreg, decimal, faulthandler, json, locale, logging, socket, tempfile, unicodedata
def codec_known(name):
    try: return bool(codecs.lookup(name))
    except LookupError: return False
import builtins, gc, importlib, io, os, random, signal, sys, threading, time, warnings
report = [
    len(sys.modules), sorted(name for name in globals() if not name.startswith("__")),
    id(object()), [id([]) for _ in range(3)], hash("abc"),
    os.listdir("/tmp"), os.listdir("/workspace"), os.getcwd(), sorted(os.environ),
    len.__name__, hasattr(builtins, "evil"), gc.isenabled(), gc.get_count()[1:], gc.get_threshold(),
    sys.getrecursionlimit(), sys.getswitchinterval(), os.stat("/workspace").st_ino,
    os.open("/tmp/q", os.O_CREAT), os.umask(0o22), [type(x).__name__ for x in sys.meta_path],
    sys.stdout.fileno(), signal.getsignal(signal.SIGINT).__name__, sys.path, sys.argv,
    len(warnings.filters), warnings.filters[0][0], sys.gettrace() is None, sys.excepthook is sys.__excepthook__,
    threading.active_count(), sys.getrefcount(None) > 0, sys.int_info.default_max_str_digits,
    sys.get_int_max_str_digits(), sys.getallocatedblocks(), sys.flags.optimize, time.tzname,
    sorted(sys.path_importer_cache), __name__, __file__,
    decimal.getcontext().prec, locale.setlocale(locale.LC_ALL), sys.getprofile() is None,
    codec_known("evil"), os.fstat(0).st_mode, os.fstat(1).st_ino,
    len(sys.path_hooks), sys.dont_write_bytecode, faulthandler.is_enabled(), copyreg.dispatch_table.keys() == set(),
    asyncio.get_event_loop_policy().__class__.__name__, tempfile.tempdir,
    logging.getLogger().level, logging.getLogger().handlers, socket.getdefaulttimeout(), gc.callbacks, sys.audit("x"),
    str(os.getcwdb()), str(os.environb), builtins.__import__.__name__, json.dumps([1]), unicodedata.name("a"), sys._getframe().f_back,
]
report
`;

/** Changes everything a guest can change. */
const DIRTY = `
import asyncio, atexit, codecs, collections, copyreg, decimal, faulthandler, locale, logging, socket, tempfile, unicodedata
import posix, builtins, gc, os, random, signal, sys, threading, time, warnings, json, importlib
evil = "x" * 100000
builtins.evil = evil
builtins.len = lambda x: 7
builtins.print = None
sys.meta_path.clear()
sys.path.append("/evil")
sys.argv.append("evil")
os.environ["EVIL"] = "1"
gc.disable()
gc.set_threshold(1, 1, 1)
signal.signal(signal.SIGINT, lambda *a: 0)
os.umask(0)
sys.setswitchinterval(1)
sys.set_int_max_str_digits(0)
warnings.simplefilter("error")
sys.settrace(lambda *a: None)
sys.excepthook = None
time.tzname = ("X", "Y")
os.makedirs("/workspace/evil/dir")
for place in ("/tmp", "/workspace", "/workspace/evil/dir"):
    with open(place + "/evil.py", "w") as f:
        f.write("evil")
kept = [open("/tmp/evil.py") for _ in range(20)]
os.chdir("/workspace/evil/dir")
json.dumps = None
for name in ("re", "collections", "random", "json"):
    sys.modules.pop(name, None)
decimal.getcontext().prec = 3
codecs.register(lambda name: codecs.lookup("utf-8") if name == "evil" else None)
sys.setprofile(lambda *a: None)
sys.path_hooks.clear()
sys.dont_write_bytecode = False
copyreg.pickle(dict, lambda d: None)
tempfile.tempdir = "/evil"
logging.basicConfig(level=1)
socket.setdefaulttimeout(3)
gc.callbacks.append(lambda *a: None)
gc.unfreeze()
gc.collect()
builtins.__import__ = lambda *a, **k: None
unicodedata.name = None
atexit.register(lambda: None)
sys.addaudithook(lambda *a: None)
sys.setrecursionlimit(60)
sys.stdout.close()
sys.stdout = None
posix.close(0)
posix.dup2(2, 1)
`;

Deno.test("reset: a fresh run cannot detect an earlier run that changed everything", async () => {
  const first = await run(PROBE);
  assertEquals(first.ending.kind, "json");
  assertEquals((await run(`${DIRTY}\n"done"`)).ending, { kind: "text", text: "'done'" });
  for (
    const before of [
      DIRTY,
      "import os\nos.abort()",
      "while True: pass",
      `${DIRTY}\nwhile True: pass`,
      `${DIRTY}\nbytearray(50_000_000)`,
    ]
  ) {
    await run(before, { env: { SECRET: "s" } });
    const again = await run(PROBE);
    assertEquals(again.ending, first.ending);
    assertEquals(again.fuelConsumed, first.fuelConsumed);
  }
});

Deno.test("reset: without a reset the next run sees the changes", async () => {
  const engine = await pythonEngine();
  engine.reset();
  runIn(engine, DIRTY);
  assertEquals(runIn(engine, "evil[0]").ending, { kind: "text", text: "'x'" });
});

Deno.test("reset: memory that grew is released", async () => {
  const small = await run("1");
  const grown = await run("x = bytearray(100_000_000)\nlen(x)");
  assertEquals(grown.ending, { kind: "text", text: "100000000" });
  assert(grown.memoryBytes > small.memoryBytes + 90_000_000);
  assertEquals((await run("1")).memoryBytes, small.memoryBytes);
});

Deno.test("reset: a process that holds too much memory of grown instances asks to be replaced", async () => {
  const engine = await anotherEngine();
  runIn(engine, "len(bytearray(10_000_000))");
  engine.reset();
  assert(engine.healthy);
  for (let turn = 0; turn < 3; turn++) {
    runIn(engine, "len(bytearray(150_000_000))");
    engine.reset();
  }
  assertEquals(engine.healthy, Reflect.get(globalThis, "gc") !== undefined);
});

async function machineOnImage(): Promise<Instance> {
  const parts = await engineParts();
  return new Instance(parts, new Baseline(parts.image));
}

function runOn(interpreter: Instance, code: string, env: Record<string, string>): void {
  const { machine } = interpreter;
  const asked = encodeRequest({ code, env: new Map(Object.entries(env)) }, "process");
  const request = machine.python.newBytes(asked);
  machine.startRun({ fuel: 4_000_000_000n, wallMs: 1000, output: () => true });
  try {
    interpreter.callDriver(request);
  } catch (error) {
    assert(error instanceof Error); // a trap, an overflow of V8's stack, or a stop
  }
}

/** Of all memory but zeros beyond what the guest sees. */
async function digest({ bytes: all, size }: GuestMemory): Promise<string> {
  assert(all.subarray(size.bytes).every((byte) => byte === 0));
  const bytes = all.subarray(0, size.bytes);
  const hash = await crypto.subtle.digest("SHA-256", bytes);
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function holds(bytes: Uint8Array, text: string): boolean {
  const wanted = new TextEncoder().encode(text);
  for (
    let at = bytes.indexOf(wanted[0] ?? 0);
    at >= 0;
    at = bytes.indexOf(wanted[0] ?? 0, at + 1)
  ) {
    if (wanted.every((byte, index) => bytes[at + index] === byte)) return true;
  }
  return false;
}

Deno.test("reset: memory is identical, and no canary is left in it or in files", async () => {
  const interpreter = await machineOnImage();
  const { machine } = interpreter;
  const pristine = await digest(machine.memory);
  const canary = "c4n4ry-5e1f-77aa";
  const programs = [
    `x = '${canary}' * 3\nopen('/tmp/f', 'w').write(x)\nprint(x)\nx`,
    `import os\nx = [os.environ['CANARY']] * 1000\n1 / 0`,
    `x = '${canary}'\nwhile True: pass`,
    `def f(x): return f(x + '${canary}')\nf('')`,
    `x = bytearray(b'${canary}' * 100000)\nos = __import__('os')\nos.abort()`,
  ];
  for (const code of programs) {
    runOn(interpreter, code, { CANARY: canary });
    assert(holds(machine.memory.bytes, canary), `the canary never was there: ${code}`);
    assertNotEquals(await digest(machine.memory), pristine);
    assert(interpreter.restore(), "memory grew");
    assertEquals(await digest(machine.memory), pristine, code);
    assert(!holds(machine.memory.bytes, canary));
    assertEquals(machine.files.exportWorkspace(), []);
    assertEquals(machine.files.entries("/tmp"), []);
    assertEquals(machine.files.descriptors.numbers(), [0, 1, 2]);
  }
});

Deno.test("reset: the same run leaves the same memory after any other runs", async () => {
  const interpreter = await machineOnImage();
  const pristine = await digest(interpreter.machine.memory);
  const globals = interpreter.globals();
  const code = "x = [i for i in range(1000)]\nimport re\nre.sub('a', 'b', 'abc')";
  runOn(interpreter, code, {});
  const first = await digest(interpreter.machine.memory);
  interpreter.restore();
  runOn(interpreter, DIRTY, {});
  assert(interpreter.restore(), "memory grew");
  assertEquals(await digest(interpreter.machine.memory), pristine);
  assertEquals(interpreter.globals(), globals);
  runOn(interpreter, code, {});
  assertEquals(await digest(interpreter.machine.memory), first);
});
