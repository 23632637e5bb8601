require "csv"
text = <<~CSV
  name,dept,salary,start
  "Smith, John",Sales,50000,2020-01-15
  Jane Doe,Engineering,85000,2019-03-20
  "Bob ""The Builder"" B",Sales,45000.5,2021-07-01
  ,Engineering,,
CSV
table = CSV.parse(text, headers: true)
puts table.size, table.headers.inspect, table[0]["name"], table["dept"].uniq.inspect, table.by_col[2].inspect
rows = CSV.parse(text, headers: true, header_converters: :symbol, converters: :numeric)
puts rows.first.to_h.keys.inspect, rows.map { |r| r[:salary].to_f }.sum, rows.group_by { |r| r[:dept] }.map { |d, list| "#{d}: #{list.sum { |r| r[:salary] || 0 }}" }
puts CSV.parse_line("a,b,\"c,d\"").inspect, ["x", nil, "y,z", 'q"q', 1].to_csv, "1;2;3".parse_csv(col_sep: ";").inspect
out = CSV.generate do |csv|
  csv << %w[id value]
  csv << [1, "multi\nline"]
  csv << [2, nil]
  csv << ["", " spaced "]
end
puts out
CSV.open("out.csv", "w", write_headers: true, headers: %w[a b]) { |csv| csv << [1, 2]; csv << { "a" => 3, "b" => 4 }.values }
puts File.read("out.csv"), CSV.read("out.csv").inspect, CSV.read("out.csv", headers: true).map(&:to_h).map(&:values).inspect
CSV.foreach("out.csv", headers: true) { |row| puts "#{row["a"]}-#{row.field("b")} #{row.fields.inspect}" }
begin
  CSV.parse("a,\"b\nc")
rescue CSV::MalformedCSVError => e
  puts e.class, e.line_number
end
table << ["New", "Ops", "1", "2024-01-01"]
table.delete(0)
puts table.to_s, table.to_a.length, table.sort_by { |r| r["name"].to_s }.first["dept"], table.map { |row| row.values_at("dept", "salary") }.inspect
puts CSV.parse("a|b\n1|2\n", col_sep: "|", headers: true).first.to_a.inspect, CSV.parse("1,2\n3,4", converters: :integer).flatten.sum, CSV.generate_line([1, "a b", nil]), CSV.parse("x,y\n", skip_blanks: true).size, CSV.parse("\"1\",2.5,2024-01-01", converters: %i[integer float]).inspect, CSV.generate(col_sep: "\t", force_quotes: true) { |c| c << [1, "b"] }
File.delete("out.csv")
