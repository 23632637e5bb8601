class Account {
  static #nextId = 1;
  static #registry = new Map();
  static { this.BANK = "First Bank"; }
  #balance = 0;
  #log = [];
  constructor(owner, opening = 0) {
    this.id = Account.#nextId++;
    this.owner = owner;
    if (opening) this.#move(opening, "open");
    Account.#registry.set(this.id, this);
  }
  static find(id) { return Account.#registry.get(id) ?? null; }
  static isAccount(x) { return #balance in x; }
  #move(amount, kind) {
    if (this.#balance + amount < 0) throw new InsufficientFunds(this.#balance, -amount);
    this.#balance += amount;
    this.#log.push({ kind, amount });
    return this;
  }
  deposit(n) { return this.#move(n, "deposit"); }
  withdraw(n) { return this.#move(-n, "withdraw"); }
  get balance() { return this.#balance; }
  *[Symbol.iterator]() { yield* this.#log; }
  toJSON() { return { id: this.id, balance: this.#balance }; }
  [Symbol.toPrimitive](hint) { return hint === "number" ? this.#balance : `Account#${this.id}`; }
}
class InsufficientFunds extends Error {
  constructor(have, want) {
    super(`have ${have}, want ${want}`);
    this.name = "InsufficientFunds";
    this.shortfall = want - have;
  }
}
const a = new Account("Ann", 100).deposit(50).withdraw(30);
console.log(a, a.balance, +a, `${a}`, a + "!");
console.log(JSON.stringify({ a }), [...a], Account.BANK);
console.log(Account.find(1) === a, Account.find(9), Account.isAccount(a), Account.isAccount({}));
try { a.withdraw(1000); } catch (e) { console.log(e.name, e.message, e.shortfall, e instanceof InsufficientFunds, Object.keys(e)); }
try { a.balance = 5; console.log("silently ignored:", a.balance); } catch (e) { console.log(e.message); }
try { Account.prototype.deposit.call({}, 1); } catch (e) { console.log(e.name); }
