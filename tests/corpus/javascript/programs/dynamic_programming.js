function lcs(a, b) {
  const t = Array.from({ length: a.length + 1 }, () => new Array(b.length + 1).fill(0));
  for (let i = 1; i <= a.length; i++) for (let j = 1; j <= b.length; j++) t[i][j] = a[i - 1] === b[j - 1] ? t[i - 1][j - 1] + 1 : Math.max(t[i - 1][j], t[i][j - 1]);
  let s = "";
  for (let i = a.length, j = b.length; i && j; ) if (a[i - 1] === b[j - 1]) { s = a[--i] + s; j--; } else if (t[i - 1][j] >= t[i][j - 1]) i--; else j--;
  return s;
}
console.log(lcs("AGGTAB", "GXTXAYB"), lcs("kitten", "sitting"));
function levenshtein(a, b) {
  let prev = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const cur = [i];
    for (let j = 1; j <= b.length; j++) cur[j] = Math.min(prev[j] + 1, cur[j - 1] + 1, prev[j - 1] + (a[i - 1] !== b[j - 1]));
    prev = cur;
  }
  return prev[b.length];
}
console.log([["kitten", "sitting"], ["flaw", "lawn"], ["", "abc"]].map(([a, b]) => levenshtein(a, b)));
function knapsack(items, cap) {
  const best = Array(cap + 1).fill(0), keep = items.map(() => []);
  items.forEach(({ w, v }, i) => { for (let c = cap; c >= w; c--) if (best[c - w] + v > best[c]) { best[c] = best[c - w] + v; keep[i][c] = true; } });
  const chosen = [];
  for (let i = items.length - 1, c = cap; i >= 0; i--) if (keep[i][c]) { chosen.push(items[i].name); c -= items[i].w; }
  return { value: best[cap], chosen, keep };
}
const k = knapsack([{ name: "map", w: 9, v: 150 }, { name: "compass", w: 13, v: 35 }, { name: "water", w: 15, v: 200 }, { name: "sandwich", w: 5, v: 160 }], 30);
console.log(k.value, k.chosen);
console.log(k.keep[0]);
const coins = (cs, amount) => { const d = [0]; for (let a = 1; a <= amount; a++) d[a] = Math.min(...cs.filter((c) => c <= a).map((c) => d[a - c] + 1)); return d[amount]; };
console.log(coins([1, 5, 10, 25], 63), coins([2], 3), coins([1, 3, 4], 6));
const lis = (xs) => { const d = xs.map(() => 1); xs.forEach((x, i) => { for (let j = 0; j < i; j++) if (xs[j] < x) d[i] = Math.max(d[i], d[j] + 1); }); return Math.max(...d); };
console.log(lis([10, 9, 2, 5, 3, 7, 101, 18]), lis([0, 1, 0, 3, 2, 3]));
const maxSub = (xs) => xs.reduce(([best, cur], x) => { cur = Math.max(x, cur + x); return [Math.max(best, cur), cur]; }, [-Infinity, -Infinity])[0];
console.log(maxSub([-2, 1, -3, 4, -1, 2, 1, -5, 4]));
const paths = (r, c) => { const g = Array(c).fill(1); for (let i = 1; i < r; i++) for (let j = 1; j < c; j++) g[j] += g[j - 1]; return g[c - 1]; };
console.log(paths(3, 7), paths(10, 10), new Array(3), Array(3).fill().map((_, i) => i * i), [, 1, , 2]);
