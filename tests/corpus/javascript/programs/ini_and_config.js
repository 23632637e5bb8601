const ini = `
; comment
name = demo
debug=true

[server]
host = localhost
port = 8080
tags[] = a
tags[] = b

[server.tls]
enabled = false
cert = "path with spaces"
`;
function parseIni(text) {
  const root = {};
  let section = root;
  for (const raw of text.split(/\r?\n/)) {
    const line = raw.trim();
    if (!line || /^[;#]/.test(line)) continue;
    const head = line.match(/^\[(?<path>[^\]]+)\]$/);
    if (head) { section = head.groups.path.split(".").reduce((o, k) => (o[k] ??= {}), root); continue; }
    const [, key, arr, value] = line.match(/^([^=[\]]+?)(\[\])?\s*=\s*(.*)$/) ?? [];
    const v = /^(true|false)$/.test(value) ? value === "true" : value !== "" && !isNaN(value) ? +value : value.replace(/^"(.*)"$/, "$1");
    if (arr) (section[key] ??= []).push(v); else section[key] = v;
  }
  return root;
}
const config = parseIni(ini);
console.log(config);
console.dir(config, { depth: null });
const isObject = (x) => x !== null && typeof x === "object" && !Array.isArray(x);
const merge = (a, b) => Object.keys(b).reduce((o, k) => ({ ...o, [k]: isObject(o[k]) && isObject(b[k]) ? merge(o[k], b[k]) : b[k] }), a);
console.log(merge(config, { debug: false, server: { port: 9090, tls: { enabled: true } }, extra: [1] }));
const flatten = (o, p = "") => Object.entries(o).flatMap(([k, v]) => (isObject(v) ? flatten(v, `${p}${k}.`) : [[`${p}${k}`, v]]));
console.log(flatten(config)); console.log(Object.fromEntries(flatten(config)));
const get = (o, path, d) => path.split(/[.[\]]+/).filter(Boolean).reduce((x, k) => x?.[k], o) ?? d; console.log(get(config, "server.tls.cert"), get(config, "server.tags[1]"), get(config, "a.b.c", "default"));
const set = (o, path, v) => { const ks = path.split("."); const last = ks.pop(); ks.reduce((x, k) => (x[k] ??= {}), o)[last] = v; return o; }; console.log(set({}, "a.b.c", 1), set({ a: 1 }, "b", 2));
const diff = (a, b, p = []) => [...new Set([...Object.keys(a), ...Object.keys(b)])].flatMap((k) => (isObject(a[k]) && isObject(b[k]) ? diff(a[k], b[k], [...p, k]) : Object.is(a[k], b[k]) ? [] : [{ path: [...p, k].join("."), from: a[k], to: b[k] }]));
console.log(diff({ a: 1, b: { c: 2, d: 3 }, e: 5 }, { a: 1, b: { c: 9, d: 3 }, f: 6 })); console.table(diff({ x: 1 }, { x: 2, y: [1] }));
const deepFreeze = (o) => { Object.values(o).filter((v) => typeof v === "object" && v).forEach(deepFreeze); return Object.freeze(o); }; const fz = deepFreeze({ a: { b: [1] } }); fz.a.b2 = 1; fz.a.x?.y; console.log(fz, Object.isFrozen(fz.a.b));
const yaml = (o, ind = "") => Object.entries(o).map(([k, v]) => (isObject(v) ? `${ind}${k}:\n${yaml(v, ind + "  ")}` : Array.isArray(v) ? `${ind}${k}:\n${v.map((x) => `${ind}  - ${x}`).join("\n")}` : `${ind}${k}: ${JSON.stringify(v)}`)).join("\n"); console.log(yaml(config));
