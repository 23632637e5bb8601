import { writeFileSync, mkdirSync } from "fs";
mkdirSync("lib", { recursive: true });
writeFileSync("lib/math.mjs", `
export const PI = 3.14159;
export default class Calculator { add(a, b) { return a + b; } }
export function square(x) { return x * x; }
export let counter = 0;
export const bump = () => ++counter;
console.log("math loaded");
`);
writeFileSync("lib/re.mjs", "export * from './math.mjs'; export { default as Calc } from './math.mjs'; import * as all from './math.mjs'; export const names = Object.keys(all).sort();");
writeFileSync("data.json", '{"items": [1, 2, 3]}');
const math = await import("./lib/math.mjs");
console.log(math.PI, math.square(5), new math.default().add(1, 2), Object.keys(math));
math.bump(); math.bump();
console.log(math.counter, (await import("./lib/math.mjs")) === math);
const re = await import("./lib/re.mjs");
console.log(re.names, new re.Calc().add(2, 3), re.counter, "default" in re);
console.log(math[Symbol.toStringTag], Object.prototype.toString.call(math), typeof math);
try { math.PI = 3; } catch (e) { console.log(e.name); }
try { await import("./lib/none.mjs"); } catch (e) { console.log(e.code); }
writeFileSync("lib/broken.mjs", "export const x = ;"); try { await import("./lib/broken.mjs"); } catch (e) { console.log(e.name); }
writeFileSync("lib/cjs.cjs", "module.exports = { hello: 'from cjs' }; module.exports.extra = 1;"); const cjs = await import("./lib/cjs.cjs"); console.log(cjs.default, cjs.default.hello);
