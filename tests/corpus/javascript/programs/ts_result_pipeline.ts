type Result<T, E = Error> = { ok: true; value: T } | { ok: false; error: E };
const Ok = <T>(value: T): Result<T, never> => ({ ok: true, value });
const Err = <E>(error: E): Result<never, E> => ({ ok: false, error });
class Pipeline<I, O> {
  private constructor(private readonly steps: ReadonlyArray<(x: never) => unknown>) {}
  static start<T>(): Pipeline<T, T> { return new Pipeline<T, T>([]); }
  pipe<N>(f: (x: O) => N): Pipeline<I, N> { return new Pipeline<I, N>([...this.steps, f]); }
  run(x: I): Result<O> { try { return Ok(this.steps.reduce((v, f) => f(v as never), x as unknown) as O); } catch (e) { return Err(e as Error); } }
}
const p = Pipeline.start<string>().pipe((s) => s.trim()).pipe(Number).pipe((n) => { if (Number.isNaN(n)) throw new TypeError("NaN!"); return n * 2; });
for (const s of [" 21 ", "x"]) { const r = p.run(s); console.log(r.ok ? r.value : `${r.error.name}: ${r.error.message}`); }
class TypedEmitter<E extends Record<string, unknown[]>> { #h: { [K in keyof E]?: Array<(...a: E[K]) => void> } = {}; on<K extends keyof E>(k: K, f: (...a: E[K]) => void) { (this.#h[k] ??= []).push(f); return this; } emit<K extends keyof E>(k: K, ...a: E[K]) { this.#h[k]?.forEach((f) => f(...a)); } }
new TypedEmitter<{ add: [number, number]; msg: [string] }>().on("add", (a, b) => console.log(a + b)).on("msg", console.log).emit("add", 1, 2);
function memoize<A extends unknown[], R>(fn: (...args: A) => R): (...args: A) => R { const c = new Map<string, R>(); return (...args) => { const k = JSON.stringify(args); if (!c.has(k)) c.set(k, fn(...args)); return c.get(k)!; }; }
const fib: (n: number) => bigint = memoize((n: number): bigint => (n < 2 ? BigInt(n) : fib(n - 1) + fib(n - 2))); console.log(fib(90));
const store = <S extends object, A extends { type: string }>(reducer: (s: S, a: A) => S, init: S) => { let s = init; const subs = new Set<(s: Readonly<S>) => void>(); return { dispatch: (a: A) => { s = reducer(s, a); subs.forEach((f) => f(s)); }, subscribe: (f: (s: Readonly<S>) => void) => (subs.add(f), () => void subs.delete(f)), get state(): Readonly<S> { return s; } }; };
type Action = { type: "inc"; by?: number } | { type: "reset" }; const st = store((s: { n: number }, a: Action) => { switch (a.type) { case "inc": return { n: s.n + (a.by ?? 1) }; case "reset": return { n: 0 }; } }, { n: 0 }); const un = st.subscribe((s) => console.log("state", s)); st.dispatch({ type: "inc" }); st.dispatch({ type: "inc", by: 5 }); un(); st.dispatch({ type: "reset" }); console.log(st.state);
export {};
