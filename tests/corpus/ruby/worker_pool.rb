# Workers on a queue, a cache behind a lock, a ticking thread, logs of several threads.
jobs = Queue.new
results = Queue.new
20.times { |i| jobs << i }
workers = 4.times.map do |w|
  Thread.new do
    until jobs.empty?
      job = jobs.pop(true) rescue nil
      next unless job
      sleep 0.01
      results << [job, job * job]
    end
  end
end
workers.each(&:join)
out = []
out << results.pop until results.empty?
p out.sort.first(3), out.size
cache = {}
lock = Mutex.new
fetch = ->(k) { lock.synchronize { cache[k] ||= (sleep 0.01; k.to_s * 2) } }
p %i[a b a].map { |k| Thread.new { fetch.(k) } }.map(&:value), cache.size
progress = Thread.new { 3.times { |i| print "."; sleep 0.1 }; puts }
progress.join
begin
  Thread.new { Thread.current.report_on_exception = false; Integer("x") }.value
rescue ArgumentError => e
  puts "from thread: #{e.message}"
end
scheduler = Thread.new { loop { sleep 0.05; results << :tick } }
sleep 0.2
scheduler.kill
p results.size.between?(3, 4)
require "logger"
log = Logger.new($stdout, formatter: proc { |s, _, _, m| "#{s} #{m}\n" })
3.times.map { |i| Thread.new { log.info "w#{i}" } }.each(&:join)
th = Thread.new { Thread.current[:result] = 42 }
th.join
p th[:result], th.alive?, Thread.list.size
p (Thread.new { Thread.pass; 7 }.join(0.5)&.value)
