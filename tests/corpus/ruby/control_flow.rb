i = 0
i += 1 until i == 5
puts i
begin
  i -= 1
end while i > 2
puts i
for a, b in [[1, 2], [3, 4]] do puts a * b end
puts (1..10).each { |x| break x * 100 if x == 4 }
r = [1, 2, 3, 4].each_with_object([]) do |x, acc|
  next if x.odd?
  acc << x
end
puts r.inspect
puts (if false then 1 end).inspect, (x = 5 if true), (true ? 1 : 2), (1 unless false)
case 15
when 1..10 then puts "low"
when 11...20 then puts "mid"
end
case "hello"
when /^h/ then puts "h-word"
end
case when i == 2 then puts "two" end
outer = (1..3).each do |p|
  (1..3).each do |q|
    next if q == 2
    break if q == 3
    puts "#{p}#{q}"
  end
end
puts outer.inspect
puts [3, 1].min.then { _1 + 1 }, loop { break "looped" }, (1..Float::INFINITY).find { |n| n * n > 50 }
puts (begin; Integer("q"); rescue; "bad"; else; "good"; ensure; puts "ens"; end)
def guard(n)
  return "neg" if n < 0
  return "zero", n if n.zero?
  "pos"
end
puts guard(-1), guard(0).inspect, guard(1)
puts (1..3).flat_map { |n| [n] * n }.inspect, 3.downto(1).to_a.inspect, 0.step(1, 0.25).to_a.inspect
catch :found do
  [[1, 2], [3, 4]].each { |row| row.each { |v| throw :found if v == 3; puts v } }
end
puts __LINE__, $0 == __FILE__, [__FILE__.end_with?(".rb")].first
BEGIN { puts "begin block" }
redo_count = 0
[1].each { |v| redo_count += 1; redo if redo_count < 3 }
puts redo_count, (i if i), (not nil), ([1, 2, 3] in [Integer, *])
puts((1..10) === 5, Integer === 3, /a/ === "cat", :a === :a, ->(v) { v > 1 } === 2)
