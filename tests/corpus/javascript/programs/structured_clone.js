const original = {
  date: new Date(Date.UTC(2020, 0, 1)), re: /a+/gi, map: new Map([["k", { v: 1 }]]), set: new Set([1, [2]]),
  nested: { arr: [1, , 3], u: undefined, n: null, big: 10n }, bytes: new Uint8Array([1, 2, 3]), err: new RangeError("bad"),
};
original.self = original;
const copy = structuredClone(original);
console.log(copy.self === copy, copy.date instanceof Date, copy.map.get("k") !== original.map.get("k"));
console.log(copy.nested, copy.bytes, copy.set, copy.re.flags, copy.date);
console.log(copy.err instanceof RangeError, copy.err.message);
class P { constructor() { this.x = 1; } get y() { return 2; } }
console.log(structuredClone(new P()), structuredClone([new P()])[0] instanceof P);
for (const bad of [() => 1, Symbol("s"), { f() {} }, new WeakMap(), Promise.resolve()]) {
  try { structuredClone(bad); console.log("cloned?"); } catch (e) { console.log(e.name, e.code, "|", e.message, "|", e instanceof DOMException); }
}
const buf = new ArrayBuffer(8);
const moved = structuredClone(buf, { transfer: [buf] });
console.log(buf.byteLength, moved.byteLength);
const viaJson = JSON.parse(JSON.stringify({ d: new Date(0), u: undefined, n: NaN, m: new Map([[1, 2]]), f() {}, a: [undefined, () => 1] }));
console.log(viaJson);
const shallow = { ...original }, deepEq = (a, b) => JSON.stringify(a) === JSON.stringify(b);
console.log(shallow.nested === original.nested, deepEq({ a: 1 }, { a: 1 }));
console.log(structuredClone(Object.assign(Object.create({ inherited: 1 }), { own: 2 })), structuredClone("str"), structuredClone(Object("boxed")));
