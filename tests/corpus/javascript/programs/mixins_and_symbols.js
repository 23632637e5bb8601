const Serializable = (Base) => class extends Base {
  serialize() { return JSON.stringify(this); }
};
const Comparable = (Base) => class Comparable extends Base {
  compareTo(other) { return this.valueOf() - other.valueOf(); }
};
class Point { constructor(x, y) { this.x = x; this.y = y; } }
class Vec extends Serializable(Comparable(Point)) {
  valueOf() { return Math.hypot(this.x, this.y); }
  *[Symbol.iterator]() { yield this.x; yield this.y; }
  static [Symbol.hasInstance](v) { return typeof v === "object" && v !== null && "x" in v; }
  get [Symbol.toStringTag]() { return "Vec"; }
}
const v = new Vec(3, 4), w = new Vec(1, 1);
console.log(v.serialize(), v.compareTo(w) > 0, v > w, [...v], Math.max(...v));
console.log(v, Object.prototype.toString.call(v), `${v}`, { x: 1 } instanceof Vec);
const hidden = Symbol("hidden");
const o = { [hidden]: 1, visible: 2, [Symbol.for("shared")]: 3, [Symbol()]: 4 };
console.log(o, Object.keys(o), Object.getOwnPropertySymbols(o), hidden.description, Symbol.keyFor(Symbol.for("shared")));
console.log(JSON.stringify(o), hidden.toString(), typeof hidden, Symbol.iterator);
const chain = [];
for (let p = Object.getPrototypeOf(v); p; p = Object.getPrototypeOf(p)) chain.push(p.constructor.name || "(anonymous)");
console.log(chain.join(" -> "));
const even = { from: 2, to: 10, [Symbol.iterator]() { let n = this.from - 2; const to = this.to; return { next: () => (n += 2) <= to ? { value: n, done: false } : { value: undefined, done: true }, return() { console.log("closed"); return {}; } }; } };
console.log([...even], Array.from(even, (x) => x * x));
for (const n of even) if (n > 4) break;
const [first, , third] = even;
console.log(first, third);
