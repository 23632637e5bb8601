const u = new URL("https://user:p%40ss@sub.example.com:8080/a/b/../c%20d?x=1&y=two%20words&x=3#frag");
console.log(u.href, u.host, u.hostname, u.port, u.pathname, u.search, u.hash, u.origin, u.username, u.password, u.protocol);
console.log(u);
console.log(u.searchParams.get("x"), u.searchParams.getAll("x"), u.searchParams.has("z"), [...u.searchParams]);
u.searchParams.append("new", "a&b=c"); u.searchParams.delete("y"); u.searchParams.set("x", "9"); u.port = "443"; u.hash = ""; u.pathname = "/ü";
console.log(String(u), JSON.stringify({ u }), u.searchParams.toString());
console.log(new URL("../up?q#h", "http://h.com/a/b/c").href, new URL("//other.org/x", "https://h.com").href, new URL("?only", "http://h.com/p").href);
const p = new URLSearchParams({ b: 2, a: "x y", c: "é" }); p.sort(); console.log(p.toString(), p.size, p, Object.fromEntries(p), new URLSearchParams("?a=1&a=2&b").getAll("a"), new URLSearchParams([["k", "v"]]).toString());
for (const bad of ["not a url", "http://", "//x", "http://a b"]) try { new URL(bad); } catch (e) { console.log(e.name, e.code, e.message, e.input); }
console.log(URL.canParse("http://x"), URL.canParse("x"), encodeURIComponent("a b&c/é?"), encodeURI("http://x/a b?q=é"), decodeURIComponent("%E2%82%AC"), escape("ü ä"), unescape("%FC"));
const qs = require("querystring"), url = require("url");
console.log(qs.parse("a=1&b=2&a=3&c=%20x&d"), qs.stringify({ a: [1, 2], b: "x y", c: "" }), url.parse("http://h.com:80/p?q=1#f").pathname, url.parse("/p?a=1", true).query.a);
console.log(url.format({ protocol: "http", host: "h.com", pathname: "/x", query: { a: 1 } }), url.resolve("/one/two", "three"), url.fileURLToPath("file:///tmp/x.txt"), url.pathToFileURL("/tmp/a b").href);
const buildUrl = (base, params) => { const r = new URL(base); Object.entries(params).forEach(([k, v]) => [v].flat().forEach((x) => r.searchParams.append(k, x))); return r.toString(); };
console.log(buildUrl("https://api.test/v1", { q: "a b", tag: ["x", "y"], n: 5 }));
for (const [k, v] of new URLSearchParams("z=26&y=25")) console.log(k, v);
console.log([...new URLSearchParams("a=1&b=2").keys()], new URLSearchParams("a=1").entries(), u.searchParams instanceof URLSearchParams, url.URL === URL);
