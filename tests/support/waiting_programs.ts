/**
 * Every way to wait, in each language. Each program ends with the time at which its last wait ended.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../../shared/languages.ts";

const JAVASCRIPT_END = "Date.now()";
const JAVASCRIPT = [
  "await new Promise((done) => setTimeout(done, 1_000))",
  "await new Promise((done) => setTimeout(done)); await new Promise((done) => setImmediate(done))",
  "await new Promise((done) => { let n = 0; const t = setInterval(() => { if (++n === 3) { clearInterval(t); done() } }, 40) })",
  "await require('node:timers/promises').setTimeout(250); await require('node:timers/promises').setImmediate()",
  "for await (const n of require('node:timers/promises').setInterval(30, 1)) { break }",
  "await require('node:timers/promises').scheduler.wait(20)",
  "await require('node:util').promisify(setTimeout)(15)",
  "await Promise.race([new Promise(() => {}), new Promise((done) => setTimeout(done, 70))])",
  "const t = setTimeout(() => {}, 500); await new Promise((done) => AbortSignal.timeout(90).addEventListener('abort', done)); clearTimeout(t)",
  "Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 125)",
  "await new Promise((done) => process.nextTick(done)); queueMicrotask(() => {})",
  "await new Promise((done) => setTimeout(() => setTimeout(done, 0.5), 0.25))",
  "setTimeout(() => console.log('late', Date.now(), performance.now()), 60_000 / 7)",
];

const PYTHON_START = "import time, asyncio, threading, select, queue\n";
const PYTHON_END = "time.time()";
const PYTHON = [
  "time.sleep(1)",
  "time.sleep(1 / 3); time.sleep(0); time.sleep(1e-9)",
  "end = time.monotonic() + 0.2\nwhile time.monotonic() <= end: time.sleep(0.05)",
  "await asyncio.sleep(0.5)",
  "await asyncio.sleep(0); await asyncio.gather(*(asyncio.sleep(n / 9) for n in range(4)))",
  "try: await asyncio.wait_for(asyncio.Event().wait(), 0.25)\nexcept TimeoutError: print('late')",
  "try:\n    async with asyncio.timeout(0.25): await asyncio.Future()\nexcept TimeoutError: print('late')",
  "print(len((await asyncio.wait([asyncio.ensure_future(asyncio.sleep(9))], timeout=0.1))[1]))",
  "asyncio.get_event_loop().call_later(0.4, print, 'later'); await asyncio.sleep(0.6)",
  "print(threading.Event().wait(0.3))",
  "c = threading.Condition()\nwith c: print(c.wait(0.3), c.wait_for(lambda: False, 0.2))",
  "l = threading.Lock(); l.acquire(); print(l.acquire(timeout=0.3))",
  "print(threading.Semaphore(0).acquire(timeout=0.3))",
  "try: queue.Queue().get(timeout=0.3)\nexcept queue.Empty: print('empty')",
  "q = queue.Queue(1); q.put(1)\ntry: q.put(2, timeout=0.3)\nexcept queue.Full: print('full')",
  "print(select.select([], [], [], 0.3))",
  "import sched\ns = sched.scheduler()\ns.enter(0.3, 1, print, ('late',)); s.run()",
  "from concurrent.futures import ThreadPoolExecutor, wait\nwith ThreadPoolExecutor() as p: print(len(wait([p.submit(time.sleep, 0.2)], 5).done))",
];

const PERL_START = "use Time::HiRes ();\n";
const PERL_END = "Time::HiRes::time();";
const PERL = [
  "sleep 1;",
  "sleep 0; sleep 3; print time, qq{\\n};",
  "select undef, undef, undef, 0.25;",
  "select undef, undef, undef, 0; select undef, undef, undef, 1e-7;",
  "Time::HiRes::sleep(1 / 3);",
  "Time::HiRes::usleep(1_234); Time::HiRes::usleep(0.2);",
  "Time::HiRes::nanosleep(56_789); Time::HiRes::nanosleep(3);",
  "use POSIX (); POSIX::sleep(2);",
  "eval { local $SIG{ALRM} = sub { die qq{late\\n} }; alarm 2; sleep 9; }; print $@;",
  "eval { local $SIG{ALRM} = sub { die qq{late\\n} }; alarm 1; select undef, undef, undef, 5; }; print $@;",
  "eval { local $SIG{ALRM} = sub { die qq{late\\n} }; Time::HiRes::alarm(0.3); Time::HiRes::sleep(5); }; print $@;",
  "my $t = Time::HiRes::time(); Time::HiRes::sleep(0.05) while Time::HiRes::time() <= $t + 0.2;",
  "my $t = time; select undef, undef, undef, 0.1 until time > $t;",
];

const RUBY_START = "require 'timeout'\n";
const RUBY_END = "Time.now.to_r.to_s";
const RUBY = [
  "sleep 1",
  "sleep 0; sleep 1e-9; sleep Rational(1, 3)",
  "Kernel.sleep 2.5",
  "t = Time.now; sleep 0.05 while Time.now <= t + 0.2",
  "IO.select(nil, nil, nil, 0.3); select(nil, nil, nil, 0)",
  "p Queue.new.pop(timeout: 0.25), Thread::Queue.new.shift(timeout: 0)",
  "p SizedQueue.new(1).tap { _1 << 1 }.push(2, timeout: 0.25)",
  "m = Mutex.new; c = ConditionVariable.new; m.synchronize { c.wait(m, 0.5) }",
  "m = Monitor.new; m.synchronize { m.new_cond.wait(0.5) }",
  "Mutex.new.lock.sleep(0.5)",
  "begin; Timeout.timeout(0.5) { sleep }; rescue Timeout::Error; puts $!.message; end",
  "begin; Timeout.timeout(2) { Timeout.timeout(0.5, ArgumentError) { Queue.new.pop } }; rescue ArgumentError; p $!; end",
  "begin; Timeout.timeout(0.1) { m = Mutex.new.lock; m.sleep }; rescue Timeout::Error; p 1; end",
  "Fiber.new { sleep 0.2 }.resume",
  "e = Enumerator.new { |y| loop { sleep 0.2; y << 1 } }; e.next; e.next",
  "p $stdin.wait_readable(0.2), $stdout.wait_writable(0.2)",
  "Thread.pass; sleep(0.01)",
];

/** The programs of a language. */
export const WAITING_PROGRAMS: { readonly [L in Language]: readonly string[] } = {
  javascript: JAVASCRIPT.map((code) => `${code}\n${JAVASCRIPT_END}`),
  python: PYTHON.map((code) => `${PYTHON_START}${code}\n${PYTHON_END}`),
  perl: PERL.map((code) => `${PERL_START}${code}\n${PERL_END}`),
  ruby: RUBY.map((code) => `${RUBY_START}${code}\n${RUBY_END}`),
};
