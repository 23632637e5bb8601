function* naturals(start = 1) { let n = start; while (true) yield n++; }
function* map(it, fn) { for (const x of it) yield fn(x); }
function* filter(it, fn) { for (const x of it) if (fn(x)) yield x; }
function* take(it, n) { if (n <= 0) return; for (const x of it) { yield x; if (--n === 0) return; } }
function* zip(...its) {
  const iters = its.map((i) => i[Symbol.iterator]());
  while (true) {
    const next = iters.map((i) => i.next());
    if (next.some((r) => r.done)) return "exhausted";
    yield next.map((r) => r.value);
  }
}
const squares = take(filter(map(naturals(), (n) => n * n), (n) => n % 2), 5);
console.log([...squares]);
console.log(Array.from(zip("abc", [1, 2, 3, 4], new Set([true, false, null]))));
function* conversation() {
  try {
    const name = yield "name?";
    const age = yield `hello ${name}, age?`;
    return { name, age };
  } finally {
    console.log("cleanup");
  }
}
const c = conversation();
console.log(c.next("ignored"), c.next("Eve"), c.next(33), c.next());
const d = conversation();
d.next();
console.log(d.return("bye"), d.next());
const e = conversation();
e.next();
try { e.throw(new Error("stop")); } catch (err) { console.log("caught", err.message); }
function* tree(node) { if (node) { yield* tree(node.l); yield node.v; yield* tree(node.r); } }
console.log([...tree({ v: 4, l: { v: 2, l: { v: 1 } }, r: { v: 6 } })].join());
function* fib() { let [a, b] = [0, 1]; for (;;) { yield a; [a, b] = [b, a + b]; } }
console.log([...take(fib(), 15)], naturals, c, fib());
console.log(Object.prototype.toString.call(fib()), typeof fib().next, fib.constructor.name);
