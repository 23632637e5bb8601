const hanoi = (n, a = "A", b = "B", c = "C") => (n ? [...hanoi(n - 1, a, c, b), `${a}->${c}`, ...hanoi(n - 1, b, a, c)] : []);
console.log(hanoi(3).join(" "), hanoi(10).length);
const permutations = (xs) => (xs.length ? xs.flatMap((x, i) => permutations([...xs.slice(0, i), ...xs.slice(i + 1)]).map((p) => [x, ...p])) : [[]]);
console.log(permutations([1, 2, 3]), permutations([..."abcd"]).map((p) => p.join("")).slice(0, 8));
const subsets = (xs) => xs.reduce((acc, x) => acc.concat(acc.map((s) => [...s, x])), [[]]);
console.log(subsets(["a", "b", "c"]), subsets([1, 2, 3, 4, 5]).length);
const combos = (xs, k) => (k === 0 ? [[]] : xs.flatMap((x, i) => combos(xs.slice(i + 1), k - 1).map((c) => [x, ...c])));
console.log(combos([1, 2, 3, 4], 2));
const flatten = (x) => (Array.isArray(x) ? x.flatMap(flatten) : [x]);
console.log(flatten([1, [2, [3, [[4], 5]]], []]));
function nQueens(n, row = 0, cols = [], out = []) {
  if (row === n) { out.push([...cols]); return out; }
  for (let c = 0; c < n; c++) if (cols.every((cc, r) => cc !== c && Math.abs(cc - c) !== row - r)) nQueens(n, row + 1, [...cols, c], out);
  return out;
}
const q = nQueens(6);
console.log(q.length, nQueens(8).length);
console.log(q[0].map((c) => ".".repeat(c) + "Q" + ".".repeat(5 - c)).join("\n"));
const ackermann = (m, n) => (m === 0 ? n + 1 : n === 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)));
console.log(ackermann(2, 3));
const deep = (n) => (n ? { child: deep(n - 1) } : "leaf");
console.log(deep(5), JSON.stringify(deep(3)));
console.dir(deep(5), { depth: null });
function depth() { try { return 1 + depth(); } catch { return 1; } }
console.log(depth() > 100);
try { (function f() { f(); })(); } catch (e) { console.log(e.name, e.message, e instanceof RangeError); }
const isPalindrome = (s) => s.length < 2 || (s[0] === s.at(-1) && isPalindrome(s.slice(1, -1)));
console.log(["racecar", "abca", ""].map(isPalindrome));
