class LRUCache {
  constructor(capacity) { this.capacity = capacity; this.map = new Map(); this.stats = { hits: 0, misses: 0 }; }
  get(key) {
    if (!this.map.has(key)) { this.stats.misses++; return undefined; }
    this.stats.hits++;
    const value = this.map.get(key);
    this.map.delete(key); this.map.set(key, value);
    return value;
  }
  set(key, value) {
    this.map.delete(key);
    this.map.set(key, value);
    if (this.map.size > this.capacity) this.map.delete(this.map.keys().next().value);
  }
}
const cache = new LRUCache(2);
cache.set("a", 1); cache.set("b", { v: 2 });
console.log(cache.get("a"), cache);
cache.set("c", [3]);
console.log(cache.get("b"), [...cache.map.keys()], cache.stats);
class Node { constructor(value) { this.value = value; this.next = null; this.prev = null; } }
class LinkedList {
  head = null; tail = null; length = 0;
  push(v) { const n = new Node(v); if (this.tail) { this.tail.next = n; n.prev = this.tail; } else this.head = n; this.tail = n; this.length++; return this; }
  reverse() { for (let n = this.head; n; n = n.prev) [n.next, n.prev] = [n.prev, n.next]; [this.head, this.tail] = [this.tail, this.head]; return this; }
  *[Symbol.iterator]() { for (let n = this.head; n; n = n.next) yield n.value; }
}
const list = new LinkedList().push(1).push(2).push(3);
console.log([...list], list.reverse().length, [...list].join("<-"));
console.log(list);
class TTL extends Map { #now; constructor(now) { super(); this.#now = now; } set(k, v, ttl = 10) { return super.set(k, { v, until: this.#now() + ttl }); } get(k) { const e = super.get(k); if (!e || e.until < this.#now()) { this.delete(k); return null; } return e.v; } }
let clock = 0;
const ttl = new TTL(() => clock);
ttl.set("x", 1).set("y", 2, 100);
clock = 50;
console.log(ttl.get("x"), ttl.get("y"), ttl, ttl.size);
class Stack extends Array { peek() { return this[this.length - 1]; } }
const s = Stack.from([1, 2]); s.push(3);
console.log(s, s.peek(), s.map((x) => x * 2), s instanceof Array, s.length, Stack.of(7), s.filter(Boolean).constructor.name);
