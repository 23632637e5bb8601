const data = { name: "Widget", price: 9.99, tags: ["a", "b"], created: new Date("2024-05-01T12:00:00Z"), secret: "x", n: null, u: undefined, nested: { deep: { deeper: [1, { a: 2 }] } } };
console.log(JSON.stringify(data));
console.log(JSON.stringify(data, null, 2));
console.log(JSON.stringify(data, ["name", "tags"], "\t"));
console.log(JSON.stringify(data, (k, v) => (k === "secret" ? undefined : typeof v === "number" ? Math.round(v) : v), "--"));
const text = JSON.stringify({ at: new Date(0), big: "123n", m: [["k", 1]] });
const revived = JSON.parse(text, function (key, value) {
  if (key === "at") return new Date(value);
  if (typeof value === "string" && /^\d+n$/.test(value)) return BigInt(value.slice(0, -1));
  if (key === "m") return new Map(value);
  return value;
});
console.log(revived);
class Money { constructor(a, c) { this.a = a; this.c = c; } toJSON(key) { return `${this.a} ${this.c} (${key})`; } }
console.log(JSON.stringify({ price: new Money(5, "EUR"), list: [new Money(1, "USD")] }));
console.log(JSON.stringify([NaN, Infinity, -0, undefined, () => 1, Symbol("x"), new Map([[1, 2]]), new Set([1]), Object(1n) instanceof BigInt]));
console.log(JSON.stringify("line\nbreak \u2028 \ud800 \"quoted\" \\ \u0001 é 😀"), JSON.stringify({ "weird key": { "": 0 } }));
console.log(JSON.stringify(undefined), JSON.stringify(() => 1), JSON.stringify(null), JSON.stringify(Object.create(null)), JSON.stringify(new Date(NaN)));
console.log(JSON.parse(' [1, "\\u0041\\n", true, null, {"__proto__": 1}, -1.5e3] '), JSON.parse('{"a":1,"a":2}'));
for (const bad of ["{bad}", "", "[1,]", '{"a":1', "nul", "'single'", '{"a":1}}', "[1 2]", "undefined", '"abc', "01", '{"a" 1}']) {
  try { JSON.parse(bad); } catch (e) { console.log(e.name + ": " + e.message); }
}
try { JSON.stringify({ a: 1n }); } catch (e) { console.log(e.name + ": " + e.message); }
const circ = { name: "c", inner: { list: [] } }; circ.inner.list.push(circ);
try { JSON.stringify(circ); } catch (e) { console.log(e.name + ": " + e.message); }
const self = {}; self.self = self;
try { JSON.stringify(self); } catch (e) { console.log(e.message); }
