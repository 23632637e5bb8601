// More of what the language itself throws, and of what it says when code is refused.
"use strict";
const cases = {
  frozenElement: () => { const list = Object.freeze([1, 2]); list[0] = 5; },
  frozenProperty: () => { const one = Object.freeze({ a: 1 }); one.a = 2; },
  defineOnNumber: () => Object.defineProperty(1, "x", {}),
  definePropertiesOnText: () => Object.defineProperties("x", {}),
  createFromNumber: () => Object.create(1),
  prototypeOfNumber: () => Object.setPrototypeOf({}, 5),
  fromWithNumber: () => Array.from([1], 2),
  promiseCall: () => Promise(() => {}),
  mapCall: () => Map(),
  instanceOfArrow: () => ({}) instanceof (() => {}),
  shiftBigInt: () => 1n >>> 0n,
  setBeyond: () => new Uint8Array(2).set([1, 2, 3]),
  badLength: () => { [].length = -1; },
};
for (const [name, run] of Object.entries(cases)) {
  try { console.log(name, "no error:", run()); } catch (e) { console.log(`${name}: ${e.name}: ${e.message}`); }
}
