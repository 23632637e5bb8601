const factorial = (n) => (n <= 1n ? 1n : n * factorial(n - 1n));
console.log(factorial(30n), `${factorial(25n)}`, String(2n ** 100n), typeof 1n);
const powmod = (b, e, m) => { let r = 1n; b %= m; while (e > 0n) { if (e & 1n) r = (r * b) % m; b = (b * b) % m; e >>= 1n; } return r; };
console.log(powmod(2n, 1000n, 1000000007n), 7n / 2n, -7n / 2n, -7n % 3n, 5n ** 0n);
const gcd = (a, b) => (b ? gcd(b, a % b) : a);
console.log(gcd(123456789012345678n, 987654321098765432n), 0xffn, 0b101n, BigInt("0x1fffffffffffff"), BigInt(Number.MAX_SAFE_INTEGER) + 2n);
console.log(1n < 2, 2n == 2, 2n === 2, [3n, 1, 2n, 10n].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)), 1n ? "t" : "f", 0n || "zero");
console.log(BigInt.asUintN(8, 257n), BigInt.asIntN(8, 255n), (255n).toString(16), (123n).toLocaleString(), Number(2n ** 64n), parseInt("12n"));
console.log([1n, { b: 2n }], Object(1n), new BigInt64Array([1n, -1n]), BigInt(true), ~5n, -(-3n), 5n & 3n, 1n << 70n);
for (const f of [() => 1n + 1, () => BigInt(1.5), () => BigInt("abc"), () => Math.max(1n), () => +1n, () => 1n / 0n, () => JSON.stringify(1n), () => BigInt(undefined)]) {
  try { console.log(f()); } catch (e) { console.log(e.name + ": " + e.message); }
}
let [x, y] = [0n, 1n];
for (let i = 0; i < 200; i++) [x, y] = [y, x + y];
console.log("fib(200) =", x, "digits:", x.toString().length);
const isqrt = (n) => { let g = n; while (g * g > n) g = (g + n / g) / 2n; return g; };
console.log(isqrt(10n ** 40n + 12345n), BigInt(1e21), BigInt.asUintN(64, -1n));
