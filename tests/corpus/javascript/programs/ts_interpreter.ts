// A small Lisp in TypeScript.
type Atom = number | string | boolean | null;
type Expr = Atom | Sym | Expr[];
type Value = Expr | Builtin | Lambda | Value[];
type Builtin = (...args: Value[]) => Value;
class Sym { private static table = new Map<string, Sym>(); private constructor(readonly name: string) {} static for(name: string): Sym { let s = Sym.table.get(name); if (!s) Sym.table.set(name, (s = new Sym(name))); return s; } toString() { return this.name; } }
class Env { private vars = new Map<Sym, Value>(); constructor(private parent?: Env) {} define(s: Sym, v: Value): Value { this.vars.set(s, v); return v; } lookup(s: Sym): Value { if (this.vars.has(s)) return this.vars.get(s)!; if (!this.parent) throw new ReferenceError(`unbound: ${s}`); return this.parent.lookup(s); } }
class Lambda { constructor(readonly params: Sym[], readonly body: Expr, readonly env: Env) {} }
function read(src: string): Expr[] {
  const tokens = src.match(/\(|\)|"(?:[^"\\]|\\.)*"|[^\s()]+/g) ?? [];
  let i = 0;
  const expr = (): Expr => {
    const t = tokens[i++];
    if (t === undefined) throw new SyntaxError("unexpected end");
    if (t === "(") { const list: Expr[] = []; while (tokens[i] !== ")") list.push(expr()); i++; return list; }
    if (t === ")") throw new SyntaxError("unexpected )");
    if (t[0] === '"') return JSON.parse(t) as string;
    if (t === "#t" || t === "#f") return t === "#t";
    return Number.isNaN(Number(t)) ? Sym.for(t) : Number(t);
  };
  const out: Expr[] = []; while (i < tokens.length) out.push(expr()); return out;
}
function evaluate(x: Expr, env: Env): Value {
  for (;;) {
    if (x instanceof Sym) return env.lookup(x);
    if (!Array.isArray(x)) return x;
    const [head, ...rest] = x;
    if (head instanceof Sym) {
      if (head.name === "if") { x = evaluate(rest[0]!, env) !== false ? rest[1]! : rest[2] ?? null; continue; }
      if (head.name === "define") return env.define(rest[0] as Sym, evaluate(rest[1]!, env));
      if (head.name === "lambda") return new Lambda(rest[0] as Sym[], rest[1]!, env);
      if (head.name === "quote") return rest[0]!;
    }
    const f = evaluate(head!, env), args = rest.map((a) => evaluate(a, env));
    if (typeof f === "function") return f(...args);
    if (!(f instanceof Lambda)) throw new TypeError(`not a procedure: ${show(f)}`);
    const scope = new Env(f.env); f.params.forEach((p, i) => scope.define(p, args[i] ?? null)); x = f.body; env = scope;
  }
}
const show = (v: Value): string => Array.isArray(v) ? `(${v.map(show).join(" ")})` : v instanceof Lambda ? `#<lambda/${v.params.length}>` : typeof v === "function" ? "#<builtin>" : typeof v === "string" ? JSON.stringify(v) : v === true ? "#t" : v === false ? "#f" : String(v);
const num = (f: (a: number, b: number) => number): Builtin => (...a) => (a as number[]).reduce(f);
const global = new Env(); for (const [k, f] of Object.entries({ "+": num((a, b) => a + b), "-": num((a, b) => a - b), "*": num((a, b) => a * b), "<": (a, b) => (a as number) < (b as number), "=": (a, b) => a === b, list: (...a) => a, car: (l) => (l as Value[])[0] ?? null, cdr: (l) => (l as Value[]).slice(1), cons: (a, b) => [a, ...(b as Value[])], "null?": (l) => (l as Value[]).length === 0 } satisfies Record<string, Builtin>)) global.define(Sym.for(k), f);
const program = `(define fact (lambda (n) (if (< n 2) 1 (* n (fact (- n 1)))))) (fact 10) (define map (lambda (f l) (if (null? l) (quote ()) (cons (f (car l)) (map f (cdr l)))))) (map (lambda (x) (* x x)) (list 1 2 3 4)) (define loop (lambda (n acc) (if (= n 0) acc (loop (- n 1) (+ acc n))))) (loop 5000 0) (quote (a "b" #t)) map + (undefined-fn 1) ("notfn" 1) (car (list))`;
for (const e of read(program)) { try { const v = evaluate(e, global); if (!(v instanceof Lambda) || !Array.isArray(e)) console.log(show(v)); } catch (err) { console.log("error:", (err as Error).name, (err as Error).message); } }
try { read("(1 2"); } catch (e) { console.log(String(e)); }
