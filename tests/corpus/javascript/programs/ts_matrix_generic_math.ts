type Vector<N extends number> = number[] & { length: N };
class Matrix {
  private constructor(readonly rows: number, readonly cols: number, private readonly data: Float64Array) {}
  static from(values: readonly (readonly number[])[]): Matrix { const m = new Matrix(values.length, values[0]?.length ?? 0, new Float64Array(values.length * (values[0]?.length ?? 0))); values.forEach((row, i) => row.forEach((v, j) => { m.data[i * m.cols + j] = v; })); return m; }
  static identity(n: number): Matrix { return Matrix.from(Array.from({ length: n }, (_, i) => Array.from({ length: n }, (_, j) => Number(i === j)))); }
  at(i: number, j: number): number { const v = this.data[i * this.cols + j]; if (v === undefined) throw new RangeError(`(${i}, ${j}) is outside ${this.rows}x${this.cols}`); return v; }
  times(o: Matrix): Matrix { if (this.cols !== o.rows) throw new TypeError(`cannot multiply ${this.rows}x${this.cols} by ${o.rows}x${o.cols}`); return Matrix.from(Array.from({ length: this.rows }, (_, i) => Array.from({ length: o.cols }, (_, j) => Array.from({ length: this.cols }, (_, k) => this.at(i, k) * o.at(k, j)).reduce((a, b) => a + b, 0)))); }
  pow(n: number): Matrix { let r = Matrix.identity(this.rows), b: Matrix = this; for (; n > 0; n >>= 1) { if (n & 1) r = r.times(b); b = b.times(b); } return r; }
  *[Symbol.iterator](): IterableIterator<number[]> { for (let i = 0; i < this.rows; i++) yield [...this.data.subarray(i * this.cols, (i + 1) * this.cols)]; }
  toString(): string { return [...this].map((r) => r.join(" ")).join("\n"); }
}
const m = Matrix.from([[1, 1], [1, 0]]);
console.log(`${m.pow(10)}`, m.pow(50).at(0, 1)); console.log([...m.times(m)]); console.log(m);
for (const f of [() => m.at(5, 5), () => m.times(Matrix.from([[1, 2, 3]]))]) try { f(); } catch (e) { console.log((e as Error).name, (e as Error).message); }
const dot = <N extends number>(a: Vector<N>, b: Vector<N>): number => a.reduce((s, x, i) => s + x * (b[i] ?? 0), 0); console.log(dot([1, 2, 3] as Vector<3>, [4, 5, 6] as Vector<3>));
const zip = <A, B>(a: A[], b: B[]): [A, B][] => a.slice(0, b.length).map((x, i) => [x, b[i]!]); console.log(zip([1, 2, 3], ["a", "b"]));
const groupBy = <T, K extends string>(xs: Iterable<T>, f: (x: T) => K): Record<K, T[]> => { const out = {} as Record<K, T[]>; for (const x of xs) (out[f(x)] ||= []).push(x); return out; }; console.log(groupBy([1, 2, 3, 4], (n) => n % 2 ? "odd" : "even"));
interface Monoid<T> { readonly empty: T; concat(a: T, b: T): T } const fold = <T>(m: Monoid<T>) => (xs: T[]): T => xs.reduce(m.concat, m.empty); const Sum: Monoid<number> = { empty: 0, concat: (a, b) => a + b }, Str: Monoid<string> = { empty: "", concat: (a, b) => a + b }; console.log(fold(Sum)([1, 2, 3]), fold(Str)(["a", "b"]));
class Maybe<T> { private constructor(private readonly v: T | null) {} static of<T>(v: T | null | undefined): Maybe<T> { return new Maybe(v ?? null); } map<U>(f: (v: T) => U | null | undefined): Maybe<U> { return Maybe.of(this.v === null ? null : f(this.v)); } or(d: T): T { return this.v ?? d; } } console.log(Maybe.of({ a: { b: 5 } }).map((x) => x.a).map((x) => x.b).or(0), Maybe.of<number>(undefined).map((x) => x + 1).or(-1), Maybe.of(1));
let x = 5 as number | string; if (typeof x === "number") x = x.toFixed(1); console.log(x, (x as string)!.length, <const>["a"]); const big: bigint = 2n ** 64n; console.log(big, typeof big);
const inventory = new Map<string, { qty: number; price: number }>(Object.entries({ apple: { qty: 2, price: 1.5 }, pear: { qty: 0, price: 3 } })); let total = 0; inventory.forEach(({ qty, price }, name: string) => { total += qty * price; if (!qty) console.log(`${name} out`); }); console.log(total.toFixed(2), inventory);
