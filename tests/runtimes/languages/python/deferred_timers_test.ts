/** `threading.Timer`: its function is called when the time of the run passes its interval. */
import { assertEquals } from "@std/assert";
import { outputOf } from "./support.ts";

const START = "import threading, time\nbegin = time.monotonic()\n" +
  "def tell(text): print(text, round(time.monotonic() - begin))\n";

const CASES: Readonly<Record<string, readonly [code: string, stdout: string]>> = {
  "fires in a sleep that passes its interval": [
    "t = threading.Timer(2, tell, ('timer',))\nt.start()\ntime.sleep(1)\ntell(t.is_alive())\n" +
    "time.sleep(3)\ntell(t.is_alive())",
    "True 1\ntimer 2\nFalse 4\n",
  ],
  "fires at the end of the run, in order": [
    "threading.Timer(5, tell, ('late',)).start()\nthreading.Timer(3, tell, ('soon',)).start()\ntell('end')",
    "end 0\nsoon 3\nlate 5\n",
  ],
  "starts another one": [
    "def again(n):\n    tell(n)\n    if n: threading.Timer(1, again, (n - 1,)).start()\nagain(2)",
    "2 0\n1 1\n0 2\n",
  ],
  "does not fire once it is cancelled": [
    "t = threading.Timer(1, tell, ('no',))\nt.start()\nt.cancel()\ntime.sleep(2)\ntell(t.is_alive())",
    "False 2\n",
  ],
  "of a daemon does not hold the run": [
    "t = threading.Timer(1, tell, ('no',))\nt.daemon = True\nt.start()\ntell('end')",
    "end 0\n",
  ],
  "ends a wait for an event, which also ends by its timeout": [
    "e = threading.Event()\nthreading.Timer(3, e.set).start()\ntell(e.wait(1))\ntell(e.wait())",
    "False 1\nTrue 3\n",
  ],
  "is waited for by join()": [
    "t = threading.Timer(4, tell, ('timer',))\nt.start()\nt.join(1)\ntell('joined')\nt.join()\ntell('joined')",
    "joined 1\ntimer 4\njoined 4\n",
  ],
  "meets an alarm in the same sleep": [
    "import signal\nsignal.signal(signal.SIGALRM, lambda *a: tell('alarm'))\nsignal.alarm(2)\n" +
    "threading.Timer(1, tell, ('timer',)).start()\ntime.sleep(3)\ntell('end')",
    "timer 1\nalarm 2\nend 3\n",
  ],
};

for (const [name, [code, stdout]] of Object.entries(CASES)) {
  Deno.test(`Timer ${name}`, async () => {
    assertEquals(await outputOf(`${START}${code}`), stdout);
  });
}
