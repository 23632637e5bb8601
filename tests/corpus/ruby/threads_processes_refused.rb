require "stringio"
# What a sandbox does not have says so with an exception that programs can rescue.
def attempt(name)
  value = yield
  puts "#{name}: #{value.inspect}"
rescue NotImplementedError, StandardError, LoadError => e
  puts "#{name}: #{e.class}"
end
attempt("mutex") { Mutex.new.synchronize { 1 } }
attempt("queue") { q = Queue.new; q << 1; q.pop }
attempt("queue nonblock") { Queue.new.pop(true) }
attempt("monitor") { require "monitor"; Monitor.new.synchronize { 2 } }
attempt("fiber") { f = Fiber.new { |x| y = Fiber.yield(x + 1); y * 2 }; [f.resume(1), f.resume(5), f.alive?] }
attempt("thread locals") { Thread.current[:a] = 1; Thread.current[:a] }
attempt("thread name") { Thread.current == Thread.main }
attempt("pid") { Process.pid.class }
attempt("trap") { trap("INT") { 1 }.class }
attempt("env") { ENV["NOPE_NOT_SET"] }
attempt("env default") { ENV.fetch("NOPE_NOT_SET", "d") }
attempt("exit status") { begin; exit(3); rescue SystemExit => e; e.status; end }
attempt("abort") { begin; $stderr = StringIO.new; abort("x"); rescue SystemExit => e; e.message; ensure; $stderr = STDERR; end }
attempt("gc") { GC.start; GC.count.class }
attempt("objectspace") { ObjectSpace.count_objects.class }
attempt("weakref") { require "weakref"; WeakRef.new("x".dup).weakref_alive? }
attempt("conditionvar") { ConditionVariable.new.class }
attempt("sized queue") { q = SizedQueue.new(2); q << 1; q.size }
attempt("catch") { catch(:done) { throw :done, 9 } }
attempt("callcc") { require "continuation"; callcc { |k| k.call(4) } }
