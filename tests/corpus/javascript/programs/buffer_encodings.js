const b = Buffer.from("Héllo wörld €", "utf8");
console.log(b, b.length, b.toString("hex"), b.toString("base64"), b.toString("latin1").length);
console.log(Buffer.from("48656c6c6f", "hex").toString(), Buffer.from("SGVsbG8=", "base64").toString(), Buffer.from("SGk_", "base64url"));
console.log(Buffer.concat([Buffer.from("foo"), Buffer.from("bar")]).toString(), Buffer.alloc(5, "ab"), Buffer.byteLength("€"), Buffer.allocUnsafe(3).fill(0));
console.log(b.slice(0, 5).toString(), b.subarray(-3).toString(), b.indexOf("w"), b.includes("€"), b.equals(Buffer.from(b)), Buffer.compare(Buffer.from("a"), Buffer.from("b")));
const w = Buffer.alloc(12);
w.writeUInt32BE(0xdeadbeef, 0); w.writeInt16LE(-5, 4); w.writeDoubleBE; w.writeFloatLE(1.5, 6); w.write("ok", 10);
console.log(w, w.readUInt32BE(0).toString(16), w.readInt16LE(4), w.readFloatLE(6), w.toString("ascii", 10));
console.log(JSON.stringify(Buffer.from("hi")), [...Buffer.from("abc")], Buffer.isBuffer(b), b instanceof Uint8Array, Buffer.from([256, 1.9, -1]));
console.log(Buffer.from("abc").swap16 ? "has swap" : "", Buffer.from([1, 2, 3, 4]).swap16(), Buffer.from("z").readUInt8(), Buffer.from("test").toString("utf16le").length);
console.log(Buffer.from("a".repeat(100)), { buf: Buffer.from("x") }, btoa("hello"), atob("aGVsbG8="), Buffer.from("💩").length);
for (const [i, byte] of Buffer.from("ok").entries()) console.log(i, byte);
for (const f of [() => Buffer.from(5), () => b.readUInt32LE(100), () => Buffer.alloc(-1), () => b.toString("nope"), () => Buffer.concat("x"), () => w.writeUInt8(300, 0)]) {
  try { console.log(f()); } catch (e) { console.log(e.name, e.code, e.message); }
}
const xor = (a, k) => Buffer.from(a.map((x, i) => x ^ k[i % k.length]));
const secret = xor(Buffer.from("attack at dawn"), Buffer.from("key"));
console.log(secret.toString("base64"), xor(secret, Buffer.from("key")).toString());
console.log(Buffer.from(new Uint16Array([1, 256]).buffer), Buffer.from("ff", "hex").readInt8(0), Buffer.from("zz", "hex"));
