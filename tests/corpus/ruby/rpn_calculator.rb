def rpn(text)
  text.split.each_with_object([]) do |token, stack|
    case token
    when /\A-?\d+(\.\d+)?\z/ then stack.push(token.to_f)
    when "+", "-", "*", "/", "**"
      b, a = stack.pop, stack.pop
      raise ArgumentError, "stack underflow" if a.nil?
      stack.push(a.send(token, b))
    else raise ArgumentError, "bad token #{token}"
    end
  end.pop
end
def infix(text)
  prec = { "+" => 1, "-" => 1, "*" => 2, "/" => 2 }
  out, ops = [], []
  text.scan(/\d+|[-+*\/()]/) do |t|
    if t =~ /\d/ then out << t
    elsif t == "(" then ops << t
    elsif t == ")"
      out << ops.pop until ops.last == "("
      ops.pop
    else
      out << ops.pop while ops.any? && prec.fetch(ops.last, 0) >= prec[t]
      ops << t
    end
  end
  (out + ops.reverse).join(" ")
end
puts rpn("3 4 + 2 *"), rpn("5 1 2 + 4 * + 3 -"), infix("3+4*(2-1)"), rpn(infix("3+4*(2-1)"))
["1 +", "1 x"].each { |t| begin; rpn(t); rescue ArgumentError => e; puts e.message; end }
