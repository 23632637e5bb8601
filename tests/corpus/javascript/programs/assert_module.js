const assert = require("assert");
assert(true); assert.ok(1); assert.equal(1, "1"); assert.strictEqual(1, 1); assert.deepStrictEqual({ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }); assert.notStrictEqual(1, 2);
assert.throws(() => { throw new TypeError("bad"); }, TypeError); assert.throws(() => { throw new Error("xyz"); }, /xyz/); assert.doesNotThrow(() => {}); assert.match("abc", /b/);
const attempts = [
  () => { assert(false); }, () => assert(0, "zero is falsy"), () => { assert.ok(null); }, () => assert.strictEqual(1, 2), () => assert.strictEqual("a", "b", "custom message"), () => assert.equal(1, 2),
  () => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }), () => assert.deepEqual([1, 2, 3], [1, 2, 4]), () => assert.notStrictEqual(1, 1), () => assert.throws(() => {}),
  () => assert.throws(() => { throw new Error("wrong"); }, /right/), () => assert.fail("boom"), () => assert.fail(), () => assert.match("abc", /x/), () => assert.doesNotThrow(() => { throw new Error("oops"); }), () => assert.ifError(new Error("from callback")), () => assert.notDeepStrictEqual({ a: 1 }, { a: 1 }), () => assert.strictEqual(NaN, 0), () => assert.rejects,
  () => assert.strictEqual([1, 2, 3].join(), "1,2,4"), () => assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]])), () => assert.deepStrictEqual(new Set([1]), new Set([2])), () => assert.strictEqual("long text ".repeat(5), "other text ".repeat(5)), () => assert.strictEqual({}, {}),
];
for (const attempt of attempts) {
  try { attempt(); console.log("passed"); } catch (e) { console.log(e.name, e.code, e.operator, e.generatedMessage); console.log(e.message); }
}
try { assert.strictEqual(1, 2); } catch (e) { console.log(e.actual, e.expected, e instanceof assert.AssertionError, e instanceof Error); }
assert.rejects(Promise.reject(new Error("async")), /async/).then(() => console.log("rejects ok")); assert.rejects(Promise.resolve(1)).catch((e) => console.log(e.message)); assert.strict.equal(1, 1);
