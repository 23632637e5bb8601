// Compressing and decompressing: at once, later, as a stream; sizes differ between makers.
const zlib = require("zlib");
const { promisify } = require("util");
const { pipeline } = require("stream/promises");
const { Readable, Writable } = require("stream");
const fs = require("fs");

const text = "The quick brown fox jumps over the lazy dog. ".repeat(40) + "ünïcödé 🎉";
const pairs = [["gzip", "gunzip"], ["deflate", "inflate"], ["deflateRaw", "inflateRaw"], ["gzip", "unzip"]];
for (const [there, back] of pairs) {
  const packed = zlib[`${there}Sync`](text);
  const restored = zlib[`${back}Sync`](packed);
  console.log(there, Buffer.isBuffer(packed), packed.length < 300, restored.toString() === text);
}
console.log(zlib.gzipSync("x").subarray(0, 10), zlib.deflateSync(Buffer.from("y"), { level: 9 }).subarray(0, 2));
console.log(zlib.crc32("hello"), zlib.crc32(Buffer.from("lo"), zlib.crc32("hel")), zlib.constants.Z_BEST_COMPRESSION);
console.log(zlib.inflateSync(Buffer.from("eJzLSM3JyVcozy/KSQEAGgsEXQ==", "base64")).toString());

const attempts = {
  garbage: () => zlib.gunzipSync(Buffer.from("garbage")),
  notZlib: () => zlib.inflateSync(Buffer.from("garbage")),
  short: () => zlib.inflateSync(zlib.deflateSync("hello hello hello").subarray(0, 8)),
  damaged: () => { const packed = zlib.gzipSync("data data data"); packed[packed.length - 5] ^= 1; zlib.gunzipSync(packed); },
  nothing: () => zlib.gunzipSync(""),
  number: () => zlib.gzipSync(5),
  missing: () => zlib.inflateSync(),
  level: () => zlib.gzipSync("x", { level: 12 }),
  tooMuch: () => zlib.inflateSync(zlib.deflateSync("a".repeat(5000)), { maxOutputLength: 1000 }),
  noCallback: () => zlib.gzip("x"),
};
for (const [name, run] of Object.entries(attempts)) {
  try { console.log(name, run()); } catch (e) { console.log(`${name}: ${e.name} ${e.code} ${e.errno}: ${e.message}`); }
}

zlib.deflate(text, (error, packed) => {
  console.log("deflate", error, zlib.inflateSync(packed).length);
  zlib.unzip(Buffer.from("no"), (failure, result) => console.log("unzip", failure.code, failure.message, result));
});
(async () => {
  const packed = await promisify(zlib.gzip)(text, { level: 1 });
  console.log("promised", (await promisify(zlib.gunzip)(packed)).toString("utf8", 0, 9));
  await promisify(zlib.inflate)("nonsense").catch((e) => console.log("rejected", e.message));
  fs.writeFileSync("in.txt", text);
  await pipeline(fs.createReadStream("in.txt"), zlib.createGzip(), fs.createWriteStream("out.gz"));
  const parts = [];
  const sink = new Writable({ write(chunk, _, done) { parts.push(chunk); done(); } });
  await pipeline(fs.createReadStream("out.gz"), zlib.createGunzip(), sink);
  console.log("piped", Buffer.concat(parts).toString() === text);
  await pipeline(Readable.from([Buffer.from("bad")]), zlib.createInflate(), sink).catch((e) => console.log("stream", e.code, e.message));
})();
