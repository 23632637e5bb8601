class InsufficientFunds < StandardError
  attr_reader :missing

  def initialize(missing)
    @missing = missing
    super("missing #{format("%.2f", missing)}")
  end
end

class Account
  attr_reader :balance

  def initialize(balance = 0)
    @balance = balance
    @log = []
  end

  def deposit(amount)
    raise ArgumentError, "amount must be positive" unless amount.positive?
    @balance += amount
    @log << [:deposit, amount]
    self
  end

  def withdraw(amount)
    raise InsufficientFunds.new(amount - @balance) if amount > @balance
    @balance -= amount
    @log << [:withdraw, amount]
    self
  end

  def each(&block) = @log.each(&block)
  include Enumerable
end

account = Account.new(10)
account.deposit(20.5).withdraw(5)
begin
  account.withdraw(100)
rescue InsufficientFunds => e
  puts "#{e.class}: #{e.message} (#{e.missing})"
end
begin
  account.deposit(-1)
rescue ArgumentError => e
  puts e.message
ensure
  puts account.balance
end
puts account.map { |kind, amount| "#{kind}=#{amount}" }.join(",")
puts account.count
