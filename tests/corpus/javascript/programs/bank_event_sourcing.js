class Ledger {
  #events = [];
  static reducers = {
    Opened: (s, { owner }) => ({ owner, balance: 0, history: [] }),
    Deposited: (s, { amount, at }) => ({ ...s, balance: s.balance + amount, history: [...s.history, `${at} +${amount}`] }),
    Withdrawn: (s, { amount, at }) => ({ ...s, balance: s.balance - amount, history: [...s.history, `${at} -${amount}`] }),
  };
  append(type, data = {}) {
    if (!(type in Ledger.reducers)) throw new TypeError(`Unknown event ${type}`);
    const event = Object.freeze({ seq: this.#events.length + 1, type, ...data });
    this.#events.push(event);
    return event;
  }
  state(until = Infinity) { return this.#events.filter((e) => e.seq <= until).reduce((s, e) => Ledger.reducers[e.type](s, e), null); }
  get events() { return structuredClone(this.#events); }
}
const cents = (n) => Math.round(n * 100);
const money = (c) => (c / 100).toLocaleString("en-US", { style: "currency", currency: "USD" });
const l = new Ledger();
console.log(l.append("Opened", { owner: "Ann" }));
l.append("Deposited", { amount: cents(100.1), at: "2024-01-01" });
l.append("Deposited", { amount: cents(0.2), at: "2024-01-02" });
l.append("Withdrawn", { amount: cents(25.55), at: "2024-01-03" });
console.log(l.state()); console.log(money(l.state().balance), money(l.state(2).balance), money(-5), money(123456789));
try { l.append("Closed"); } catch (e) { console.log(`${e.name}: ${e.message}`); }
console.log(l.events.at(-1), l); console.table(l.events.slice(1), ["seq", "type", "amount"]);
const interest = (p, rate, years, n = 12) => p * (1 + rate / n) ** (n * years); console.log([1, 5, 10].map((y) => +interest(1000, 0.05, y).toFixed(2)));
function amortize(principal, annual, months) { const r = annual / 12, pay = (principal * r) / (1 - (1 + r) ** -months); let balance = principal; return Array.from({ length: months }, (_, i) => { const int = balance * r; balance -= pay - int; return { month: i + 1, payment: +pay.toFixed(2), interest: +int.toFixed(2), principal: +(pay - int).toFixed(2), balance: Math.abs(+balance.toFixed(2)) }; }); }
console.table(amortize(10000, 0.06, 6));
const split = (total, n) => { const base = Math.floor(total / n); return Array.from({ length: n }, (_, i) => base + (i < total % n ? 1 : 0)); }; console.log(split(1000, 3), split(1000, 3).reduce((a, b) => a + b));
const tax = (income) => [[10000, 0.1], [30000, 0.2], [Infinity, 0.3]].reduce(([t, from], [to, r]) => [t + Math.max(0, Math.min(income, to) - from) * r, to], [0, 0])[0]; console.log([5000, 20000, 50000].map(tax));
