const { Readable, Writable, Transform, PassThrough, pipeline, finished } = require("stream");
const { pipeline: pipe } = require("stream/promises");
const numbers = Readable.from(Array.from({ length: 6 }, (_, i) => i + 1));
const double = new Transform({ objectMode: true, transform(n, _, cb) { cb(null, n * 2); } });
const evenBatch = new Transform({ objectMode: true, construct(cb) { this.buf = []; cb(); }, transform(n, _, cb) { this.buf.push(n); if (this.buf.length === 4) { this.push(this.buf); this.buf = []; } cb(); }, flush(cb) { if (this.buf.length) this.push(this.buf); cb(); } });
const sink = new Writable({ objectMode: true, write(batch, _, cb) { console.log("batch", batch); cb(); }, final(cb) { console.log("final"); cb(); } });
(async () => {
  await pipe(numbers, double, evenBatch, sink);
  const chunks = [];
  for await (const c of Readable.from(["a", "b"]).pipe(new PassThrough({ encoding: "utf8" }))) chunks.push(c);
  console.log(chunks);
  class Counter extends Readable { constructor(n) { super({ encoding: "utf8" }); this.n = n; this.i = 0; } _read() { this.push(this.i < this.n ? String(this.i++) : null); } }
  let text = ""; for await (const c of new Counter(5)) text += c; console.log(text);
  const lines = async function* (src) { let rest = ""; for await (const c of src) { const parts = (rest + c).split("\n"); rest = parts.pop(); yield* parts; } if (rest) yield rest; };
  for await (const l of lines(Readable.from(["he", "llo\nwor", "ld\n", "end"]))) console.log("line:", l);
  await pipe(Readable.from(["x"]), async function* (src) { for await (const c of src) yield c.toString().toUpperCase(); }, new Writable({ write(c, e, cb) { console.log("got", c.toString()); cb(); } }));
  try { await pipe(Readable.from([1]), new Transform({ objectMode: true, transform(c, e, cb) { cb(new Error("transform failed")); } }), new PassThrough({ objectMode: true })); } catch (e) { console.log("error:", e.message); }
  const w = new Writable({ highWaterMark: 3, write(c, e, cb) { setTimeout(cb, 1); } }); console.log(w.write("ab"), w.write("cd")); w.on("drain", () => console.log("drained")); w.end(); finished(w, (e) => console.log("finished", e));
  const r = new Readable({ read() {} }); r.on("data", (d) => console.log("data", d.toString())); r.on("end", () => console.log("end")); r.push("p1"); r.push("p2"); r.push(null);
  console.log(await Readable.from([1, 2, 3, 4]).filter((x) => x % 2).map((x) => x * 10).toArray());
})();
