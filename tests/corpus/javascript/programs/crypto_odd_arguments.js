// What `crypto` makes of odd arguments: encodings, lengths, order of calls.
const c = require("crypto");
const show = (name, action) => {
  try {
    const made = action();
    console.log(name, Buffer.isBuffer(made) ? `bytes ${made.toString("hex")}` : made);
  } catch ({ name: kind, code, message }) {
    console.log(name, kind, code, message);
  }
};

for (const outputLength of [0, 3, -1, 1.5, NaN, "5", null, 2 ** 32]) {
  show(`length ${outputLength}`, () => c.createHash("shake128", { outputLength }).digest("hex"));
}
show("copy", () => c.createHash("shake128", { outputLength: 4 }).update("a").copy().digest("hex"));
for (const encoding of ["hex", "HEX", "base64url", "buffer", "none", "", null, 5, {}]) {
  show(`digest ${encoding}`, () => c.createHash("md5").update("a").digest(encoding));
  show(`update ${encoding}`, () => c.createHash("md5").update("6162", encoding).digest("hex"));
}
show("half a byte", () => c.createHash("md5").update("616", "hex"));
show("buffer", () => c.createHash("md5").update(new ArrayBuffer(2)));
show("call", () => c.Hash("md5").update("a").digest("hex"));
show("new", () => new c.Hmac("md5", "k").update("a").digest("hex"));
show("class", () => [c.createHmac("md5", "k") instanceof c.Hmac, c.createHash("md5").constructor.name]);
show("key", () => c.createHmac("md5", "6b", { encoding: "hex" }).update("a").digest("hex"));
show("equal", () => c.timingSafeEqual("a", "a"));

show("part", () => c.randomBytes(1.5).length);
show("none", () => c.randomBytes(NaN));
show("many", () => c.randomInt(2 ** 48));
show("options", () => c.randomUUID(5));
show("option", () => c.randomUUID({ disableEntropyCache: 5 }));
show("text", () => c.randomFillSync("a"));
show("elements", () => c.randomFillSync(new Uint32Array(2), 1, 1)[0]);
show("elements beyond", () => c.randomFillSync(new Uint32Array(2), 2, 1));
show("bytes beyond", () => c.randomFillSync(Buffer.alloc(5), 3, 3));
show("callback", () => c.randomFill(Buffer.alloc(5)));
show("password", () => c.pbkdf2Sync(5, "b", 1, 5, "md5"));
for (const options of [{ N: "2" }, { N: 2, cost: 2 }, { N: 2, r: 1.5 }, { N: 2, r: -1 }, { N: 2, maxmem: "x" }, { N: 2, r: 0 }, null]) {
  show(`scrypt ${JSON.stringify(options)}`, () => c.scryptSync("a", "b", 5, options));
}

const key = Buffer.alloc(32, 1), iv = Buffer.alloc(16, 2);
const cipher = (mode = "gcm", vector = iv, options = undefined) => c.createCipheriv(`aes-256-${mode}`, key, vector, options);
const tagOf = (...additional) => {
  const made = cipher();
  for (const each of additional) made.setAAD(...each);
  made.final();
  return made.getAuthTag();
};
show("tag", () => tagOf([Buffer.from("ab")]));
show("tag of two", () => tagOf([Buffer.from("a")], [Buffer.from("b")]));
show("tag of text", () => tagOf(["6162", { encoding: "hex" }]));
show("late", () => {
  const made = cipher();
  made.update("a");
  made.setAAD(Buffer.from("a"));
});
const decipher = () => c.createDecipheriv("aes-256-gcm", key, iv);
show("twice", () => decipher().setAuthTag(iv).setAuthTag(iv));
show("no tag", () => decipher().setAuthTag(5));
for (const authTagLength of ["16", -1, 5, 4.5]) show(`tag of ${authTagLength}`, () => cipher("gcm", iv, { authTagLength }));
for (const size of [1, 12, 16, 40]) {
  show(`parts, ${size}`, () => {
    const made = cipher("gcm", Buffer.alloc(size, 3));
    made.setAAD(Buffer.from("more"));
    const parts = ["", "a", "b".repeat(15), "c".repeat(40), ""].map((part) => made.update(part));
    return Buffer.concat([...parts, made.final(), made.getAuthTag()]);
  });
}
show("cipher of half a byte", () => cipher("cbc").update("616", "hex"));
show("cipher of a buffer", () => cipher("cbc").update(new ArrayBuffer(2)));
show("cipher of no encoding", () => cipher("ctr").update("abc", "none"));
