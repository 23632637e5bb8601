class PriorityQueue {
  #heap = [];
  #compare;
  constructor(compare = (a, b) => a - b, items = []) { this.#compare = compare; items.forEach((i) => this.push(i)); }
  get size() { return this.#heap.length; }
  peek() { return this.#heap[0]; }
  push(item) {
    const h = this.#heap; let i = h.push(item) - 1;
    while (i > 0) { const p = (i - 1) >> 1; if (this.#compare(h[i], h[p]) >= 0) break; [h[i], h[p]] = [h[p], h[i]]; i = p; }
    return this;
  }
  pop() {
    const h = this.#heap, top = h[0], last = h.pop();
    if (h.length) {
      h[0] = last;
      for (let i = 0; ; ) {
        let m = i; for (const c of [2 * i + 1, 2 * i + 2]) if (c < h.length && this.#compare(h[c], h[m]) < 0) m = c;
        if (m === i) break; [h[i], h[m]] = [h[m], h[i]]; i = m;
      }
    }
    return top;
  }
  *[Symbol.iterator]() { while (this.size) yield this.pop(); }
}
const q = new PriorityQueue((a, b) => a.due - b.due || a.name.localeCompare(b.name));
q.push({ name: "write", due: 3 }).push({ name: "call", due: 1 }).push({ name: "bake", due: 3 }).push({ name: "run", due: 2 });
console.log(q, q.size, q.peek());
console.log([...q].map((t) => `${t.due}:${t.name}`), q.pop(), q.size);
console.log([...new PriorityQueue((a, b) => b - a, [5, 1, 8, 3, 9, 2])]);
function huffman(text) {
  const freq = [...text].reduce((m, c) => m.set(c, (m.get(c) || 0) + 1), new Map());
  let order = 0;
  const pq = new PriorityQueue((a, b) => a.n - b.n || a.order - b.order, [...freq].map(([c, n]) => ({ c, n, order: order++ })));
  while (pq.size > 1) { const l = pq.pop(), r = pq.pop(); pq.push({ l, r, n: l.n + r.n, order: order++ }); }
  const codes = {};
  (function walk(node, code) { if (node.c) codes[node.c] = code || "0"; else { walk(node.l, code + "0"); walk(node.r, code + "1"); } })(pq.pop(), "");
  return codes;
}
const codes = huffman("abracadabra");
console.log(codes, [..."abracadabra"].map((c) => codes[c]).join(""));
