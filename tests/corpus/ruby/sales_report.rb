# Sales of a shop: parsing, grouping, and a report.
require "csv"
require "json"
require "date"

RAW = <<~CSV
  date,region,product,units,price
  2024-01-03,north,apple,10,2.50
  2024-01-17,south,pear,3,19.99
  2024-02-01,north,apple,,2.75
  2024-02-11,"east, far",plum,7,5.00
CSV

Sale = Struct.new(:date, :region, :product, :units, :price, keyword_init: true) do
  def total = units * price
  def month = date.strftime("%b %Y")
end

sales = CSV.parse(RAW, headers: true).map do |row|
  Sale.new(date: Date.iso8601(row["date"]), region: row["region"], product: row["product"],
           units: row["units"].to_i, price: row["price"].to_f)
end

puts "%-12s %8s" % %w[Month Total], "-" * 21
sales.group_by(&:month).each { |month, group| puts format("%-12s %8.2f", month, group.sum(&:total)) }
best = sales.max_by(&:total)
puts "Best: #{best.product} (#{best.region}) #{best.total.round(2)}"
puts sales.each_with_object(Hash.new { |h, k| h[k] = [] }) { |s, all| all[s.product] << s.units }
  .map { |product, units| "#{product.ljust(6)}|#{units.map { |n| "#" * n }.join("|")}" }
puts JSON.pretty_generate(sales.first(2).map { |s| s.to_h.merge(date: s.date.to_s) })
text = CSV.generate(force_quotes: true) do |csv|
  csv << %w[region total]
  sales.group_by(&:region).sort.each { |region, group| csv << [region, group.sum(&:total).floor(1)] }
end
puts text
puts sales.partition { |s| s.units > 5 }.map(&:size).inspect
puts (Date.new(2024, 1, 31) >> 1).to_s, (sales.last.date - sales.first.date).to_i
puts sales.sum { |s| Rational(s.price.to_s) * s.units }.to_f
