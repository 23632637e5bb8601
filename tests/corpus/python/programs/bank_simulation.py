class Bank:
    def __init__(self): self.accounts, self.log = {}, []
    def open(self, n, amt=0): self.accounts[n] = amt; self.log.append(("open", n, amt))
    def transfer(self, a, b, amt):
        if self.accounts[a] < amt: raise ValueError(f"{a} has only {self.accounts[a]}")
        self.accounts[a] -= amt; self.accounts[b] += amt; self.log.append(("xfer", a, b, amt))
b = Bank(); b.open("x", 100); b.open("y"); b.transfer("x", "y", 40)
try: b.transfer("x", "y", 100)
except ValueError as e: print(e)
print(b.accounts, b.log)
