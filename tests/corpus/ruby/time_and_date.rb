require "time"
require "date"
t = Time.utc(2024, 2, 29, 13, 5, 9.5)
puts t, t.iso8601, t.iso8601(3), t.strftime("%Y-%m-%d %H:%M:%S.%L %z %a %A %b %B %j %e %-d %I %p %y %U %u %w %s %% %^a %10Y %-m/%-d %H%M %F %T %D %R %c %x %X %Z %N %3N"), t.yday, t.wday, t.monday?, t.thursday?
puts t + 86_400, t - 3600, (Time.utc(2024, 3, 1) - t).round, t.month, t.usec, t.to_i, t.to_f, t.round, t.hour, t.zone, t.utc_offset
puts Time.at(0).utc, Time.at(1_700_000_000, in: "+09:00"), Time.new(2024, 1, 1, 12, 0, 0, "+02:00").utc, Time.parse("2020-05-06 07:08:09 UTC"), Time.strptime("06/05/2020 UTC", "%d/%m/%Y %Z"), Time.iso8601("2020-01-02T03:04:05Z"), Time.gm(2000).getlocal("-05:00")
d = Date.new(2024, 2, 28)
puts d, d + 2, d >> 12, d << 1, d.next_month, d.prev_day(3), d.leap?, d.cwday, d.cweek, d.yday, d.strftime("%d %b %Y"), (Date.new(2024, 12, 25) - d).to_i, d.saturday?, d.end_of_month rescue puts "no end_of_month"
puts Date.parse("3rd Feb 2001"), Date.strptime("2001-034", "%Y-%j"), Date.valid_date?(2023, 2, 29), Date.iso8601("2021-W05-6"), (d..d + 3).map(&:day).inspect, d.upto(d + 2).map(&:to_s).join(","), d.step(d + 14, 7).map(&:mday).inspect, Date.new(2024, -1, -1), d === DateTime.new(2024, 2, 28, 5), d <=> Date.new(2024), d.jd, d.ajd, d.mjd, Date::MONTHNAMES[2], Date::ABBR_DAYNAMES.inspect, d.to_time.year
begin
  Date.parse("not a date")
rescue Date::Error => e
  puts e.message
end
begin
  Date.new(2023, 2, 30)
rescue ArgumentError => e
  puts e.class, e.message
end
dt = DateTime.new(2020, 1, 2, 3, 4, 5)
puts dt, dt.hour, dt.to_date, dt + Rational(1, 2), dt.strftime("%s %Q"), dt.iso8601, DateTime.parse("2001-02-03T04:05:06+07:00"), dt.new_offset("+05:00")
birthday = Date.new(1990, 6, 15)
today = Date.new(2024, 6, 14)
age = today.year - birthday.year - (today.strftime("%m%d") < birthday.strftime("%m%d") ? 1 : 0)
puts age, [Date.new(2024, 3, 1), Date.new(2023, 3, 1)].min, Date.new(2024, 1, 1).httpdate, t.httpdate, t.rfc2822, t.xmlschema, Time.utc(2024, 1, 31).to_date.next_month
puts (Time.utc(2024, 1, 2) <=> Time.utc(2024, 1, 1)), Time.utc(2024) == Time.new(2024, 1, 1, 1, 0, 0, "+01:00"), Time.utc(2024, 12, 31).yday, t.to_a.inspect, t.min, t.sunday?, t.localtime("+01:00").hour, Time.utc(1999, "dec", 31).inspect, t.subsec, t.dst?
seconds = 98_765
puts "%02d:%02d:%02d" % [seconds / 3600, seconds / 60 % 60, seconds % 60]
