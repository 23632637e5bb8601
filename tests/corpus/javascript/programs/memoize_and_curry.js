const memoize = (fn, key = (...a) => JSON.stringify(a)) => {
  const cache = new Map();
  const wrapped = (...args) => {
    const k = key(...args);
    if (cache.has(k)) { wrapped.hits++; return cache.get(k); }
    const v = fn(...args);
    cache.set(k, v);
    return v;
  };
  wrapped.hits = 0;
  wrapped.cache = cache;
  return wrapped;
};
const fib = memoize((n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)));
console.log(fib(80), fib.hits, fib.cache.size);
const slow = memoize((a, b) => ({ sum: a + b }));
console.log(slow(1, 2) === slow(1, 2), slow);
const curry = (fn) => function curried(...args) { return args.length >= fn.length ? fn.apply(this, args) : (...more) => curried(...args, ...more); };
const volume = curry((l, w, h) => l * w * h);
console.log(volume(2)(3)(4), volume(2, 3)(4), volume.name, volume(1));
const compose = (...fns) => (x) => fns.reduceRight((v, f) => f(v), x);
const pipe = (...fns) => (x) => fns.reduce((v, f) => f(v), x);
const inc = (x) => x + 1, double = (x) => x * 2;
console.log(compose(inc, double)(5), pipe(inc, double)(5), [1, 2, 3].map(pipe(inc, double, String)));
const once = (fn) => { let done = false, r; return (...a) => (done ? r : ((done = true), (r = fn(...a)))); };
const init = once(() => { console.log("initialising"); return 42; });
console.log(init(), init());
function counter() { let n = 0; return { inc: () => ++n, dec: () => --n, get value() { return n; } }; }
const c = counter(); c.inc(); c.inc(); c.dec();
console.log(c.value, c, counter.toString().split("\n").length);
const bound = function () { return [this.x, ...arguments]; }.bind({ x: 9 }, 1);
console.log(bound(2, 3), bound.name, bound.length, (function (a, b = 2, ...r) {}).length, (() => {}).name, new Function("a", "b", "return a*b")(6, 7));
const Y = (f) => ((x) => x(x))((x) => f((y) => x(x)(y)));
console.log(Y((f) => (n) => (n ? n * f(n - 1) : 1))(10));
const debouncedLog = ((t) => (msg) => { clearTimeout(t); t = setTimeout(console.log, 5, msg); })();
["a", "b", "c"].forEach(debouncedLog);
