class Calc
  def initialize(text) = @tokens = text.scan(/\d+\.?\d*|[-+*\/()^]/)
  def value = expr.tap { raise "trailing #{@tokens.first}" unless @tokens.empty? }

  private

  def expr
    left = term
    left = @tokens.shift == "+" ? left + term : left - term while %w[+ -].include?(@tokens.first)
    left
  end

  def term
    left = factor
    left = @tokens.shift == "*" ? left * factor : left / factor while %w[* /].include?(@tokens.first)
    left
  end

  def factor
    base = atom
    return base unless @tokens.first == "^"
    @tokens.shift
    base**factor
  end

  def atom
    case (t = @tokens.shift)
    when "(" then expr.tap { raise "expected )" unless @tokens.shift == ")" }
    when "-" then -atom
    when nil then raise "unexpected end"
    else t.include?(".") ? t.to_f : t.to_i
    end
  end
end
["1+2*3", "(1+2)*3", "2^3^2", "-4+10/4", "1.5*2", "((2))"].each { |t| puts "#{t} = #{Calc.new(t).value}" }
["(1", "1 2", "1+"].each { |t| begin; Calc.new(t).value; rescue => e; puts e.message; end }
