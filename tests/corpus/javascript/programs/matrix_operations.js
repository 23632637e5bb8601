const multiply = (a, b) => a.map((row) => b[0].map((_, j) => row.reduce((s, x, k) => s + x * b[k][j], 0)));
const transpose = (m) => m[0].map((_, j) => m.map((r) => r[j]));
const identity = (n) => Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => +(i === j)));
const minor = (m, i, j) => m.filter((_, r) => r !== i).map((row) => row.filter((_, c) => c !== j));
const det = (m) => (m.length === 1 ? m[0][0] : m[0].reduce((s, x, j) => s + (j % 2 ? -1 : 1) * x * det(minor(m, 0, j)), 0));
const show = (m) => m.map((r) => r.map((x) => String(x).padStart(4)).join(" ")).join("\n");
const A = [[1, 2, 3], [4, 5, 6], [7, 8, 10]], B = [[2, 0, 1], [1, 3, 2], [0, 1, 1]];
console.log(A);
console.log(show(multiply(A, B)));
console.log(transpose(A), det(A), identity(3));
function inverse(m) {
  const n = m.length, a = m.map((r, i) => [...r, ...identity(n)[i]]);
  for (let c = 0; c < n; c++) {
    const p = a.slice(c).reduce((best, r, i) => (Math.abs(r[c]) > Math.abs(a[best][c]) ? i + c : best), c);
    [a[c], a[p]] = [a[p], a[c]];
    if (!a[c][c]) throw new Error("singular matrix");
    a[c] = a[c].map((x) => x / a[c][c], a[c]);
    const pivot = a[c];
    a.forEach((r, i) => { if (i !== c) a[i] = r.map((x, k) => x - r[c] * pivot[k]); });
  }
  return a.map((r) => r.slice(n).map((x) => +x.toFixed(6)));
}
console.log(inverse([[4, 7], [2, 6]]));
try { inverse([[1, 2], [2, 4]]); } catch (e) { console.log(e.message); }
const spiral = (m) => { const o = []; m = m.map((r) => [...r]); while (m.length) { o.push(...m.shift()); m = transpose(m.length ? m : [[]]).reverse(); } return o; };
console.log(spiral([[1, 2, 3], [4, 5, 6], [7, 8, 9]]));
console.log([[0.1 + 0.2, -0, 1e21, 1 / 3], [NaN, Infinity, -Infinity, 5e-324]]);
console.log(Array.from({ length: 5 }, (_, i) => Array.from({ length: 5 }, (_, j) => (i + 1) * (j + 1))));
console.table(A);
console.table([[1, 2], [3]]);
