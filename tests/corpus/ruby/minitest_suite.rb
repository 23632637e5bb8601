require "minitest"
require "minitest/spec"
class Calculator
  def add(a, b) = a + b
  def divide(a, b) = b.zero? ? raise(ArgumentError, "zero") : a / b
end
class TestCalculator < Minitest::Test
  def setup = @calc = Calculator.new
  def test_add = assert_equal(5, @calc.add(2, 3))
  def test_divide_by_zero = assert_raises(ArgumentError) { @calc.divide(1, 0) }
  def test_others
    assert_in_delta 0.3, 0.1 + 0.2, 0.0001
    assert_includes [1, 2], 2
    refute_nil @calc
    assert_nil nil
    assert_output("hi\n") { puts "hi" }
    assert_respond_to "", :upcase
    assert_operator 3, :>, 2
  end
  def test_wrong = assert_equal(6, @calc.add(2, 3))
  def test_skipped = skip("later")
end
describe Calculator do
  before { @calc = Calculator.new }
  it "adds" do
    _(@calc.add(1, 1)).must_equal 2
  end
end
counts = Hash.new(0)
[TestCalculator, *Minitest::Spec.subclasses].each do |suite|
  suite.public_instance_methods.grep(/\Atest_/).sort.each do |name|
    result = suite.new(name.to_s).run
    counts[result.result_code] += 1
    puts "#{name}: #{result.result_code} #{result.failures.map { |f| f.message.lines.first.chomp }.join}"
  end
end
puts counts["."], counts["F"], counts["S"]
