require "time"
t = Time.utc(2024, 3, 10, 15, 30, 45.5)
puts t, t.iso8601, t.year, t.month, t.wday, t.yday, t.usec, t.to_f, t.to_i, t.strftime("%Y-%m-%d %H:%M:%S.%L %p %j %a %b %e %I %y %%")
puts t + 86_400, t - Time.utc(2024, 3, 10), (t + 0.25).round, t.monday?, Time.at(0).utc, Time.at(1_700_000_000).utc.to_a.first(6).inspect
puts Time.parse("2020-01-01 12:00:00 UTC").httpdate, Time.iso8601("2021-05-06T07:08:09Z").xmlschema, Time.gm(2000, "jan", 1, 20, 15, 1)
puts (Time.now - Time.now).abs < 1, Time.now.utc?, Time.utc(2000) <=> Time.utc(2001), Time.utc(2000, 12, 31).yday
puts Time.new(2024, 1, 1, 0, 0, 0, "+09:00"), Time.new(2024, 1, 1, 0, 0, 0, "+09:00").utc, Time.strptime("2001-12-03", "%Y-%m-%d").day
a = Process.clock_gettime(Process::CLOCK_MONOTONIC)
sleep 0.01
puts Process.clock_gettime(Process::CLOCK_MONOTONIC) - a >= 0.01
