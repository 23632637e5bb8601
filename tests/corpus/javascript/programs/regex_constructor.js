const r = /a/g; console.log(RegExp(r) === r, new RegExp(r) === r, RegExp(r, 'i'), RegExp.name, RegExp.length, RegExp.prototype.constructor === RegExp, RegExp[Symbol.species] === RegExp, /x/ instanceof RegExp, String(RegExp));
class R extends RegExp { constructor(p) { super(p, 'g'); } get n() { return 1; } }
console.log(new R('b'), new R('b').n, 'abc'.split(new R('b')), new R('b') instanceof RegExp);
console.log(RegExp, Object.getOwnPropertyNames(RegExp).length > 0, typeof RegExp, new RegExp(), RegExp(undefined, undefined), new RegExp('a/b', undefined));
try { new RegExp(Symbol()) } catch (e) { console.log(e.message) }
try { new RegExp('(') } catch (e) { console.log(e.stack.split('\n')[0], e.stack.split('\n').length > 1) }
const esc = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'); console.log(new RegExp(esc('a.b(c)')).test('a.b(c)'), esc('a.b'));
console.log(Object.prototype.toString.call(RegExp('x')), util = require('util').inspect(new R('zz')));
console.log(structuredClone(/x/gi), Reflect.construct(RegExp, ['a']), [/a/].map(String));
