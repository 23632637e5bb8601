require "date"
d = Date.new(2024, 2, 29)
puts d, d + 1, d >> 12, d << 1, d.strftime("%A %d %B %Y"), d.yday, d.cwday, d.cweek, d.leap?, d.saturday?
puts (Date.new(2024, 12, 25) - d).to_i, Date.parse("3rd Feb 2021"), Date.valid_date?(2023, 2, 29), d.next_month, d.prev_year
puts Date.strptime("31/12/1999", "%d/%m/%Y").to_s, (Date.new(2024, 1, 1)..Date.new(2024, 1, 5)).map(&:day).inspect
puts d.step(Date.new(2024, 3, 14), 7).map(&:to_s).inspect, d.ajd.class, d.mjd, d == Date.new(2024, 2, 29), d <=> Date.today
dt = DateTime.new(2020, 1, 2, 3, 4, 5)
puts dt.iso8601, dt.hour, (dt + Rational(1, 2)).to_s, Date.new(2001, -1, -1), d.beginning_of_month rescue puts "no beginning_of_month"
begin
  Date.parse("nonsense")
rescue Date::Error => e
  puts e.class, e.message
end
puts Date::MONTHNAMES[3], Date::ABBR_DAYNAMES.inspect
