const html = (strings, ...values) => strings.raw.reduce((out, s, i) => out + s + (i < values.length ? escape(values[i]) : ""), "");
const escape = (v) => Array.isArray(v) ? v.map(escape).join("") : String(v).replace(/[&<>"']/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" })[c]);
console.log(html`<p title="${'say "hi"'}">${"<script>"} & ${[1, "<2>"]}</p>`);
const sql = (parts, ...params) => ({ text: parts.reduce((t, p, i) => `${t}$${i}${p}`), params });
console.log(sql`SELECT * FROM users WHERE id = ${42} AND name = ${"O'Hara"}`);
const dedent = (s, ...v) => {
  const lines = String.raw({ raw: s }, ...v).split("\n").slice(1, -1);
  const indent = Math.min(...lines.filter((l) => l.trim()).map((l) => l.match(/^ */)[0].length));
  return lines.map((l) => l.slice(indent)).join("\n");
};
console.log(dedent`
    function ${"hello"}() {
      return ${1 + 1};
    }
`);
const t = (s) => s;
const again = () => t`same`;
console.log(again() === again(), t`a${1}b`, t`\unicode`, t`\n`.raw, Object.isFrozen(t`x`));
const i18n = { en: { greet: "Hello {name}, you have {n} {n|message|messages}" } };
const format = (key, vars) => i18n.en[key].replace(/\{(\w+)(?:\|(\w+)\|(\w+))?\}/g, (_, v, one, many) => (one ? (vars[v] === 1 ? one : many) : vars[v]));
console.log(format("greet", { name: "Ana", n: 1 }), "|", format("greet", { name: "Bo", n: 3 }));
const css = (s, ...fns) => (props) => s.reduce((o, p, i) => o + p + (fns[i]?.(props) ?? ""), "");
console.log(css`color: ${(p) => p.color}; width: ${(p) => p.w * 2}px;`({ color: "red", w: 10 }));
console.log(`outer ${`inner ${`deep ${1}`}`}`, `a${"b"}${"c"}d`, `${{ toString: () => "custom" }}`, `${[]}|${[[]]}|${[null, undefined, 1]}`, `\x41\u{42}`.length);
try { console.log(`${Symbol("no")}`); } catch (e) { console.log(e.name, e.message); }
try { console.log(`${Object.create(null)}`); } catch (e) { console.log(e.name, e.message); }
