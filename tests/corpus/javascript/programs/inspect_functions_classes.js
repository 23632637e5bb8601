function declared() {} const arrow = () => {}; const expr = function () {}; const named = function inner() {};
async function asy() {} function* gen() {} async function* agen() {}
console.log(declared, arrow, expr, named, asy, gen, agen);
console.log(() => {}, function () {}, async () => {}, class {}, class Named {}, (() => class {})());
const o = { method() {}, get getter() { return 1; }, arrow: () => {}, async am() {}, *g() {}, ["comp" + "uted"]() {}, [Symbol("sym")]() {} };
console.log(o);
console.log(Object.values(o));
declared.prop = 1; declared.nested = { a: { b: { c: 1 } } };
console.log(declared, [declared]);
class A { static s = 1; static m() {} #p = 1; x = 1; get y() { return this.#p; } }
class B extends A { constructor() { super(); this.z = [1]; } }
console.log(A, B, new A(), new B(), { A, B }, [A, B]);
console.log(class extends null {}, class extends Object {}, Object.assign(class Tagged {}, { extra: true }));
console.log(Math.max, [].map, console.log, setTimeout, Promise.all, Object, Array, Map, Date);
console.log(declared.bind(null), arrow.bind({}), (class X {}).bind);
console.log(declared.name, arrow.name, expr.name, named.name, o.method.name, Object.getOwnPropertyDescriptor(o, "getter").get.name, new B().constructor.name);
console.log(declared.toString(), arrow.toString(), String(A).slice(0, 20), o.method.toString());
console.log((function () {}).constructor.name, asy.constructor.name, gen.constructor.name, agen.constructor.name);
console.log(declared.length, ((a, b = 1, ...c) => {}).length, o.method.hasOwnProperty("prototype"), typeof class {}, typeof declared.prototype);
Object.defineProperty(arrow, "name", { value: "renamed" }); console.log(arrow, [arrow.name]);
const nullProto = Object.setPrototypeOf(function np() {}, null); console.log(nullProto);
console.log(Object.create(A.prototype), Object.create(B.prototype), Object.create(Array.prototype), Object.create(Function.prototype));
console.log(new (function Legacy() { this.v = 1; })(), new (class { constructor() { this.anon = true; } })());
console.log(Reflect.ownKeys(A), Reflect.ownKeys(class {}), Object.keys(declared));
