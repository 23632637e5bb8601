// Recursive descent expression evaluator with functions and variables
class Lexer {
  static RULES = [["number", /^\d+(\.\d+)?/], ["ident", /^[a-z_]\w*/i], ["op", /^[-+*\/^%(),=]/], ["ws", /^\s+/]];
  constructor(src) { this.src = src; }
  *tokens() {
    let pos = 0;
    outer: while (pos < this.src.length) {
      const rest = this.src.slice(pos);
      for (const [type, re] of Lexer.RULES) {
        const m = re.exec(rest);
        if (m) { if (type !== "ws") yield { type, text: m[0], pos }; pos += m[0].length; continue outer; }
      }
      throw new SyntaxError(`Unexpected character ${JSON.stringify(rest[0])} at ${pos}`);
    }
    yield { type: "end", text: "", pos };
  }
}
class Parser {
  #toks; #i = 0;
  constructor(src) { this.#toks = [...new Lexer(src).tokens()]; }
  get #cur() { return this.#toks[this.#i]; }
  #take(text) { if (this.#cur.text === text) return this.#toks[this.#i++]; }
  #expect(text) { return this.#take(text) ?? (() => { throw new SyntaxError(`Expected '${text}' but got '${this.#cur.text || "end"}'`); })(); }
  parse() { const e = this.#assign(); if (this.#cur.type !== "end") throw new SyntaxError(`Unexpected '${this.#cur.text}'`); return e; }
  #assign() { const l = this.#binary(0); if (this.#take("=")) return { type: "assign", name: l.name, value: this.#assign() }; return l; }
  #binary(level) {
    const ops = [["+", "-"], ["*", "/", "%"]][level];
    if (!ops) return this.#power();
    let l = this.#binary(level + 1);
    for (let op; (op = ops.map((o) => this.#take(o)).find(Boolean)); ) l = { type: "bin", op: op.text, l, r: this.#binary(level + 1) };
    return l;
  }
  #power() { const b = this.#unary(); return this.#take("^") ? { type: "bin", op: "^", l: b, r: this.#power() } : b; }
  #unary() { return this.#take("-") ? { type: "neg", e: this.#unary() } : this.#atom(); }
  #atom() {
    const t = this.#cur;
    if (this.#take("(")) { const e = this.#assign(); this.#expect(")"); return e; }
    this.#i++;
    if (t.type === "number") return { type: "num", value: +t.text };
    if (t.type === "ident") { if (!this.#take("(")) return { type: "var", name: t.text }; const args = []; while (!this.#take(")")) { args.push(this.#assign()); this.#take(","); } return { type: "call", name: t.text, args }; }
    throw new SyntaxError(`Unexpected '${t.text || "end"}'`);
  }
}
const env = { pi: Math.PI, max: Math.max, sqrt: Math.sqrt };
const evaluate = (n) => ({
  num: () => n.value, neg: () => -evaluate(n.e), assign: () => (env[n.name] = evaluate(n.value)),
  var: () => { if (!(n.name in env)) throw new ReferenceError(`${n.name} is not defined`); return env[n.name]; },
  call: () => env[n.name](...n.args.map(evaluate)),
  bin: () => { const [a, b] = [evaluate(n.l), evaluate(n.r)]; return { "+": a + b, "-": a - b, "*": a * b, "/": a / b, "%": a % b, "^": a ** b }[n.op]; },
})[n.type]();
for (const src of ["1 + 2 * 3", "2 ^ 3 ^ 2", "-(4 - 6) * 2.5", "x = 3 * 4", "sqrt(x + 4) + max(1, 2, x)", "10 % 4 - -1", "2 +", "y * 2", "3 $ 4", "(1 + 2"]) {
  try { console.log(src.padEnd(28), "=", evaluate(new Parser(src).parse())); } catch (e) { console.log(src.padEnd(28), "!", e.name, e.message); }
}
console.log(new Parser("a * (b + 1)").parse());
console.dir(new Parser("f(x, -2 ^ y)").parse(), { depth: 0 });
