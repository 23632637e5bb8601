# frozen_string_literal: true

module Validation
  def validate!(amount)
    raise ArgumentError, "amount must be positive, got #{amount}" unless amount.is_a?(Numeric) && amount.positive?
  end
end

class InsufficientFunds < StandardError
  attr_reader :needed

  def initialize(needed) = (@needed = needed; super("insufficient funds: need $#{format("%.2f", needed)} more"))
end

class Account
  include Validation
  include Comparable

  attr_reader :balance, :history, :owner

  def initialize(owner, balance: 0.0)
    @owner, @balance, @history = owner, balance, []
  end

  def deposit(amount)
    validate!(amount)
    record(:deposit, amount) { @balance += amount }
  end

  def withdraw(amount)
    validate!(amount)
    raise InsufficientFunds, amount - balance if amount > balance

    record(:withdraw, amount) { @balance -= amount }
  end

  def transfer(to, amount)
    withdraw(amount)
    to.deposit(amount)
  rescue InsufficientFunds => e
    warn "transfer failed: #{e.message}"
    false
  else
    true
  end

  def <=>(other) = balance <=> other.balance
  def to_s = "#{owner}: $#{format("%.2f", balance)}"

  private

  def record(type, amount)
    yield
    @history << { type:, amount:, balance: @balance }.freeze
    self
  end
end

class Savings < Account
  RATE = 0.05

  def add_interest = deposit((balance * RATE).round(2))
end

alice = Savings.new("Alice", balance: 1000.0)
bob = Account.new("Bob")
alice.deposit(250.75).withdraw(100)
puts alice, bob, alice > bob
puts alice.transfer(bob, 500), bob.transfer(alice, 10_000)
alice.add_interest
puts alice, [alice, bob].max.owner, alice.history.size, alice.history.map { |h| h[:type] }.tally.map { |k, v| "#{k}=#{v}" }.join(" ")
[-5, "x", 0].each { |bad| alice.deposit(bad) rescue puts($!.message) }
puts alice.history.last.frozen?, alice.history.sum { |h| h[:amount] }.round(2)
printf("%-10s|%10.2f|\n", alice.owner, alice.balance)
puts "=" * 20, "Name".ljust(10) + "Balance".rjust(10), [alice, bob].sort.map { |a| a.owner.ljust(10) + format("%10.2f", a.balance) }
begin
  "literal" << "x"
rescue FrozenError => e
  puts e.class
end
