require "monitor"
m = Mutex.new
puts m.synchronize { 1 + 1 }, m.locked?, m.try_lock, m.locked?, m.unlock.class
begin
  m.synchronize { m.synchronize { 1 } }
rescue ThreadError => e
  puts e.class
end
mon = Monitor.new
puts mon.synchronize { mon.synchronize { "re-entrant" } }
q = Queue.new
q << 1 << 2
puts q.size, q.pop, q.shift, q.empty?
begin
  q.pop(true)
rescue ThreadError => e
  puts e.message
end
puts Thread.current.alive?, Thread.main == Thread.current, Thread.current[:x].inspect
Thread.current[:x] = 5
puts Thread.current[:x]
