config = {
  server: { host: "localhost", port: 8080, tls: { enabled: true, cert: "a.pem" } },
  users: [{ name: "root", roles: [:admin] }, { name: "guest", roles: [] }],
  version: "2.1.0",
}

case config
in { server: { host: String => host, port: Integer => port }, users: [{ name: first }, *rest] }
  puts "#{host}:#{port} #{first} and #{rest.size} more"
end

def describe(value)
  case value
  in Integer | Float => n if n.negative? then "negative #{n}"
  in 0 then "zero"
  in 1.. then "positive"
  in String => s unless s.empty? then "text of #{s.length}"
  in "" then "empty"
  in [] then "no items"
  in [single] then "one: #{describe(single)}"
  in [first, *, last] then "#{first}..#{last}"
  in { type: :circle, r: } then "circle #{r}"
  in { type: :rect, w:, h: } then "rect #{w}x#{h}"
  in nil then "nothing"
  in Symbol | true | false then "flag"
  end
end

[-3, 0, 7, "hey", "", [], [5], [1, 2, 3], { type: :circle, r: 2 }, { type: :rect, w: 1, h: 2 }, nil, :x].each do |value|
  puts describe(value)
end
begin
  describe(Object)
rescue NoMatchingPatternError => e
  puts e.class
end
begin
  case { a: 1 }
  in { b: } then puts b
  end
rescue NoMatchingPatternKeyError => e
  puts e.key.inspect
end
result = config => { version: }
puts version, result.keys.size
puts((config in { version: /^2\./ }))
puts((5 in String))
in_range = [3, 14, 15].select { |n| n in 10..20 }
puts in_range.inspect
expected = 5
case 5
in ^expected then puts "pinned"
end
case { name: "x", extra: 1 }
in { name: String, **nil } then puts "exact"
in { name: String, **rest } then puts "rest #{rest.keys}"
end
case [1, [2, [3, 4]]]
in [a, [b, [*c]]] then puts a + b + c.sum
end
case [1, "x", :y, 42, nil]
in [*, Symbol => found, *after] then puts found, after.size
end
