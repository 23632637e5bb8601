async function* ticker(n, ms) {
  for (let i = 0; i < n; i++) {
    await new Promise((r) => setTimeout(r, ms));
    yield i;
  }
}
class Queue {
  #items = [];
  #waiting = [];
  push(x) { const w = this.#waiting.shift(); w ? w({ value: x, done: false }) : this.#items.push(x); }
  close() { this.closed = true; this.#waiting.forEach((w) => w({ value: undefined, done: true })); }
  [Symbol.asyncIterator]() { return this; }
  next() {
    if (this.#items.length) return Promise.resolve({ value: this.#items.shift(), done: false });
    if (this.closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((r) => this.#waiting.push(r));
  }
}
async function main() {
  for await (const t of ticker(3, 5)) console.log("tick", t);
  for await (const x of [Promise.resolve("a"), "b"]) console.log(x);
  const q = new Queue();
  q.push(1);
  setTimeout(() => { q.push(2); q.push(3); q.close(); }, 10);
  const seen = [];
  for await (const x of q) seen.push(x);
  console.log(seen, q);
  const gen = ticker(10, 1);
  for await (const t of gen) { if (t === 2) break; }
  console.log(await gen.next(), gen);
  const failing = (async function* () { yield 1; throw new Error("mid-stream"); })();
  try { for await (const v of failing) console.log(v); } catch (e) { console.log(e.message); }
}
main().then(() => console.log("finished"));
