/** `signal.alarm` and `signal.setitimer`: time limits of a program's own. */
import { assertEquals } from "@std/assert";
import { errorOf, pythonEngine, run, runIn } from "./support.ts";

const HANDLER = `
import signal, time
class Late(Exception): pass
def late(number, frame): raise Late(number)
signal.signal(signal.SIGALRM, late)
`;

/** Program and standard output, at a clock that flows and at one that stands. */
const PROGRAMS: readonly (readonly [program: string, stdout: string])[] = [
  [
    "signal.alarm(1)\ntry:\n    while True: pass\nexcept Late as e: print('late', e)",
    "late 14\n",
  ],
  [
    "signal.setitimer(signal.ITIMER_REAL, 0.2)\ntry:\n    n = 0\n    while True:\n        n += len(str(n))\nexcept Late: print('late')",
    "late\n",
  ],
  [
    "signal.alarm(2)\nbegan = time.monotonic()\ntry: time.sleep(60)\nexcept Late: print(round(time.monotonic() - began, 1))",
    "2.0\n",
  ],
  [
    "signal.alarm(5)\nprint(signal.alarm(0), signal.getitimer(signal.ITIMER_REAL))",
    "5 (0.0, 0.0)\n",
  ],
  ["signal.alarm(1)\nsignal.alarm(0)\ntime.sleep(3)\nprint('slept')", "slept\n"],
  [
    "signal.signal(signal.SIGALRM, lambda *_: print('tick'))\nsignal.setitimer(signal.ITIMER_REAL, 1, 2)\ntime.sleep(6)",
    "tick\ntick\ntick\n",
  ],
  [
    "signal.signal(signal.SIGALRM, lambda *_: print('awake'))\nsignal.alarm(3)\nsignal.pause()\nprint('end')",
    "awake\nend\n",
  ],
  [
    "import asyncio\nsignal.signal(signal.SIGALRM, lambda *_: print('ring'))\nsignal.alarm(1)\nawait asyncio.sleep(2)\nprint('end')",
    "ring\nend\n",
  ],
  [
    "signal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nfor n in range(3_000_000): pass\nprint('ignored')",
    "ignored\n",
  ],
  [
    "for kind in (signal.ITIMER_VIRTUAL, 77):\n    try: signal.setitimer(kind, 1)\n    except OSError as e: print(type(e).__name__, e)",
    "itimer_error [Errno 38] only ITIMER_REAL is available here\nitimer_error [Errno 22] Invalid argument\n",
  ],
];

Deno.test("alarms: interrupt programs that compute, and sleeps", async () => {
  for (const clock of [undefined, 1_700_000_000_000]) {
    for (const [code, stdout] of PROGRAMS) {
      const options = clock === undefined ? {} : { clock };
      const ran = await run(HANDLER + code, { ...options, limits: { fuel: 200e9 } });
      assertEquals(ran.stdout.replaceAll("ItimerError", "itimer_error"), stdout, code);
      assertEquals(ran.ending.kind, "none", code);
    }
  }
});

Deno.test("alarms: at a clock that stands, an alarm comes at the same place each time", async () => {
  const code = `${HANDLER}
signal.setitimer(signal.ITIMER_REAL, 0.05)
n = 0
try:
    while True: n += 1
except Late: pass
print(n, time.time())`;
  const once = () => run(code, { clock: 1_700_000_000_000, limits: { fuel: 200e9 } });
  const [first, second] = [await once(), await once()];
  assertEquals(first.stdout, second.stdout);
  assertEquals(first.fuelConsumed, second.fuelConsumed);
  assertEquals(first.stdout.trim().endsWith(" 1700000000.05"), true, first.stdout);
});

Deno.test("alarms: without a handler the process ends; no alarm outlives its run", async () => {
  const { name, message } = await errorOf("import signal\nsignal.alarm(1)\nwhile True: pass");
  assertEquals([name, message], ["SystemExit", "exit status 142"]);
  const engine = await pythonEngine();
  engine.reset();
  const next = (code: string) => runIn(engine, code, { inContext: true });
  next(`${HANDLER}signal.setitimer(signal.ITIMER_REAL, 0.001, 0.001)`);
  const ran = next("for n in range(2_000_000): pass\ntime.sleep(1)\nsignal.getitimer(0)");
  assertEquals(ran.ending, { kind: "text", text: "(0.0, 0.0)" });
});
