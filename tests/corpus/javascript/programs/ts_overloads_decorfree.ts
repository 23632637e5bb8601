function parse(value: string): number;
function parse(value: number): string;
function parse(value: string[], radix?: number): number[];
function parse(value: string | number | string[], radix = 10): number | string | number[] {
  if (Array.isArray(value)) return value.map((v) => parseInt(v, radix));
  return typeof value === "string" ? Number(value) : String(value);
}
console.log(parse("42") + 1, parse(42) + 1, parse(["ff", "10"], 16));
class Emitter<Events extends Record<string, unknown[]>> {
  #handlers: { [E in keyof Events]?: Array<(...args: Events[E]) => void> } = {};
  on<E extends keyof Events>(event: E, handler: (...args: Events[E]) => void): () => void {
    (this.#handlers[event] ??= []).push(handler);
    return () => { this.#handlers[event] = this.#handlers[event]?.filter((h) => h !== handler); };
  }
  emit<E extends keyof Events>(event: E, ...args: Events[E]): number {
    this.#handlers[event]?.forEach((h) => h(...args));
    return this.#handlers[event]?.length ?? 0;
  }
}
const bus = new Emitter<{ login: [user: string, at: number]; logout: [] }>();
const off = bus.on("login", (user, at) => console.log("login", user, at));
bus.on("logout", () => console.log("logout"));
console.log(bus.emit("login", "ann", 5), bus.emit("logout"));
off();
console.log(bus.emit("login", "bob", 6));
interface Node<T> { value: T; next: Node<T> | null }
const list = [3, 2, 1].reduce<Node<number> | null>((next, value) => ({ value, next }), null);
console.log(list);
function* walk<T>(n: Node<T> | null): Generator<T, number, undefined> { let c = 0; for (; n; n = n.next) { yield n.value; c++; } return c; }
console.log([...walk(list)]);
type Fn<A extends unknown[], R> = (...args: A) => R;
function compose<A extends unknown[], B, C>(f: Fn<A, B>, g: Fn<[B], C>): Fn<A, C> { return (...a) => g(f(...a)); }
console.log(compose((a: number, b: number) => a + b, (n) => `sum=${n}`)(2, 3));
const memo = <A extends readonly unknown[], R>(fn: (...a: A) => R) => { const cache: Record<string, R> = Object.create(null); return (...a: A): R => cache[JSON.stringify(a)] ??= fn(...a); };
const sq = memo((n: number): number => { console.log("computing", n); return n * n; }); console.log(sq(4), sq(4));
let counter: { (): number; reset(): void }; { let n = 0; counter = Object.assign(() => ++n, { reset: () => { n = 0; } }); } counter(); counter(); console.log(counter()); counter.reset(); console.log(counter());
async function fetchAll<T>(loaders: ReadonlyArray<() => Promise<T>>): Promise<PromiseSettledResult<T>[]> { return Promise.allSettled(loaders.map((l) => l())); }
fetchAll<number>([async () => 1, () => Promise.reject(new Error("nope"))]).then((r) => console.log(r.map((x) => x.status === "fulfilled" ? x.value : (x.reason as Error).message)));
const obj = { a: 1, get b(): number { return this.a + 1; }, method<T>(this: { a: number }, x: T): [number, T] { return [this.a, x]; } }; console.log(obj.b, obj.method("s"), obj);
label: for (let i: number = 0; i < 3; i++) { for (const j of [1, 2] as number[]) if (i * j > 1) break label; else console.log(i, j); }
