for (let i = 1; i <= 15; i++) console.log((i % 3 ? "" : "Fizz") + (i % 5 ? "" : "Buzz") || i);
const isPrime = (n) => n > 1 && !/^(..+)\1+$/.test("1".repeat(n));
console.log(Array.from({ length: 30 }, (_, i) => i).filter(isPrime).join(" "));
const reverseWords = (s) => s.split(" ").reverse().join(" ");
console.log(reverseWords("the quick brown fox"), [..."hello"].reverse().join(""));
const vowels = (s) => s.match(/[aeiou]/gi)?.length ?? 0;
console.log(vowels("Programming in JavaScript"), vowels("xyz"));
const anagrams = ["listen", "silent", "enlist", "google", "elgoog"].reduce((m, w) => { const k = [...w].sort().join(""); return { ...m, [k]: [...(m[k] ?? []), w] }; }, {});
console.log(anagrams);
console.log([3, 1, 2].sort().map((x) => x ** 2).filter((x) => x > 1).reduce((a, b) => a + b, 0));
for (const c of [0, 37, 100, -40]) console.log(`${c}°C = ${(c * 9) / 5 + 32}°F`);
const triangle = (n) => Array.from({ length: n }, (_, i) => " ".repeat(n - i - 1) + "*".repeat(2 * i + 1)).join("\n");
console.log(triangle(5));
const pascal = (n) => { const rows = [[1]]; while (rows.length < n) { const p = rows.at(-1); rows.push([1, ...p.slice(1).map((x, i) => x + p[i]), 1]); } return rows; };
console.log(pascal(6));
let i = 0; do { i += 3; } while (i < 10); console.log("i", i);
outer: for (let a = 0; a < 5; a++) { for (let b = 0; b < 5; b++) { if (a * b === 6) { console.log("found", a, b); break outer; } if (b > a) continue outer; } }
switch (typeof null) { case "null": console.log("null"); break; case "object": console.log("object!"); default: console.log("fell through"); }
for (const k in { a: 1, b: 2, __proto__: { c: 3 } }) console.log(k);
for (const k in "ab") console.log(k, typeof k); for (const k in [7, 8]) console.log(k);
var hoisted = typeof later; var later = 1; console.log(hoisted, typeof fn, (function fn() {}).name); function fn() {}
console.log(((a, b = a * 2, ...rest) => [a, b, rest])(1, undefined, 3, 4), (function () { return arguments.length; })(1, 2, 3), void 0, (1, 2, 3), !!"", +true, +"", +" 5 ", -"3", "5" * "2", "5" + 2, [] + {}, [2] * [3], null + 1, undefined + 1, "b" + "a" + +"a" + "a");
console.log(typeof undefined, typeof null, typeof NaN, typeof [], typeof (() => {}), null == undefined, null === undefined, NaN == NaN, [1] == 1, "1" == 1, Object.is(-0, 0), 0.1 + 0.2 === 0.3, isNaN("x"), Number.isNaN("x"));
