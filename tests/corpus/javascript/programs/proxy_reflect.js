const log = [];
const target = { name: "t", nested: { v: 1 } };
const p = new Proxy(target, {
  get(t, k, r) { log.push(`get ${String(k)}`); return k in t ? Reflect.get(t, k, r) : `no ${String(k)}`; },
  set(t, k, v) { if (k === "age" && !Number.isInteger(v)) throw new TypeError("age must be an integer"); log.push(`set ${k}`); return Reflect.set(t, k, v); },
  has: (t, k) => !k.startsWith("_") && k in t,
  deleteProperty(t, k) { log.push(`delete ${k}`); return delete t[k]; },
  ownKeys: (t) => Reflect.ownKeys(t).filter((k) => k !== "hidden"),
});
p.age = 5; p.hidden = true;
console.log(p.name, p.zip, "_x" in p, "name" in p, Object.keys(p), delete p.name);
try { p.age = "old"; } catch (e) { console.log(e.message); }
console.log(log);
console.log(p);
const negative = (arr) => new Proxy(arr, { get: (t, k, r) => Reflect.get(t, typeof k === "string" && /^-\d+$/.test(k) ? t.length + +k : k, r) });
const n = negative([1, 2, 3]);
console.log(n[-1], n.length, Array.isArray(n), n.map((x) => x + 1), n);
const observable = (obj, cb, path = "") => new Proxy(obj, { get: (t, k) => (typeof t[k] === "object" && t[k] ? observable(t[k], cb, `${path}${String(k)}.`) : t[k]), set: (t, k, v) => { cb(path + k, t[k], v); t[k] = v; return true; } });
const state = observable({ a: { b: { c: 1 } }, list: [] }, (path, old, v) => console.log("changed", path, old, v));
state.a.b.c = 2; state.list.push("x"); state.z = null;
const fnProxy = new Proxy(function add(a, b) { return a + b; }, { apply: (t, th, args) => t(...args) * 10, construct: (t, args) => ({ made: args }) });
console.log(fnProxy(1, 2), new fnProxy(9), typeof fnProxy, fnProxy);
const { proxy, revoke } = Proxy.revocable({}, {}); revoke();
try { proxy.x; } catch (e) { console.log(e.name, e.message); }
console.log(Reflect.ownKeys({ b: 1, a: 2, 1: 3, [Symbol.iterator]: 4 }), Reflect.has({ x: 1 }, "x"), Reflect.getPrototypeOf([]) === Array.prototype, Reflect.apply(Math.max, null, [1, 3]), Reflect.construct(Date, [0]).getTime());
console.log(Reflect.defineProperty({}, "x", { value: 1 }), Reflect.set(Object.freeze({ a: 1 }), "a", 2), Object.getOwnPropertyDescriptor({ get x() { return 1; } }, "x"), Object.getOwnPropertyDescriptors({ y: 2 }));
const enums = new Proxy(Object.freeze({ RED: 1 }), { get(t, k) { if (!(k in t)) throw new ReferenceError(`Unknown enum key ${String(k)}`); return t[k]; }, set() { return false; } });
try { enums.BLUE; } catch (e) { console.log(e.message); }
(() => { "use strict"; try { enums.RED = 2; } catch (e) { console.log(e.name, e.message); } })();
