class InsufficientFunds(Exception):
    def __init__(self, balance, amount):
        super().__init__(f"Cannot withdraw {amount}, balance is {balance}")
        self.balance, self.amount = balance, amount
class Account:
    interest = 0.02
    def __init__(self, owner, balance=0):
        self.owner, self._balance = owner, balance
    @property
    def balance(self): return self._balance
    @balance.setter
    def balance(self, value):
        if value < 0: raise InsufficientFunds(self._balance, self._balance - value)
        self._balance = value
    @classmethod
    def joint(cls, *owners): return cls(" & ".join(owners))
    @staticmethod
    def currency(): return "EUR"
    def __repr__(self): return f"{type(self).__name__}({self.owner!r}, {self.balance})"
a = Account.joint("Ann", "Bob")
a.balance += 100
print(a, Account.currency())
try:
    a.balance -= 250
except InsufficientFunds as e:
    print(e, e.amount)
print(a)
