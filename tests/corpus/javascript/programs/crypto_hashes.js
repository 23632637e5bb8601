const crypto = require("crypto");
for (const alg of ["md5", "sha1", "sha256", "sha512"]) console.log(alg, crypto.createHash(alg).update("hello").digest("hex"));
console.log(crypto.createHash("sha256").update("hel").update(Buffer.from("lo")).digest("base64"), crypto.createHash("sha256").update("").digest().length);
console.log(crypto.createHmac("sha256", "key").update("data").digest("hex"), crypto.getHashes().includes("sha256"));
const uuid = crypto.randomUUID(); console.log(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/.test(uuid), uuid.length);
console.log(crypto.randomBytes(16).length, crypto.randomBytes(8).toString("hex").length, crypto.randomInt(10) < 10, crypto.randomInt(5, 6));
console.log(crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("a")), crypto.createHash("sha1").copy !== undefined);
console.log(crypto.pbkdf2Sync("secret", "salt", 1000, 32, "sha256").toString("hex"));
globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode("hello")).then((d) => console.log(Buffer.from(d).toString("hex")));
console.log(globalThis.crypto.getRandomValues(new Uint8Array(4)).length, typeof globalThis.crypto.randomUUID());
try { crypto.createHash("nope"); } catch (e) { console.log(e.message, e.code); }
try { crypto.timingSafeEqual(Buffer.from("a"), Buffer.from("ab")); } catch (e) { console.log(e.name, e.code, e.message); }
const etag = (body) => `"${crypto.createHash("md5").update(body).digest("base64url")}"`; console.log(etag("<html>"));
const chain = []; for (let i = 0, prev = "0".repeat(64); i < 4; i++) { const block = { i, prev, nonce: 0 }; let h; do { block.nonce++; h = crypto.createHash("sha256").update(JSON.stringify(block)).digest("hex"); } while (!h.startsWith("0")); chain.push({ ...block, h }); prev = h; }
console.log(chain.map((b) => [b.nonce, b.h.slice(0, 12)]), chain.every((b, i) => !i || b.prev === chain[i - 1].h));
const h = crypto.createHash("sha256"); h.update("x"); h.digest(); try { h.update("y"); } catch (e) { console.log(e.code, e.message); }
