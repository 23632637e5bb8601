interface Account { id: string; balance: number }
class InsufficientFunds extends Error {
  constructor(readonly account: Account, readonly wanted: number) {
    super(`Account ${account.id} has ${account.balance}, wanted ${wanted}`);
    this.name = "InsufficientFunds";
  }
}
function withdraw(account: Account, amount: number): Account {
  if (amount > account.balance) throw new InsufficientFunds(account, amount);
  return { ...account, balance: account.balance - amount };
}
let account: Account = { id: "A-1", balance: 100 };
account = withdraw(account, 30);
console.log(account);
account = withdraw(account, 300);
console.log("not reached");
