interface Page<T> { items: readonly T[]; next: number | null }
const pages: Page<string>[] = [{ items: ["a", "b"], next: 1 }, { items: ["c"], next: 2 }, { items: ["d", "e", "f"], next: null }];
async function fetchPage(n: number): Promise<Page<string>> { await new Promise((r) => setTimeout(r, 5)); const p = pages[n]; if (!p) throw new RangeError(`no page ${n}`); return p; }
async function* all(): AsyncGenerator<string, number, void> { let n: number | null = 0, count = 0; while (n !== null) { const page: Page<string> = await fetchPage(n); for (const item of page.items) { yield item; count++; } n = page.next; } return count; }
for await (const item of all()) console.log(item);
async function* take<T>(src: AsyncIterable<T>, n: number): AsyncIterable<T> { let i = 0; for await (const x of src) { if (i++ >= n) return; yield x; } }
const toArray = async <T>(src: AsyncIterable<T>): Promise<T[]> => { const out: T[] = []; for await (const x of src) out.push(x); return out; };
console.log(await toArray(take(all(), 4)));
function* range(start: number, end?: number, step: number = 1): Generator<number> { if (end === undefined) [start, end] = [0, start]; for (let i = start; step > 0 ? i < end : i > end; i += step) yield i; }
console.log([...range(3)], [...range(2, 5)], [...range(5, 0, -2)]);
class Range implements Iterable<number> { constructor(private readonly from: number, private readonly to: number) {} *[Symbol.iterator](): Iterator<number> { for (let i = this.from; i <= this.to; i++) yield i; } map<U>(f: (n: number) => U): U[] { return Array.from(this, f); } }
console.log(new Range(1, 4).map((n) => n ** 2), Math.max(...new Range(5, 9)), new Range(1, 2));
const lazy = <T>(it: Iterable<T>) => ({ map: <U>(f: (x: T) => U) => lazy((function* () { for (const x of it) yield f(x); })()), filter: (p: (x: T) => boolean) => lazy((function* () { for (const x of it) if (p(x)) yield x; })()), take: (n: number) => lazy((function* () { let i = 0; for (const x of it) { if (i++ === n) return; yield x; } })()), toArray: () => [...it] });
console.log(lazy(range(0, Infinity)).filter((n) => n % 3 === 0).map((n) => `#${n}`).take(4).toArray());
const coroutine = function* (): Generator<string, string, number> { const a = yield "first?"; const b = yield "second?"; return `${a} + ${b} = ${a + b}`; }; const c = coroutine(); console.log(c.next(), c.next(2), c.next(3), c.next(4));
const merged = async function* <T>(...srcs: AsyncIterable<T>[]) { const its = srcs.map((s) => s[Symbol.asyncIterator]()); const pending = new Map(its.map((it, i) => [i, it.next().then((r) => ({ i, r }))])); while (pending.size) { const { i, r } = await Promise.race(pending.values()); if (r.done) pending.delete(i); else { yield r.value; pending.set(i, its[i]!.next().then((r) => ({ i, r }))); } } }; const ticks = async function* (name: string, ms: number, n: number) { for (let i = 0; i < n; i++) { await new Promise((r) => setTimeout(r, ms)); yield `${name}${i}`; } }; console.log(await toArray(merged(ticks("slow", 40, 2), ticks("fast", 15, 3))));
