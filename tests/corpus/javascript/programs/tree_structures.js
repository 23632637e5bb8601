class BST {
  constructor() { this.root = null; this.size = 0; }
  insert(value) {
    const node = { value, left: null, right: null };
    this.size++;
    if (!this.root) { this.root = node; return this; }
    for (let cur = this.root; ; ) { const side = value < cur.value ? "left" : "right"; if (!cur[side]) { cur[side] = node; return this; } cur = cur[side]; }
  }
  *inOrder(n = this.root) { if (n) { yield* this.inOrder(n.left); yield n.value; yield* this.inOrder(n.right); } }
  height(n = this.root) { return n ? 1 + Math.max(this.height(n.left), this.height(n.right)) : 0; }
  levels() { const out = []; let q = this.root ? [this.root] : []; while (q.length) { out.push(q.map((n) => n.value)); q = q.flatMap((n) => [n.left, n.right].filter(Boolean)); } return out; }
  [Symbol.iterator]() { return this.inOrder(); }
}
const t = new BST(); [50, 30, 70, 20, 40, 60, 80, 10].forEach((v) => t.insert(v));
console.log([...t], t.height(), t.levels(), t.size);
console.log(t);
console.log(t.root);
console.dir(t, { depth: null });
class Trie { #root = {}; add(w) { let n = this.#root; for (const c of w) n = n[c] ??= {}; n.$ = true; return this; } *find(prefix) { let n = this.#root; for (const c of prefix) if (!(n = n[c])) return; yield* (function* walk(n, p) { if (n.$) yield p; for (const c of Object.keys(n).sort()) if (c !== "$") yield* walk(n[c], p + c); })(n, prefix); } get json() { return JSON.stringify(this.#root); } }
const trie = ["car", "card", "care", "cat", "dog"].reduce((t, w) => t.add(w), new Trie()); console.log([...trie.find("car")], [...trie.find("x")], trie.json);
const flat = [{ id: 1, parent: null, n: "root" }, { id: 2, parent: 1, n: "a" }, { id: 3, parent: 1, n: "b" }, { id: 4, parent: 2, n: "a1" }, { id: 5, parent: 4, n: "a1x" }];
const build = (parent) => flat.filter((x) => x.parent === parent).map(({ id, n }) => ({ id, n, children: build(id) }));
console.log(build(null)); console.log(JSON.stringify(build(null), null, 1)); const print = (ns, d = 0) => ns.forEach((n) => { console.log("  ".repeat(d) + "- " + n.n); print(n.children, d + 1); }); print(build(null));
class DSU { constructor(n) { this.p = Array.from({ length: n }, (_, i) => i); this.count = n; } find(x) { return this.p[x] === x ? x : (this.p[x] = this.find(this.p[x])); } union(a, b) { const [x, y] = [this.find(a), this.find(b)]; if (x === y) return false; this.p[x] = y; this.count--; return true; } }
const d = new DSU(6); console.log(d.union(0, 1), d.union(1, 2), d.union(0, 2), d.union(3, 4), d.count, d.p, d);
const kruskal = (n, edges) => { const u = new DSU(n); return edges.sort((a, b) => a[2] - b[2]).filter(([a, b]) => u.union(a, b)); }; console.log(kruskal(4, [[0, 1, 4], [1, 2, 8], [0, 2, 1], [2, 3, 3], [1, 3, 9]]));
const merge = (iv) => iv.sort(([a], [b]) => a - b).reduce((o, [s, e]) => { const l = o.at(-1); l && s <= l[1] ? (l[1] = Math.max(l[1], e)) : o.push([s, e]); return o; }, []); console.log(merge([[8, 10], [1, 3], [2, 6], [15, 18], [17, 20]]));
const search = (a, x) => { let lo = 0, hi = a.length - 1; while (lo <= hi) { const m = (lo + hi) >>> 1; if (a[m] === x) return m; if (a[m] < x) lo = m + 1; else hi = m - 1; } return ~lo; }; console.log(search([1, 3, 5, 7, 9], 7), search([1, 3, 5, 7, 9], 4));
