const inventory = new Map([["apple", 3], ["pear", 0], ["fig", 12]]);
inventory.set("kiwi", 7).delete("pear");
console.log(inventory, inventory.size, inventory.has("fig"), inventory.get("nope"));
for (const [k, v] of inventory) console.log(k, "=>", v);
console.log([...inventory.keys()], inventory.values(), inventory.entries());
const a = new Set([1, 2, 3, 4]), b = new Set([3, 4, 5]);
console.log(new Set([...a, ...b]), [...a].filter((x) => b.has(x)), [...a].filter((x) => !b.has(x)));
console.log(new Set("mississippi").size, [...new Set([NaN, NaN, 0, -0])], a);
const people = [{ n: "A", t: "x" }, { n: "B", t: "y" }, { n: "C", t: "x" }];
const grouped = people.reduce((m, p) => m.set(p.t, [...(m.get(p.t) ?? []), p.n]), new Map());
console.log(grouped, Object.fromEntries(grouped));
const byObject = new Map([[{ id: 1 }, "object key"], [() => 1, "function key"], [NaN, "nan"], [null, undefined]]);
console.log(byObject, byObject.get(NaN));
console.log(new Map([["nested", new Map([["deep", new Set([1, { a: { b: { c: 1 } } }])]])]]));
const wm = new WeakMap(), ws = new WeakSet(), key = {};
wm.set(key, "secret"); ws.add(key);
console.log(wm.get(key), wm.has({}), ws.has(key), wm, ws);
console.log(new Map(), new Set(), new Map(Object.entries({ a: 1 })), [new Map([[1, { a: [] }]])]);
const it = inventory[Symbol.iterator]();
console.log(it.next(), it, it[Symbol.toStringTag]);
const counts = {};
for (const w of "the cat the dog the end".split(" ")) counts[w] = (counts[w] || 0) + 1;
console.log(counts, Object.entries(counts).sort(([, x], [, y]) => y - x)[0]);
inventory.forEach((v, k, m) => { if (v > 5) m.delete(k); });
console.log(inventory);
try { wm.set("string key", 1); } catch (e) { console.log(e.name, e.message); }
try { new Map(5); } catch (e) { console.log(e.name, e.message); }
