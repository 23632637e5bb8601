name = "World"
puts <<~EOS
  Hello #{name}
    indented
  #{[1, 2].map { |x| x * 2 }.join(", ")}
EOS
puts <<-'RAW'
    no #{interp} \n here
    RAW
def join(*parts) = parts.map(&:strip).join("|")
puts join(<<~A, <<~B)
  first
A
  second
B
sql = <<~SQL.gsub(/\s+/, " ").strip
  SELECT *
    FROM t
   WHERE a = 1
SQL
puts sql, "con" "cat", %q(single 'q'), %Q(double #{name}), %w[a b #{name}].inspect, %i[a b].inspect, ?a, :"sym bol".inspect
puts "tab\tnew\\", 'raw\t', "\u00e9\x41\101", "a\
b"
