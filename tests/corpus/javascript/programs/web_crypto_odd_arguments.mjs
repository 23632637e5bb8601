// What `crypto.subtle` makes of odd arguments.
const { subtle } = crypto;
const show = async (name, action) => {
  try {
    const made = await action();
    console.log(name, made instanceof ArrayBuffer ? Buffer.from(made).toString("hex") : made);
  } catch ({ name: kind, code, message }) {
    console.log(name, kind, code, message);
  }
};
const bytes = new Uint8Array(32).fill(1);
const keyFor = (algorithm, ...usages) => subtle.importKey("raw", bytes, algorithm, false, usages);

await show("text", () => subtle.digest("SHA-256", "a"));
const code = await keyFor({ name: "HMAC", hash: "SHA-256" }, "sign", "verify");
await show("sign text", () => subtle.sign("HMAC", code, "a"));
await show("sign with nothing", () => subtle.sign("HMAC", {}, bytes));
await show("verify text", () => subtle.verify("HMAC", code, "a", bytes));
await show("no key", () => subtle.importKey("raw", new Uint8Array(), { name: "HMAC", hash: "SHA-1" }, true, ["sign"]));

const password = await keyFor("PBKDF2", "deriveBits");
const derive = (parts, length) => subtle.deriveBits({ name: "PBKDF2", hash: "SHA-256", salt: bytes, iterations: 1, ...parts }, password, length);
for (const length of [16, 0, null, 127]) await show(`bits ${length}`, () => derive({}, length));
for (const iterations of [0, -1, 2 ** 32]) await show(`iterations ${iterations}`, () => derive({ iterations }, 16));
const long = await keyFor("HKDF", "deriveBits");
for (const length of [255, 256]) {
  await show(`digests ${length}`, async () => (await subtle.deriveBits({ name: "HKDF", hash: "SHA-1", salt: bytes, info: bytes }, long, length * 160)).byteLength);
}

const sealing = await keyFor("AES-GCM", "encrypt");
for (const tagLength of [32, 33, 0, 128]) {
  await show(`tag ${tagLength}`, () => subtle.encrypt({ name: "AES-GCM", iv: bytes.subarray(0, 12), tagLength }, sealing, bytes));
}
const counting = await keyFor("AES-CTR", "encrypt");
const counter = new Uint8Array(16).fill(255);
for (const [length, size] of [[64, 16], [64, 40], [8, 40], [1, 32], [1, 33], [128, 40], [0, 1], [129, 1]]) {
  await show(`counter ${length} ${size}`, () => subtle.encrypt({ name: "AES-CTR", counter, length }, counting, new Uint8Array(size)));
}
await show("counted text", () => subtle.encrypt({ name: "AES-CTR", counter, length: 64 }, counting, "a"));
