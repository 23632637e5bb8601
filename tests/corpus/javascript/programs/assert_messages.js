const assert = require('node:assert');
const t = (f) => { try { f(); console.log('fine'); } catch (e) { console.log(e.name, e.code, e.generatedMessage, JSON.stringify(e.message), e.operator); } };
const x = 0;
t(() => assert(x)); t(() => assert(x === 1)); t(() => { assert.ok(x && typeof x === 'string'); });
function add(a, b) { assert(typeof a === 'number', 'a must be a number'); assert(b > 0); return a + b; }
t(() => add('1', 2)); t(() => add(1, -2));
t(() => assert.ok(
  x ===
    2,
));
t(() => assert.strict.ok(null)); t(() => assert()); t(() => assert(undefined)); t(() => assert(0, undefined)); t(() => assert(false, new TypeError('own')));
const { ok, strict } = assert; t(() => ok(!1)); t(() => strict(''));
class A { m(v) { assert(v.includes('z')); } static s = () => assert(NaN); } t(() => new A().m('abc')); t(A.s);
t(() => assert.equal(1, 2)); t(() => assert.strictEqual('a', 'b')); t(() => assert.strictEqual(1, 2, 'msg')); t(() => assert.deepStrictEqual({ a: 1, b: [1, 2] }, { a: 1, b: [1, 3] }));
t(() => assert.deepEqual([1, 2, 3], [1, 2, 4])); t(() => assert.notStrictEqual(1, 1)); t(() => assert.throws(() => {})); t(() => assert.throws(() => { throw new Error('a'); }, /b/)); t(() => assert.match('abc', /x/)); t(() => assert.notDeepStrictEqual({ a: 1 }, { a: 1 }));
t(() => assert.strictEqual('a\nb\nc', 'a\nb\nd')); t(() => assert.strictEqual(NaN, 0)); t(() => assert.deepStrictEqual(new Map([[1, 2]]), new Map([[1, 3]]))); t(() => assert.deepStrictEqual([1, 2], [1, 2, 3])); t(() => assert.deepStrictEqual(new Set([1]), new Set([2]))); t(() => assert.deepStrictEqual(new Date(0), new Date(1))); t(() => assert.fail('boom')); t(() => assert.fail()); t(() => assert.ifError(new Error('e'))); t(() => assert.ifError(null)); t(() => assert.doesNotThrow(() => { throw new Error('q'); })); t(() => assert.rejects(Promise.resolve(1)).catch((e) => console.log(e.message)));
t(() => assert.strictEqual(1, '1')); t(() => assert.strictEqual([1], [1])); t(() => assert.equal(null, undefined)); t(() => assert.equal('1', 1)); t(() => assert.deepStrictEqual({ a: { b: { c: 1 } } }, { a: { b: { c: 2 } } }));
[1, 2, 0].forEach((n) => t(() => assert(n)));
assert(x, );
