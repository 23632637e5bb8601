function brainf(code, input = "") {
  const tape = new Uint8Array(300), jumps = {}, stack = [];
  [...code].forEach((c, i) => { if (c === "[") stack.push(i); else if (c === "]") { const j = stack.pop(); jumps[i] = j; jumps[j] = i; } });
  let p = 0, out = "", n = 0;
  for (let i = 0; i < code.length; i++) switch (code[i]) {
    case ">": p++; break;
    case "<": p--; break;
    case "+": tape[p]++; break;
    case "-": tape[p]--; break;
    case ".": out += String.fromCharCode(tape[p]); break;
    case ",": tape[p] = input.charCodeAt(n++) || 0; break;
    case "[": if (!tape[p]) i = jumps[i]; break;
    case "]": if (tape[p]) i = jumps[i]; break;
  }
  return out;
}
console.log(brainf("++++++++[>++++[>++>+++>+++>+<<<<-]>+>+>->>+[<]<-]>>.>---.+++++++..+++.>>.<-.<.+++.------.--------.>>+.>++.").trimEnd());
class VM {
  static OPS = Object.freeze({
    push: (vm, n) => vm.stack.push(Number(n)), pop: (vm) => vm.stack.pop(), add: (vm) => vm.bin((a, b) => a + b), mul: (vm) => vm.bin((a, b) => a * b), sub: (vm) => vm.bin((a, b) => a - b),
    dup: (vm) => vm.stack.push(vm.stack.at(-1)), jnz: (vm, l) => { if (vm.stack.at(-1)) vm.pc = vm.labels.get(l); }, print: (vm) => vm.out.push(vm.stack.at(-1)),
    store: (vm, k) => { vm.mem[k] = vm.stack.pop(); }, load: (vm, k) => vm.stack.push(vm.mem[k] ?? 0),
  });
  stack = []; out = []; mem = Object.create(null); pc = 0; labels = new Map();
  bin(f) { const b = this.stack.pop(), a = this.stack.pop(); if (a === undefined) throw new Error("stack underflow"); this.stack.push(f(a, b)); }
  run(src) {
    const prog = src.trim().split("\n").map((l) => l.trim().replace(/\s*;.*$/, "")).filter(Boolean);
    prog.forEach((l, i) => l.endsWith(":") && this.labels.set(l.slice(0, -1), i));
    for (let steps = 0; this.pc < prog.length; this.pc++, steps++) {
      if (steps > 1000) throw new Error("step limit");
      const line = prog[this.pc];
      if (line.endsWith(":")) continue;
      const [op, ...args] = line.split(/\s+/);
      if (!Object.hasOwn(VM.OPS, op)) throw new TypeError(`line ${this.pc + 1}: unknown op "${op}"`);
      VM.OPS[op](this, ...args);
    }
    return this;
  }
}
const vm = new VM().run(`
  push 1
  store acc
  push 5
loop:
  dup
  load acc
  mul
  store acc   ; acc *= n
  push 1
  sub
  jnz loop
  load acc
  print
`);
console.log(vm.out, vm.mem, vm.stack);
console.log(vm);
for (const src of ["frobnicate", "add", "l:\npush 1\njnz l"]) try { new VM().run(src); } catch (e) { console.log(String(e)); }
