function parseJson(text) {
  let i = 0;
  const fail = (m) => { const line = text.slice(0, i).split("\n").length; throw Object.assign(new SyntaxError(`${m} at line ${line}, offset ${i}`), { offset: i }); };
  const ws = () => { while (/\s/.test(text[i] ?? "x")) i++; };
  const value = () => {
    ws();
    const c = text[i];
    if (c === "{") return object();
    if (c === "[") return array();
    if (c === '"') return string();
    for (const [word, v] of [["true", true], ["false", false], ["null", null]]) if (text.startsWith(word, i)) { i += word.length; return v; }
    const m = /^-?(0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/.exec(text.slice(i));
    if (!m) fail(c === undefined ? "Unexpected end" : `Unexpected '${c}'`);
    i += m[0].length;
    return Number(m[0]);
  };
  const array = () => { const out = []; i++; ws(); if (text[i] === "]") { i++; return out; } for (;;) { out.push(value()); ws(); if (text[i] === ",") { i++; continue; } if (text[i] === "]") { i++; return out; } fail("Expected , or ]"); } };
  const object = () => { const out = {}; i++; ws(); if (text[i] === "}") { i++; return out; } for (;;) { ws(); if (text[i] !== '"') fail("Expected key"); const k = string(); ws(); if (text[i++] !== ":") { i--; fail("Expected :"); } out[k] = value(); ws(); if (text[i] === ",") { i++; continue; } if (text[i] === "}") { i++; return out; } fail("Expected , or }"); } };
  const string = () => { let s = ""; for (i++; text[i] !== '"'; i++) { if (i >= text.length) fail("Unterminated string"); if (text[i] === "\\") { const e = text[++i]; if (e === "u") { s += String.fromCharCode(parseInt(text.slice(i + 1, i + 5), 16)); i += 4; } else s += { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" }[e] ?? e; } else s += text[i]; } i++; return s; };
  const v = value(); ws(); if (i < text.length) fail("Trailing data");
  return v;
}
const sample = '{"a": [1, -2.5e3, true, null], "b": {"c": "x\\ny \\u00e9", "d": {}}, "e": []}';
console.log(parseJson(sample));
console.log(JSON.stringify(parseJson(sample)) === JSON.stringify(JSON.parse(sample)));
for (const bad of ["[1,,2]", '{"a":}', '"abc', "[1\n2]", "tru", ""]) try { parseJson(bad); } catch (e) { console.log(e.message, e.offset, Object.keys(e)); }
try { parseJson("[}"); } catch (e) { const { message, ...rest } = e; console.log(message, rest, e.toString()); }
