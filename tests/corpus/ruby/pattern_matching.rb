def describe(value)
  case value
  in Integer => n if n.negative? then "negative #{n}"
  in Integer | Float then "number"
  in [] then "empty"
  in [first] then "one #{first}"
  in [first, *, last] then "from #{first} to #{last}"
  in { type: :circle, radius: } then "circle #{radius}"
  in { type: :rect, size: [w, h] } then "rect #{w * h}"
  in String => s unless s.empty? then "text #{s.size}"
  in nil then "nothing"
  else "unknown"
  end
end
[-5, 3, 2.5, [], [1], [1, 2, 3], { type: :circle, radius: 2 }, { type: :rect, size: [2, 3] }, "hey", nil, ""]
  .each { |value| puts describe(value) }
config = { db: { user: "admin", ports: [1, 2, 3] } }
config => { db: { user:, ports: [*, port] } }
puts user, port
puts((5 in Integer))
begin
  case 7
  in String then 1
  end
rescue NoMatchingPatternError => e
  puts e.class, e.message
end
