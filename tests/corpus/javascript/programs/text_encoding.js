const enc = new TextEncoder(), dec = new TextDecoder();
console.log(enc.encode("héllo €😀"), dec.decode(enc.encode("héllo €😀")), enc.encoding, dec.encoding, enc.encodeInto("abc", new Uint8Array(2)));
console.log(dec.decode(new Uint8Array([0xff, 0x41])), new TextDecoder("utf-8", { fatal: false }).decode(new Uint8Array([0xc3])));
try { new TextDecoder("utf-8", { fatal: true }).decode(new Uint8Array([0xff])); } catch (e) { console.log(e.name, e.code, e.message); }
try { new TextDecoder("nope"); } catch (e) { console.log(e.name, e.code, e.message); }
const stream = new TextDecoder(); console.log(stream.decode(new Uint8Array([0xe2, 0x82]), { stream: true }) + stream.decode(new Uint8Array([0xac])), new TextDecoder("utf-16le").decode(new Uint8Array([65, 0, 66, 0])), new TextDecoder("latin1").decode(new Uint8Array([0xe9])));
console.log(btoa("hello world"), atob("aGVsbG8gd29ybGQ="), btoa(String.fromCharCode(...enc.encode("é"))));
try { btoa("€"); } catch (e) { console.log(e.name, e.message); } try { atob("*"); } catch (e) { console.log(e.name, e.message); }
const rot13 = (s) => s.replace(/[a-z]/gi, (c) => String.fromCharCode(c.charCodeAt(0) + (c.toLowerCase() < "n" ? 13 : -13))); console.log(rot13("Hello"), rot13(rot13("Hello")));
const caesar = (s, k) => [...s].map((c) => (/[a-z]/i.test(c) ? String.fromCharCode(((c.charCodeAt(0) & 31) - 1 + k + 26) % 26 + (c < "a" ? 65 : 97)) : c)).join(""); console.log(caesar("Veni, vidi", 3), caesar(caesar("Veni, vidi", 3), -3));
const rle = (s) => s.replace(/(.)\1*/g, (m, c) => (m.length > 1 ? m.length : "") + c), unrle = (s) => s.replace(/(\d+)(.)/g, (_, n, c) => c.repeat(n)); console.log(rle("aaabbc"), unrle("3a2bc"));
const morse = Object.fromEntries("a.- b-... c-.-. e. h.... l.-.. o--- s...".split(" ").map((x) => [x[0], x.slice(1)])); console.log([..."hello"].map((c) => morse[c]).join(" "));
const bin = [..."Hi!"].map((c) => c.charCodeAt(0).toString(2).padStart(8, "0")); console.log(bin.join(" "), bin.map((b) => String.fromCharCode(parseInt(b, 2))).join(""));
const crc = (s) => { let c, t = []; for (let n = 0; n < 256; n++) { c = n; for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1; t[n] = c; } c = -1; for (const b of enc.encode(s)) c = t[(c ^ b) & 255] ^ (c >>> 8); return ((c ^ -1) >>> 0).toString(16); }; console.log(crc("The quick brown fox"));
console.log("😀".split(""), [..."👨‍👩‍👧"].length, "😀".at(0), "😀".slice(0, 1).isWellFormed(), "a\ud800".toWellFormed(), "\u{1F468}\u200D\u{1F4BB}", encodeURIComponent("😀"));
console.log("ﬁ".normalize("NFKC"), "Å" === "Å", "Å".normalize() === "Å".normalize(), "İ".toLowerCase().length, "ΑΣ".toLowerCase(), "straße".toUpperCase(), "i".toLocaleUpperCase("tr"), "\u00df".localeCompare("ss", "de", { sensitivity: "base" }));
