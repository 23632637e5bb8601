# Threads that wait for each other: queues, locks, conditions, sleeps, ends.
ts = 3.times.map { |i| Thread.new(i) { |n| sleep(0.3 - n * 0.1); puts "t#{n}"; n * 10 } }
puts "main"
p ts.map(&:value)
q = Queue.new
c = Thread.new { out = []; while (x = q.pop) != :done; out << x; end; out }
pr = Thread.new { 3.times { |i| q << i; sleep 0.01 }; q << :done }
[pr, c].each(&:join); p c.value
m = Mutex.new; n = 0
10.times.map { Thread.new { 10.times { m.synchronize { v = n; Thread.pass; n = v + 1 } } } }.each(&:join)
p n
sq = SizedQueue.new(2); got = []
a = Thread.new { 6.times { |i| sq.push(i); got << "p#{i}" }; sq.close }
b = Thread.new { while (x = sq.pop); got << "c#{x}"; end }
[a, b].each(&:join); p got.size, sq.closed?
cv = ConditionVariable.new; ready = false
w = Thread.new { m.synchronize { cv.wait(m) until ready; puts "woken" } }
m.synchronize { ready = true; cv.signal }
w.join
t = Thread.new { raise ArgumentError, "bad" }
t.report_on_exception = false
begin; t.join; rescue => e; p e.class, e.message, e.backtrace.size; end
p t.status, t.alive?, w.status
t = Thread.new { Thread.current[:x] = 1; Thread.stop; :woke }
sleep 0.1
p t.status, t[:x], t.stop?; t.wakeup; p t.value
t = Thread.new { begin; sleep; ensure; puts "cleanup"; end }
sleep 0.05; t.kill; p t.join.equal?(t), t.alive?
p Thread.new { Thread.current.name = "w"; Thread.current.name }.value, Thread.current == Thread.main, Thread.list.size
t = Thread.new { sleep 5 }
p t.join(0.5)
start = Process.clock_gettime(Process::CLOCK_MONOTONIC)
5.times.map { Thread.new { sleep 1 } }.each(&:join)
p (Process.clock_gettime(Process::CLOCK_MONOTONIC) - start).round(1)
r = Thread.new { begin; sleep; rescue => e; "got #{e.message}"; end }
sleep 0.05; r.raise("hey"); p r.value
require "timeout"
p Thread.new { Timeout.timeout(0.2) { sleep 1 } rescue $!.class }.value
e = Thread.new { [1,2].each.next }.value; p e
p Thread.new { Thread.exit; 1 }.value.inspect, (Thread === ts[0]), ts[0].is_a?(Thread), ts[0].class
require "monitor"
mon = Monitor.new; l = []
2.times.map { |i| Thread.new { sleep i * 0.05; mon.synchronize { l << "in#{i}"; sleep 0.1; l << "out#{i}" } } }.each(&:join); p l
