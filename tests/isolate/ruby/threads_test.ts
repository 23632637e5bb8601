/** Threads, which take turns: each runs until it waits or ends. */
import { assert, assertEquals, assertLess, assertMatch } from "@std/assert";
import { errorOf, run, shortEnding } from "./ruby.ts";

const VALUES: readonly (readonly [code: string, ending: string])[] = [
  ["3.times.map { |i| Thread.new(i) { |n| n * n } }.map(&:value)", "json [0,1,4]"],
  ["Thread.new(1, 2) { |a, b, c: 3| [a, b, c] }.value", "json [1,2,3]"],
  ["Thread.new(1, c: 4) { |a, c: 3| [a, c] }.value", "json [1,4]"],
  ["Thread.new(&:itself).value rescue $!.class.to_s", 'text "ArgumentError"'],
  ["Thread.new", "error ThreadError"],
  ["Class.new(Thread).new { 1 }", "error NotImplementedError"],
  // The sleeps of threads pass at the same time.
  [
    "t = Time.now; 5.times.map { Thread.new { sleep 1 } }.each(&:join); (Time.now - t).round",
    "text 1",
  ],
  ["o = []; [3, 1, 2].map { |n| Thread.new { sleep n; o << n } }.each(&:join); o", "json [1,2,3]"],
  // What waits for others.
  [
    "q = Queue.new; c = Thread.new { o = []; while (x = q.pop) != :end; o << x; end; o }\n" +
    "p = Thread.new { 3.times { q << _1; sleep 0.1 }; q << :end }; [p, c].each(&:join); c.value",
    "json [0,1,2]",
  ],
  [
    "q = SizedQueue.new(1); t = Thread.new { 4.times { q << _1 }; q.close }\n" +
    "o = []; while (x = q.pop); o << x; end; o",
    "json [0,1,2,3]",
  ],
  [
    "m = Mutex.new; n = 0\n" +
    "9.times.map { Thread.new { m.synchronize { v = n; Thread.pass; n = v + 1 } } }.each(&:join); n",
    "text 9",
  ],
  [
    "require 'monitor'; m = Monitor.new; o = []\n" +
    "2.times.map { |i| Thread.new { m.synchronize { o << i; sleep 1; m.synchronize { o << i } } } }" +
    ".each(&:join); o",
    "json [0,0,1,1]",
  ],
  [
    "m = Mutex.new; c = ConditionVariable.new; ok = false\n" +
    "t = Thread.new { m.synchronize { c.wait(m) until ok; :woken } }\n" +
    "Thread.pass; m.synchronize { ok = true; c.signal }; t.value",
    "text :woken",
  ],
  [
    "m = Mutex.new; c = ConditionVariable.new; m.synchronize { Thread.new {}; c.wait(m, 2) }; 1",
    "text 1",
  ],
  [
    "q = Queue.new; Thread.new { sleep 1; q << 5 }; [q.pop(timeout: 0.5), q.pop(timeout: 3)]",
    "json [null,5]",
  ],
  [
    "require 'timeout'; Thread.new { Timeout.timeout(1) { sleep 9 } rescue $!.class.to_s }.value",
    'text "Timeout::Error"',
  ],
  // Waiting in an enumerator of a thread, and a thread in an enumerator.
  [
    "Thread.new { e = Enumerator.new { |y| sleep 1; y << 1; y << 2 }; [e.next, e.next] }.value",
    "json [1,2]",
  ],
  [
    "e = -> { Enumerator.new { |y| sleep 1; y << 1; sleep 1; y << 2 } }\n" +
    "3.times.map { Thread.new { x = e.(); x.next + x.next } }.map(&:value)",
    "json [3,3,3]",
  ],
  ["Enumerator.new { |y| y << Thread.new { sleep 1; 3 }.value }.next", "text 3"],
  // What a thread tells of itself.
  [
    "t = Thread.new { Thread.stop; :woke }; Thread.pass; [t.status, t.stop?, t.wakeup.value, t.status]",
    'json ["sleep",true,"woke",false]',
  ],
  [
    "t = Thread.new { Thread.current[:a] = 1; Thread.current.name = 'w' }.join; [t[:a], t.key?(:b), t.name]",
    'json [1,false,"w"]',
  ],
  [
    "t = Thread.new { raise 'x' }; t.report_on_exception = false; (t.join rescue $!.message) + t.status.inspect",
    'text "xnil"',
  ],
  [
    "t = Thread.new { sleep }; [Thread.list.size, t.alive?, t.kill.alive?, t.value, Thread.list.size]",
    "json [2,true,false,null,1]",
  ],
  [
    "t = Thread.new { sleep rescue $!.message }; Thread.pass; t.raise('hey'); t.value",
    'text "hey"',
  ],
  [
    "t = Thread.new { Thread.exit; 1 }; [t.value, t.join(1) == t, Thread.new { sleep 5 }.join(0.1)]",
    "json [null,true,null]",
  ],
  [
    "t = Thread.new {}; [Thread === t, t.is_a?(Thread), t.class, Thread.current == Thread.main].map(&:to_s)",
    'json ["true","true","Thread","true"]',
  ],
  ["1000.times.map { |i| Thread.new { i } }.sum(&:value)", "text 499500"],
];

Deno.test("ruby threads: what they give, wait for, and tell", async () => {
  for (const [code, ending] of VALUES) {
    assertEquals(shortEnding((await run(code)).ending), ending, code);
  }
});

Deno.test("ruby threads: who spins until another has done something waits for its sleeps", async () => {
  const cases: readonly (readonly [code: string, ending: string])[] = [
    ["t = Thread.new { sleep 3 }; Thread.pass while t.alive?; t.status", "text false"],
    [
      "done = false; t = Thread.new { Thread.pass until done; 5 }; sleep 2; done = true; t.value",
      "text 5",
    ],
    [
      "n = 0; t = Thread.new { loop { n += 1; Thread.pass } }; sleep 1; t.kill; n > 50",
      "text true",
    ],
  ];
  for (const [code, ending] of cases) {
    assertEquals(shortEnding((await run(code)).ending), ending, code);
  }
});

Deno.test("ruby threads: equal runs take equal turns and cost equal fuel", async () => {
  const code =
    "o = []; 4.times.map { |i| Thread.new { 3.times { |n| sleep 0.1 * (i % 2 + 1); o << i } } }" +
    ".each(&:join); o";
  const ran = [await run(code), await run(code), await run(code)];
  assertEquals(
    new Set(ran.map(({ ending }) => shortEnding(ending))),
    new Set(["json [0,2,1,3,0,2,0,2,1,3,1,3]"]),
  );
  assertEquals(new Set(ran.map(({ fuelConsumed }) => fuelConsumed)).size, 1);
});

Deno.test("ruby threads: one that fails says so, and again to who joins it", async () => {
  const ran = await run(
    "t = Thread.new do\n  raise ArgumentError, 'bad'\nend\nsleep 1\nputs 'main'\nt.join",
  );
  assertEquals(ran.stdout, "main\n");
  assertMatch(ran.stderr, /^#<Thread:0x[0-9a-f]+ main\.rb:1 run> terminated with exception /);
  assertMatch(ran.stderr, /\nmain\.rb:2:in 'block in <main>': bad \(ArgumentError\)\n$/);
  const error = errorOf(ran.ending);
  assertEquals([error.name, error.lineNumber, error.traceback], [
    "ArgumentError",
    2,
    ["main.rb:2:in 'block in <main>'"],
  ]);
  assertEquals(errorOf((await run("Thread.new { exit 4 }.join")).ending).message, "exit status 4");
  const aborting = "Thread.abort_on_exception = true\nThread.new { raise 'x' }\nsleep 1\nputs 'no'";
  assertEquals((await run(aborting)).stdout, "");
});

Deno.test("ruby threads: those that are left end with the program, by their ensures", async () => {
  const code = "Thread.new { puts 'never' }\n" +
    "Thread.new { begin; sleep; ensure; puts 'end'; end }.join(0.1)\nThread.new { raise 'x' }\n" +
    "at_exit { puts 'exit' }\n5";
  const ran = await run(code);
  assertEquals([ran.stdout, shortEnding(ran.ending)], ["never\nexit\nend\n", "text 5"]);
  assertEquals((await run("Thread.new { puts 'never' }\nputs 'main'")).stdout, "main\n");
});

Deno.test("ruby threads: a deadlock is told, and limits hold in all of them", async () => {
  for (
    const code of [
      "Thread.new { Queue.new.pop }.join",
      "m = Mutex.new; m.lock; Thread.new { m.lock }.join",
      "Thread.new { Thread.stop }.join",
      "a = Thread.new { b = Thread.new { a.join }; b.join }; a.join",
    ]
  ) {
    const error = errorOf((await run(code)).ending);
    assertEquals(error.name, "fatal", code);
    assertMatch(error.message, /^No live threads left\. Deadlock\?/);
    assert(!error.message.includes("belljar"), error.message);
  }
  const limits = { fuel: 1_000_000_000 };
  assertEquals(
    shortEnding((await run("Thread.new { loop {} }.join", { limits })).ending),
    "limit fuel",
  );
  const ensuring = "Thread.new { begin; sleep; ensure; loop {}; end }.join(1); 5";
  assertEquals(shortEnding((await run(ensuring, { limits })).ending), "limit fuel");
  const sleeping = await run("3.times.map { |i| Thread.new { sleep 20 + i } }.each(&:join)");
  assertEquals(shortEnding(sleeping.ending), "limit wall clock");
  assertLess(sleeping.durationMs, 3_000);
});
