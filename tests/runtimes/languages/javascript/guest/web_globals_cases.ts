/**
 * Programs with the web globals that are loaded on demand, and what Node 20 prints for them.
 *
 * @module
 */

/** A program, which is the body of an async function, and its standard output. */
export interface WebCase {
  readonly code: string;
  readonly stdout: string;
}

/** The programs by name. */
export const WEB_CASES: Readonly<Record<string, WebCase>> = {
  "a pipe with back pressure": {
    code: `
const log = [];
const source = new ReadableStream({
  pull(c) { log.push("pull"); c.enqueue(log.length); if (log.length > 4) c.close(); },
}, new CountQueuingStrategy({ highWaterMark: 1 }));
const sink = new WritableStream({
  async write(chunk) { await new Promise((done) => setTimeout(done, 1)); log.push(chunk); },
  close() { log.push("close"); },
});
await source.pipeTo(sink);
console.log(log);`,
    stdout: `[
  'pull',  'pull',
  1,       'pull',
  2,       'pull',
  4,       6,
  'close'
]
`,
  },
  "tee, cancel and errors": {
    code: `
const [a, b] = ReadableStream.from(["x", "y"]).tee();
const all = async (s) => { const out = []; for await (const c of s) out.push(c); return out; };
console.log(await all(a), await all(b));
const failing = new ReadableStream({ start(c) { c.error(new RangeError("no")); } });
await failing.getReader().read().catch((error) => console.log(error.name, error.message));
let reason; const s = new ReadableStream({ cancel(r) { reason = r; } });
for await (const c of ReadableStream.from([1, 2, 3])) { if (c === 2) break; }
await s.cancel("enough"); console.log(reason, s);
const locked = new ReadableStream(); locked.getReader();
try { locked.getReader(); } catch (error) { console.log(error.constructor.name); }
const controller = new AbortController(); controller.abort(new Error("stop"));
await ReadableStream.from([1]).pipeTo(new WritableStream(), { signal: controller.signal }).catch((e) => console.log(e.message));`,
    stdout: `[ 'x', 'y' ] [ 'x', 'y' ]
RangeError no
enough ReadableStream { locked: false, state: 'closed', supportsBYOB: false }
TypeError
stop
`,
  },
  "bytes with a reader's own buffer": {
    code: `
const s = new ReadableStream({ type: "bytes", pull(c) {
  const view = c.byobRequest?.view;
  if (view) { view[0] = 7; c.byobRequest.respond(1); } else { c.enqueue(new Uint8Array([1, 2])); c.close(); }
} });
const reader = s.getReader({ mode: "byob" });
const { value, done } = await reader.read(new Uint8Array(4));
console.log(value, done);`,
    stdout: `Uint8Array(1) [ 7 ] false
`,
  },
  "text and compression": {
    code: `
const text = "Grüße 😀 ".repeat(40);
const parts = [];
for await (const c of new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"))
  .pipeThrough(new DecompressionStream("gzip")).pipeThrough(new TextDecoderStream())) parts.push(c);
console.log(parts.join("") === text);
const split = ReadableStream.from(["a\\ud83d", "\\ude00b"]).pipeThrough(new TextEncoderStream());
const bytes = []; for await (const c of split) bytes.push(...c); console.log(bytes);
const bad = new Blob(["nothing"]).stream().pipeThrough(new DecompressionStream("gzip"));
await bad.getReader().read().then(() => console.log("?"), (e) => console.log(e.code));
const raw = new Response(new Blob(["abc"]).stream().pipeThrough(new CompressionStream("deflate-raw")));
console.log((await raw.bytes()).length);`,
    stdout: `true
[ 97, 240, 159, 152, 128, 98 ]
Z_DATA_ERROR
5
`,
  },
  "transformers": {
    code: `
const lines = () => { let rest = ""; return new TransformStream({
  transform(chunk, c) { const parts = (rest + chunk).split("\\n"); rest = parts.pop(); for (const p of parts) c.enqueue(p); },
  flush(c) { if (rest) c.enqueue(rest); } }); };
const out = []; for await (const l of ReadableStream.from(["one\\ntw", "o\\nthr", "ee"]).pipeThrough(lines())) out.push(l);
console.log(out);
const { readable, writable } = new TransformStream();
const w = writable.getWriter(); w.write(1); w.write(2); w.close();
const got = []; for await (const c of readable) got.push(c); console.log(got, await w.closed, w.desiredSize);
const ends = new TransformStream({ transform(c, k) { k.terminate(); } }); const wr = ends.writable.getWriter();
await wr.write(1).catch(() => {}); console.log((await ends.readable.getReader().read()).done);`,
    stdout: `[ 'one', 'two', 'three' ]
[ 1, 2 ] undefined 0
`,
  },
  "headers": {
    code: `
const h = new Headers([["Accept", " text/html "], ["x-a", "1"]]); h.append("ACCEPT", "*/*"); h.set("X-B", 2);
console.log(h, [...h], h.get("accept"), h.has("x-c"), [...h.keys()], [...new Headers(h).values()]);
h.delete("x-a"); h.forEach((v, k) => console.log(k, v)); console.log(JSON.stringify(h), Object.fromEntries(h));
h.append("Set-Cookie", "a=1"); h.append("set-cookie", "b=2"); console.log(h.getSetCookie(), h.get("set-cookie"));
for (const f of [() => new Headers({ "a b": 1 }), () => h.append("a"), () => h.set("a", "x\\u{1f600}"), () => new Headers("a")]) {
  try { f() } catch (e) { console.log(e.name, e.message) } }`,
    stdout:
      `Headers { Accept: 'text/html, */*', 'x-a': '1', 'X-B': '2' } [ [ 'accept', 'text/html, */*' ], [ 'x-a', '1' ], [ 'x-b', '2' ] ] text/html, */* false [ 'accept', 'x-a', 'x-b' ] [ 'text/html, */*', '1', '2' ]
accept text/html, */*
x-b 2
{} { accept: 'text/html, */*', 'x-b': '2' }
[ 'a=1', 'b=2' ] a=1, b=2
TypeError Headers.append: "a b" is an invalid header name.
TypeError Headers.append: 2 arguments required, but only 1 found.
TypeError Cannot convert argument to a ByteString because the character at index 1 has a value of 55357 which is greater than 255.
TypeError Headers constructor: Argument 1 could not be converted to one of: sequence<sequence<ByteString>>, record<ByteString, ByteString>.
`,
  },
  "responses": {
    code: `
const r = new Response("héllo", { status: 201, headers: { "x-y": "z" } });
console.log(r.ok, r.status, r.headers.get("content-type"), r.bodyUsed); console.log(await r.text(), r.bodyUsed);
await r.text().catch((e) => console.log(String(e)));
console.log(Response.json({ a: [1] }), await Response.json({ a: [1] }, { status: 400 }).json());
console.log(Response.redirect("https://a.b/c", 301).headers.get("location"), Response.error().type);
const c = new Response(new URLSearchParams({ q: "a b" })); const d = c.clone(); console.log(await c.text(), (await d.formData()).get("q"));
console.log(await new Response(new Uint8Array([1, 2])).arrayBuffer(), await new Response(new Blob(["b"], { type: "a/b" })).blob());
console.log(await new Response(ReadableStream.from([new Uint8Array([104, 105])])).text(), new Response(null).body, await new Response().text());
await new Response("{").json().catch((e) => console.log(e.name));
for (const f of [() => new Response("", { status: 700 }), () => new Response("x", { status: 204 }), () => Response.redirect("/")]) {
  try { f() } catch (e) { console.log(e.name, e.message) } }`,
    stdout: `true 201 text/plain;charset=UTF-8 false
héllo true
TypeError: Body is unusable: Body has already been read
Response {
  status: 200,
  statusText: '',
  headers: Headers { 'content-type': 'application/json' },
  body: ReadableStream { locked: false, state: 'readable', supportsBYOB: true },
  bodyUsed: false,
  ok: true,
  redirected: false,
  type: 'default',
  url: ''
} { a: [ 1 ] }
https://a.b/c error
q=a+b a b
ArrayBuffer { [Uint8Contents]: <01 02>, byteLength: 2 } Blob { size: 1, type: 'a/b' }
hi null 
SyntaxError
RangeError init["status"] must be in the range of 200 to 599, inclusive.
TypeError Response constructor: Invalid response status code 204
TypeError Failed to parse URL from /
`,
  },
  "requests": {
    code: `
const q = new Request("https://user.example/a?b=c#d", { method: "post", body: JSON.stringify({ n: 1 }), headers: { "Content-Type": "application/json" } });
console.log(q.method, q.url, q.headers.get("content-type"), q.bodyUsed); const again = q.clone(); console.log(await q.json(), await again.text());
console.log(new Request("http://a"), new Request(new Request("http://a", { method: "PUT", body: "x" }), { headers: { a: "b" } }).method);
const stop = new AbortController(); const s = new Request("http://a", { signal: stop.signal }); stop.abort(); console.log(s.signal.aborted);
for (const f of [() => new Request("/a"), () => new Request("http://a", { body: "x" }), () => new Request("http://a", { method: "TRACE" }), () => new Request()]) {
  try { f() } catch (e) { console.log(e.name, e.message) } }`,
    stdout: `POST https://user.example/a?b=c#d application/json false
{ n: 1 } {"n":1}
Request {
  method: 'GET',
  url: 'http://a/',
  headers: Headers {},
  destination: '',
  referrer: 'about:client',
  referrerPolicy: '',
  mode: 'cors',
  credentials: 'same-origin',
  cache: 'default',
  redirect: 'follow',
  integrity: '',
  keepalive: false,
  isReloadNavigation: false,
  isHistoryNavigation: false,
  signal: AbortSignal { aborted: false }
} PUT
true
TypeError Failed to parse URL from /a
TypeError Request with GET/HEAD method cannot have body.
TypeError 'TRACE' HTTP method is unsupported.
TypeError Request constructor: 1 argument required, but 0 found.
`,
  },
  "forms": {
    code: `
const f = new FormData(); f.append("a", 1); f.append("a", "2"); f.set("b", new Blob(["xyz"], { type: "text/css" }), "b.css"); f.append("c\\"d", "l1\\nl2");
console.log(f.getAll("a"), f.get("b").name, [...f.keys()], f.has("z"));
const g = await new Response(f).formData(); console.log([...g.entries()].map(([k, v]) => [k, typeof v === "string" ? v : v.name + v.type + v.size]), await g.get("b").text());
f.set("a", "only"); f.delete("b"); console.log(f, new URLSearchParams(f).toString());
try { f.append("a", "b", "c") } catch (e) { console.log(e.message) }`,
    stdout: `[ '1', '2' ] b.css [ 'a', 'a', 'b', 'c"d' ] false
[
  [ 'a', '1' ],
  [ 'a', '2' ],
  [ 'b', 'b.csstext/css3' ],
  [ 'c"d', 'l1\\r\\nl2' ]
] xyz
FormData { a: 'only', 'c"d': 'l1\\nl2' } a=only&c%22d=l1%0Al2
Failed to execute 'append' on 'FormData': parameter 2 is not of type 'Blob'
`,
  },
  "message channels": {
    code: `
const { port1, port2 } = new MessageChannel(); const seen = [];
port2.onmessage = (e) => { seen.push(e.data); if (e.data === "end") { console.log(seen, e instanceof MessageEvent, e.ports); port1.close(); } };
const o = { a: [1], d: new Date(0) }; port1.postMessage(o); o.a.push(2); const bytes = new Uint8Array([1, 2]);
port1.postMessage(bytes, [bytes.buffer]); console.log(bytes.length); port1.postMessage("end"); console.log("posted");
port2.on("close", () => console.log("closed"));
try { port1.postMessage(() => {}) } catch (e) { console.log(e.name) }
try { new MessagePort() } catch (e) { console.log(e.code) }
const two = new MessageChannel(); two.port1.on("message", (v) => { console.log("got", v); two.port1.close(); }); two.port2.postMessage({ x: 1 });
console.log(new MessageEvent("message", { data: 5, origin: "o" }).data, Object.keys(two));`,
    stdout: `0
posted
DataCloneError
ERR_CONSTRUCT_CALL_INVALID
5 [ 'port1', 'port2' ]
[
  { a: [ 1 ], d: 1970-01-01T00:00:00.000Z },
  Uint8Array(2) [ 1, 2 ],
  'end'
] true []
got { x: 1 }
closed
`,
  },
  "broadcast channels": {
    code: `
const a = new BroadcastChannel("n"), b = new BroadcastChannel("n"), c = new BroadcastChannel("other");
b.onmessage = (e) => { console.log("b", e.data); a.close(); b.close(); }; c.onmessage = () => console.log("never"); a.onmessage = () => console.log("never");
a.postMessage({ hi: 1 }); console.log(a.name, b); c.close();
try { c.postMessage(1) } catch (e) { console.log(e.name) }`,
    stdout: `n BroadcastChannel { name: 'n', active: true }
InvalidStateError
b { hi: 1 }
`,
  },
  "streams of Node": {
    code: `
const { Readable, Writable } = require("stream"); const web = require("stream/web");
console.log(web.ReadableStream === ReadableStream, Object.keys(web).includes("TransformStream"), require("node:stream/web") === web);
const out = []; for await (const c of Readable.toWeb(Readable.from(["a", "b"]))) out.push(c); console.log(out);
const back = []; for await (const c of Readable.fromWeb(ReadableStream.from([Buffer.from("x"), Buffer.from("y")]))) back.push(String(c)); console.log(back);
const got = []; await ReadableStream.from(["1", "2"]).pipeTo(Writable.toWeb(new Writable({ write(c, e, d) { got.push(String(c)); d(); } }))); console.log(got);
const { text, json } = require("stream/consumers"); console.log(await text(new Blob(["t"]).stream()), await json(ReadableStream.from(["{}"])));
const w = Writable.fromWeb(new WritableStream({ write(c) { console.log("web", String(c)); }, close() { console.log("end"); } })); w.write("q"); w.end();`,
    stdout: `true true true
[ 'a', 'b' ]
[ 'x', 'y' ]
[ '1', '2' ]
t {}
web q
end
`,
  },
  "as globals": {
    code: `
console.log(typeof ReadableStream, typeof Headers, "Response" in globalThis, Headers.name, ReadableStream.length, String(new Headers()));
console.log(Object.keys(globalThis).includes("Headers"), globalThis.propertyIsEnumerable("ReadableStream"));
const { value, writable, enumerable, configurable } = Object.getOwnPropertyDescriptor(globalThis, "Response");
console.log(typeof value, writable, enumerable, configurable);
class Mine extends Response { get twice() { return this.status * 2; } } console.log(new Mine().twice, new Mine() instanceof Response);
globalThis.FormData = 5; console.log(FormData); { class Request {} ; console.log(new Request()); }
console.log(Object.keys(new Response("x")), JSON.stringify(new Response("x")), Object.prototype.toString.call(new Request("http://a")));
await fetch(new Request("http://127.0.0.1:1/")).catch((e) => console.log(e.name, e.message));`,
    stdout: `function function true Headers 0 [object Headers]
false false
undefined undefined false true
400 true
5
Request {}
[] {} [object Request]
TypeError fetch failed
`,
  },
};
