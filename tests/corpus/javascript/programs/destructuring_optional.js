const config = { server: { host: "localhost", ports: [80, 443] }, users: [{ name: "Ann", roles: ["admin"] }, { name: "Bob" }] };
const { server: { host, ports: [http, https = 8443, extra = "none"] }, missing = "default", ...others } = config;
console.log(host, http, https, extra, missing, others);
const [{ name: first, roles: [role] = [] }, { name: second, roles = ["guest"] }] = config.users;
console.log(first, role, second, roles);
console.log(config?.server?.tls?.cert, config.users[5]?.name, config.nope?.(), config.users?.[1]?.roles?.includes("x") ?? "no roles");
let a = 1, b = 2, c = 3;
[a, b, c] = [c, a, b];
console.log(a, b, c, (({ x, y = x * 2 }) => x + y)({ x: 5 }), ((...[p, ...q]) => [p, q])(1, 2, 3));
const fn = ({ verbose = false, depth: { max = 3 } = {} } = {}, [head, ...tail] = []) => ({ verbose, max, head, tail });
console.log(fn(), fn({ verbose: true, depth: { max: 9 } }, "xyz"));
const key = "dynamic", { [key]: value = 0, ...rest } = { dynamic: 7, other: 8, [`${key}2`]: 9 };
console.log(value, rest);
for (const { name, roles: { length } = [] } of config.users) console.log(name, length);
for (const [i, { name }] of config.users.entries()) console.log(i, name);
const swap = ([x, y]) => [y, x]; console.log([[1, 2], [3, 4]].map(swap));
console.log([null, undefined, 0, "", NaN, false].map((v) => [v ?? "nullish", v || "falsy"]));
let o = { n: null, z: 0 }; o.n ??= 5; o.z ||= 6; o.n &&= o.n + 1; o.q ??= []; o.q.push(1);
console.log(o, { ...o, z: 1, ...null, ...[7, 8] });
const { length } = "hello", { 0: initial, [1]: next } = "hello", { max, min } = Math;
console.log(length, initial, next, max(1, 2), min(1, 2));
for (const f of [() => { const { x } = null; }, () => { const [y] = undefined; }, () => { const [z] = {}; }, () => { const { a: { b } } = {}; }, () => null.foo, () => undefined.bar(), () => config.nope(), () => config.nope.deep, () => { config.server.nope.x = 1; }]) {
  try { f(); } catch (e) { console.log(e.name + ": " + e.message); }
}
