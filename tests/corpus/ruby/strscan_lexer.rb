require "strscan"
def tokens(text)
  ss = StringScanner.new(text)
  out = []
  until ss.eos?
    if ss.skip(/\s+/) then next
    elsif (t = ss.scan(/\d+(?:\.\d+)?/)) then out << [:num, t]
    elsif (t = ss.scan(/[a-z]\w*/i)) then out << [:id, t]
    elsif (t = ss.scan(/"(?:[^"\\]|\\.)*"/)) then out << [:str, t]
    elsif (t = ss.scan(/==|[-+*\/=()]/)) then out << [:op, t]
    else raise "unexpected #{ss.getch.inspect} at #{ss.pos}"
    end
  end
  out
end
tokens('x = 3.5 * (foo + "a b") == 2').each { |kind, t| puts "#{kind} #{t}" }
begin
  tokens("a ? b")
rescue => e
  puts e.message
end
ss = StringScanner.new("key: value")
puts ss.scan_until(/:/), ss.pre_match, ss.rest, ss.check(/\s*\w+/), ss.pos, ss.peek(3).inspect, ss.matched
