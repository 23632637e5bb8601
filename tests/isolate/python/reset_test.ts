import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { decodePythonImage } from "../../../runtimes/isolate/python/artifact.ts";
import { Interpreter } from "../../../runtimes/isolate/python/interpreter.ts";
import { encodeRequest } from "../../../runtimes/isolate/python/request.ts";
import { trampolineBytes } from "../../../runtimes/isolate/python/trampoline.ts";
import { builtIsolate } from "../../support/built.ts";
import { anotherEngine, pythonEngine, run, runIn } from "./support.ts";

/** Asks for everything a fresh interpreter tells of itself. */
const PROBE = `
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
]
report
`;

/** Changes everything a guest can change. */
const DIRTY = `
import builtins, gc, os, random, signal, sys, threading, time, warnings, json, importlib
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
sys.setrecursionlimit(60)
sys.stdout.close()
sys.stdout = None
`;

Deno.test("reset: after a run that changed everything, a fresh one cannot tell", async () => {
  const first = await run(PROBE);
  assertEquals(first.ending.kind, "json");
  for (
    const before of [
      DIRTY,
      "import os\nos.abort()",
      "while True: pass",
      `${DIRTY}\nwhile True: pass`,
    ]
  ) {
    await run(before, { env: { SECRET: "s" } });
    const again = await run(PROBE);
    assertEquals(again.ending, first.ending);
    assertEquals(again.fuelConsumed, first.fuelConsumed);
  }
});

Deno.test("reset: what is not reset is seen by the next run", async () => {
  const engine = await pythonEngine();
  engine.reset();
  runIn(engine, DIRTY);
  assertEquals(runIn(engine, "evil[0]").ending, { kind: "text", text: "'x'" });
});

Deno.test("reset: memory that grew is given back", async () => {
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

async function machineOnImage(): Promise<Interpreter> {
  const { artifact } = await builtIsolate("python");
  const { image, files } = decodePythonImage(artifact.image);
  return new Interpreter({
    module: await WebAssembly.compile(artifact.module),
    trampoline: await WebAssembly.compile(trampolineBytes()),
    maximumPages: 4096,
    readOnlyFiles: files,
    time: { now: () => 0, monotonic: () => 0 },
    random: (target) => void target.fill(7),
  }, image);
}

function runOn(interpreter: Interpreter, code: string, env: Record<string, string>): void {
  const { machine } = interpreter;
  const request = machine.python.newBytes(encodeRequest(code, new Map(Object.entries(env))));
  machine.startRun({ fuel: 4_000_000_000n, wallMs: 1000, output: () => true });
  try {
    interpreter.callDriver(request);
  } catch (error) {
    assert(error instanceof Error); // a trap, an overflow of V8's stack, or a stop
  }
}

async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
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

Deno.test("reset: memory is the same to the bit, and no canary is left in it or in files", async () => {
  const interpreter = await machineOnImage();
  const { machine } = interpreter;
  const pristine = await digest(machine.memory.bytes);
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
    assertNotEquals(await digest(machine.memory.bytes), pristine);
    assert(interpreter.restore(), "memory grew");
    assertEquals(await digest(machine.memory.bytes), pristine, code);
    assert(!holds(machine.memory.bytes, canary));
    assertEquals(machine.files.exportWorkspace(), []);
    assertEquals(machine.files.entries("/tmp"), []);
    assertEquals(machine.files.descriptors.numbers(), [0, 1, 2]);
  }
});

Deno.test("reset: the same run leaves the same memory, whatever ran before", async () => {
  const interpreter = await machineOnImage();
  const code = "x = [i for i in range(1000)]\nimport re\nre.sub('a', 'b', 'abc')";
  runOn(interpreter, code, {});
  const first = await digest(interpreter.machine.memory.bytes);
  interpreter.restore();
  runOn(interpreter, DIRTY, {});
  interpreter.restore();
  runOn(interpreter, code, {});
  assertEquals(await digest(interpreter.machine.memory.bytes), first);
});
