class Editor {
  #text = ""; #undo = []; #redo = [];
  execute(command) { command.do(this); this.#undo.push(command); this.#redo.length = 0; return this; }
  undo() { const c = this.#undo.pop(); if (c) { c.undo(this); this.#redo.push(c); } return this; }
  redo() { const c = this.#redo.pop(); if (c) { c.do(this); this.#undo.push(c); } return this; }
  get text() { return this.#text; } set text(t) { this.#text = t; }
  toString() { return `"${this.#text}" (undo: ${this.#undo.length}, redo: ${this.#redo.length})`; }
}
const insert = (at, s) => ({ name: "insert", do: (e) => (e.text = e.text.slice(0, at) + s + e.text.slice(at)), undo: (e) => (e.text = e.text.slice(0, at) + e.text.slice(at + s.length)) });
const remove = (at, n) => { let cut; return { name: "remove", do(e) { cut = e.text.slice(at, at + n); e.text = e.text.slice(0, at) + e.text.slice(at + n); }, undo(e) { e.text = e.text.slice(0, at) + cut + e.text.slice(at); } }; };
const ed = new Editor();
ed.execute(insert(0, "Hello")).execute(insert(5, " World")).execute(remove(0, 1));
console.log(`${ed}`); ed.undo().undo(); console.log(String(ed)); ed.redo(); console.log(ed + ""); ed.execute(insert(0, ">> ")); console.log(ed.redo().toString(), ed);
class Subject { #o = new Set(); subscribe(f) { this.#o.add(f); return () => this.#o.delete(f); } next(v) { for (const f of this.#o) f(v); } pipe(...ops) { return ops.reduce((s, op) => op(s), this); } }
const map = (f) => (src) => { const out = new Subject(); src.subscribe((v) => out.next(f(v))); return out; }, filter = (p) => (src) => { const out = new Subject(); src.subscribe((v) => p(v) && out.next(v)); return out; }, scan = (f, s) => (src) => { const out = new Subject(); src.subscribe((v) => out.next((s = f(s, v)))); return out; };
const s = new Subject(); const seen = []; const off = s.pipe(filter((x) => x % 2), map((x) => x * 10), scan((a, b) => a + b, 0)).subscribe((v) => seen.push(v)); [1, 2, 3, 4, 5].forEach((x) => s.next(x)); off(); s.next(7); console.log(seen);
const compose = (...mw) => (ctx) => { const run = async (i) => mw[i]?.(ctx, () => run(i + 1)); return run(0); };
const log = []; compose(async (c, next) => { log.push("1 in"); await next(); log.push("1 out"); }, async (c, next) => { log.push("2 in"); c.user = "ann"; await next(); log.push("2 out"); }, (c) => { log.push(`handler ${c.user}`); })({}).then(() => console.log(log));
class Container { #f = new Map(); #s = new Map(); register(n, f, { singleton = true } = {}) { this.#f.set(n, { f, singleton }); return this; } get(n, path = []) { if (path.includes(n)) throw new Error(`Circular dependency: ${[...path, n].join(" -> ")}`); const e = this.#f.get(n); if (!e) throw new Error(`No provider for ${n}`); if (this.#s.has(n)) return this.#s.get(n); const v = e.f((d) => this.get(d, [...path, n])); if (e.singleton) this.#s.set(n, v); return v; } }
const c = new Container().register("cfg", () => ({ url: "db://" })).register("db", (g) => ({ connect: () => `connected ${g("cfg").url}` })).register("x", (g) => g("y")).register("y", (g) => g("x")); console.log(c.get("db").connect(), c.get("db") === c.get("db")); try { c.get("x"); } catch (e) { console.log(e.message); } try { c.get("zz"); } catch (e) { console.log(e.message); }
const Singleton = (() => { let inst; return { get: () => (inst ??= { created: true }) }; })(); console.log(Singleton.get() === Singleton.get()); class Meta { static #i; static get instance() { return (Meta.#i ??= new Meta()); } } console.log(Meta.instance === Meta.instance, Meta.instance);
class QueryBuilder { #p = []; select(...f) { this.#p.push(`SELECT ${f.join(", ") || "*"}`); return this; } from(t) { this.#p.push(`FROM ${t}`); return this; } where(o) { this.#p.push("WHERE " + Object.entries(o).map(([k, v]) => `${k} = ${typeof v === "string" ? `'${v}'` : v}`).join(" AND ")); return this; } build() { return this.#p.join(" "); } } console.log(new QueryBuilder().select("id", "name").from("users").where({ age: 30, city: "Oslo" }).build());
