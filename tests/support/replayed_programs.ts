/**
 * Programs that show randomness, clocks, hashes and timers: put together of pieces, each of which
 * prints what would differ from run to run.
 *
 * @module
 */
import type { BundledLanguage as Language } from "../../shared/languages.ts";
import { seededBelow } from "./random.ts";

/** Pieces of programs, each complete. `N` is replaced by a number of the program. */
const PIECES: { readonly [L in Language]: readonly string[] } = {
  javascript: [
    "console.log(Math.random(), Math.random())",
    "console.log(crypto.randomUUID(), crypto.getRandomValues(new Uint8Array(N)))",
    "console.log(require('crypto').randomBytes(N).toString('hex'), require('crypto').randomInt(1e9))",
    "console.log(Date.now(), new Date().toISOString(), new Date().toString())",
    "console.log(performance.now(), performance.timeOrigin, process.hrtime(), process.hrtime.bigint())",
    "console.log(process.uptime(), require('os').uptime(), process.pid, process.memoryUsage?.().heapUsed)",
    "setTimeout(() => console.log('timer', Date.now(), performance.now()), N)",
    "await new Promise((done) => setTimeout(done, N * 1.5)); console.log(Date.now())",
    "{ const t = setInterval(() => { console.log(Math.random()); clearInterval(t) }, N) }",
    "{ const fs = require('fs'); fs.writeFileSync('fN', 'x'); const s = fs.statSync('fN'); console.log(s.mtimeMs, s.ino, fs.statSync('.').mtimeMs) }",
    "console.log(require('fs').mkdtempSync('/tmp/x').length, require('fs').readdirSync('/tmp'))",
    "console.log(require('crypto').createHash('sha256').update(String(Math.random())).digest('hex'))",
    "console.log(new Set([3, 1, 2].sort(() => Math.random() - 0.5)), new Error('N').stack)",
    "console.time('a'); console.timeEnd('a'); queueMicrotask(() => console.log('micro', Date.now()))",
    "console.log(new Intl.DateTimeFormat('de', { dateStyle: 'full', timeStyle: 'long' }).format())",
    "console.log(new Event('x').timeStamp, new File([], 'a').lastModified)",
  ],
  python: [
    "import random\nprint(random.random(), random.sample(range(100), N % 9), random.gauss(0, 1))",
    "import random\nprint(random.Random().random(), random.SystemRandom().random())",
    "import os, secrets, uuid\nprint(os.urandom(N).hex(), secrets.token_hex(4), uuid.uuid4(), uuid.uuid1())",
    "import time\nprint(time.time(), time.time_ns(), time.monotonic(), time.perf_counter(), time.process_time())",
    "import time\ntime.sleep(N / 7)\nprint(time.time(), time.monotonic_ns(), time.thread_time(), time.ctime())",
    "import datetime\nprint(datetime.datetime.now(), datetime.date.today(), datetime.datetime.now(datetime.UTC))",
    "print(hash('aN'), hash((1, 'x')), {str(i) for i in range(N)}, id(object()) % 4096)",
    "class A: pass\nprint(A(), hash(A()), repr(lambda: 0), {A(): 1})",
    "import asyncio, random\nasync def f(n):\n    await asyncio.sleep(random.random())\n    print(n, asyncio.get_running_loop().time())\nasync def g():\n    await asyncio.gather(*(f(i) for i in range(5)))\nawait g()",
    "import tempfile, os\nwith tempfile.NamedTemporaryFile() as f:\n    print(f.name, os.stat(f.name).st_ino, os.getpid())",
    "import os\nopen('fN', 'w').write('x')\ns = os.stat('fN')\nprint(s.st_mtime_ns, s.st_ino, os.stat('.').st_mtime_ns, os.listdir())",
    "import os, sys\nopen('mN.py', 'w').write('x = 1')\nimport importlib\nprint(importlib.import_module('mN').x, sys.getallocatedblocks())",
    "import threading, time, sched\ns = sched.scheduler()\ns.enter(N, 1, lambda: print('late', time.time()))\ns.run()",
    "import gc, weakref\nclass B: pass\nprint(gc.get_count(), gc.collect(), weakref.ref(B()))",
    "import resource, os\nprint(resource.getrusage(resource.RUSAGE_SELF), os.times(), os.getloadavg() if hasattr(os, 'getloadavg') else 0)",
    "import sqlite3\nprint(sqlite3.connect(':memory:').execute(\"select random(), hex(randomblob(N)), datetime('now')\").fetchall())",
  ],
  perl: [
    'print rand(), " ", int(rand(1000)), "\\n";',
    'srand; print rand(), "\\n"; print srand(), "\\n";',
    'my %hN = map { $_ => 1 } 1 .. N; print join(",", keys %hN), "\\n";',
    'my %g = map { ("k$_" x 3) => $_ } 1 .. 50; print join(",", each %g), " ", scalar(%g), "\\n";',
    'print time, " $^T ", scalar(localtime), " ", scalar(gmtime), "\\n";',
    'use Time::HiRes (); print Time::HiRes::time(), " ", Time::HiRes::clock_gettime(Time::HiRes::CLOCK_MONOTONIC()), "\\n";',
    'use Time::HiRes "sleep"; sleep(N / 4); print Time::HiRes::time(), " ", time, "\\n";',
    'print join(" ", times), " $$\\n";',
    'use File::Temp "tempfile"; my ($fh, $name) = tempfile(DIR => "/tmp"); print "$name\\n";',
    'use List::Util "shuffle"; print join(",", shuffle(1 .. N)), "\\n";',
    'open my $f, ">", "fN" or die; print $f "x"; close $f; print join(",", stat("fN")), " ", -M "fN", " ", (stat("."))[9], "\\n";',
    'my $r = {}; my $s = sub { 1 }; print "$r $s ", \\my @a, "\\n";',
    'open my $u, "<", "/dev/urandom" or die; read $u, my $b, N; print unpack("H*", $b), "\\n";',
    'eval { local $SIG{ALRM} = sub { die "late\\n" }; alarm 2; sleep N + 3; }; print $@, time, "\\n";',
    'use Time::Piece; print localtime->datetime, " ", localtime->epoch, "\\n";',
    'use Benchmark; my $t = timeit(1, sub { my $x = 0; $x += $_ for 1 .. N }); print timestr($t), "\\n";',
  ],
  ruby: [
    "puts rand, rand(1000), [1, 2, 3, 4].shuffle.inspect, [*1..N].sample",
    "require 'securerandom'; puts SecureRandom.hex(4), SecureRandom.uuid, Random.new.rand, Random.new_seed",
    "puts Random.bytes(N).unpack1('H*'), Random.rand(1.0), Random.urandom(3).unpack1('H*')",
    "puts Time.now.to_f, Time.now.inspect, Time.now.nsec, Process.clock_gettime(Process::CLOCK_MONOTONIC)",
    "sleep N / 8.0; puts Time.now.to_r, Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond)",
    "puts Process.clock_gettime(Process::CLOCK_PROCESS_CPUTIME_ID), Process.pid, Process.times.inspect",
    "puts 'aN'.hash, [1, :b].hash, 1.5.hash, nil.hash, { a: 1 }.hash",
    "puts Object.new.object_id, Object.new.inspect, Object.new.hash, Class.new.to_s",
    "require 'set'; puts Set.new((1..N).map(&:to_s)).inspect, GC.count, GC.stat.values.sum",
    "require 'tempfile'; Tempfile.create('x') { |f| puts f.path, File.stat(f.path).ino }",
    "File.write('fN', 'x'); s = File.stat('fN'); puts s.mtime.to_r, s.ino, File.mtime('.').to_r, Dir.children('.').inspect",
    "require 'timeout'; begin; Timeout.timeout(0.5) { sleep N }; rescue Timeout::Error => e; puts e.message, Time.now.to_f; end",
    "require 'benchmark'; puts Benchmark.realtime { 100.times { } }, Benchmark.measure { }.inspect.gsub(/0x\\h+/, '')",
    "puts ObjectSpace.count_objects.inspect, ObjectSpace.each_object(Class).count",
    "require 'date'; puts Date.today, DateTime.now.iso8601(6)",
    "e = [1, 2, 3].each; puts e.next, Fiber.new { Fiber.yield rand; 1 }.resume, 'N'.crypt('ab')",
  ],
};

const MOST_PIECES = 4;
const MOST_NUMBER = 40;

/** Makes programs of a language, the same for the same seed. */
export function replayedPrograms(language: Language, many: number, seed: number): string[] {
  const below = seededBelow(seed);
  const pieces = PIECES[language];
  return Array.from({ length: many }, (_, index) => {
    const chosen = Array.from({ length: 1 + below(MOST_PIECES) }, (_, at) => {
      // each piece comes in turn, so that few programs have all of them
      const piece = pieces[at === 0 ? index % pieces.length : below(pieces.length)] ?? "";
      return piece.replaceAll(/\bN\b|(?<=[a-z])N\b/g, String(1 + below(MOST_NUMBER)));
    });
    return chosen.join("\n");
  });
}
