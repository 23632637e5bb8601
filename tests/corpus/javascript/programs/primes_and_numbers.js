function sieve(n) {
  const composite = new Uint8Array(n + 1), primes = [];
  for (let i = 2; i <= n; i++) {
    if (composite[i]) continue;
    primes.push(i);
    for (let j = i * i; j <= n; j += i) composite[j] = 1;
  }
  return primes;
}
const primes = sieve(1000);
console.log(primes.length, primes.slice(0, 20), primes.at(-1));
console.log(primes);
const factorize = (n) => { const f = {}; for (let p = 2; p * p <= n; p++) while (n % p === 0) { f[p] = (f[p] || 0) + 1; n /= p; } if (n > 1) f[n] = 1; return f; };
for (const n of [360, 97, 1001, 2 ** 20]) console.log(n, "=", Object.entries(factorize(n)).map(([p, e]) => (e > 1 ? `${p}^${e}` : p)).join(" × "));
const collatz = (n) => { const s = [n]; while (n !== 1) s.push((n = n % 2 ? 3 * n + 1 : n / 2)); return s; };
console.log(collatz(27).length, Math.max(...collatz(27)), collatz(6));
const toRoman = (n) => [[1000, "M"], [900, "CM"], [500, "D"], [400, "CD"], [100, "C"], [90, "XC"], [50, "L"], [40, "XL"], [10, "X"], [9, "IX"], [5, "V"], [4, "IV"], [1, "I"]].reduce((s, [v, r]) => { while (n >= v) { s += r; n -= v; } return s; }, "");
console.log([1994, 2024, 4, 3999].map(toRoman));
const perfect = Array.from({ length: 500 }, (_, i) => i + 1).filter((n) => n > 1 && Array.from({ length: n >> 1 }, (_, i) => i + 1).filter((d) => n % d === 0).reduce((a, b) => a + b, 0) === n);
console.log(perfect, 0.1 + 0.2, (0.1 + 0.2).toFixed(2), 9007199254740993, 1 / 3, 100 / 3, 1e300 * 10, 5e-7, 123456789.123);
console.log(Number.EPSILON > 0, Number.isInteger(5.0), Math.sign(-3), Math.trunc(-4.7), Math.round(-0.5), Math.cbrt(27), Math.log2(8), Math.clz32(1), Math.fround(5.5), Math.imul(3, 4));
console.log(7 % -3, -7 % 3, 2 ** 10, 5 / 0, -5 / 0, 0 / 0, 1 << 31, 1 >>> 0, -1 >>> 0, ~~3.7, 3.7 | 0, 0.1 * 3, 4.35 * 100, 1.005 * 1000);
console.log(Math.max(), Math.min(), Math.hypot(3, 4), Math.atan2(1, 1), Math.sin(Math.PI), Math.exp(1), Math.log10(1000), Math.sqrt(-1), Math.pow(2, 0.5));
console.log([0.5, 1.5, 2.5, -1.5].map(Math.round), [1.45, 1.55, 8.345].map((x) => x.toFixed(1)), (25).toString(36), (0.5).toString(2), (1e-10).toFixed(3), (123.456).toFixed(0));
