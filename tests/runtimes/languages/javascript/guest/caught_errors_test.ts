/** Errors that a program catches: their cost, and that other thrown values are not touched. */
import { assert, assertEquals } from "@std/assert";
import { runGuest } from "./support.ts";

/** Fuel of a program that does something a number of times. */
async function fuelOf(times: number, code: string, before = ""): Promise<number> {
  const { ending, fuelConsumed } = await runGuest(
    `${before};for (let i = 0; i < ${times}; i++) { ${code} }`,
  );
  assertEquals(ending, { kind: "none" }, code);
  return fuelConsumed;
}

Deno.test("caught errors: a repeated error costs no more than one that the program makes itself", async () => {
  const cost = async (code: string, before?: string) =>
    await fuelOf(600, code, before) - await fuelOf(100, code, before);
  const own = await cost("try { throw new Error('x') } catch {}");
  const cases: readonly (readonly [code: string, most: number, before?: string])[] = [
    ["try { null.x } catch {}", 1.5],
    ["try { undefined() } catch {}", 1.5],
    ["try { none } catch {}", 1.5],
    ["try { [].reduce((a) => a) } catch {}", 2],
    ["try { f({}) } catch (e) { e.message }", 2, "function f(o) { return o.x.y }"],
    ["try { ((o) => o.x.y)({}) } catch {}", 2.5],
    ["try { JSON.parse('{') } catch {}", 6],
  ];
  for (const [code, most, before] of cases) {
    const ratio = await cost(code, before) / own;
    assert(ratio < most, `${code}: ${ratio} times`);
  }
});

Deno.test("caught errors: each error describes its own position, however often it occurred before", async () => {
  const { stdout } = await runGuest(`
const say = (f, ...given) => { try { f(...given) } catch (e) { console.log(e.message, e.stack.split('\\n')[1].trim()) } };
const o = {};
const read = (v) => v.a.b;
for (const v of [null, {}, undefined, { a: null }]) say(read, v);
for (const name of ['p', 'q']) say(() => o[name]());
for (let i = 0; i < 2; i++) say(() => o.one()), say(() => o.two());
for (const text of ['u()', 'v()']) say(() => eval(text));
for (const text of ['[1', '{"a":}', '']) say(() => JSON.parse(text));
for (const text of ['(', '[']) say(() => new RegExp(text));
`);
  assertEquals(stdout.split("\n").map((line) => line.replace(/ at .*$/, "")), [
    "cannot read property 'a' of null",
    "cannot read property 'b' of undefined",
    "cannot read property 'a' of undefined",
    "cannot read property 'b' of null",
    ...Array.from({ length: 6 }, () => "not a function"),
    ...["u is not defined", "v is not defined"],
    "Expected ',' or ']' after array element in JSON",
    "unexpected token: '}'",
    "Unexpected end of JSON input",
    "expecting ')'",
    "unexpected end",
    "",
  ]);
});

Deno.test("caught errors: their message and stack are ordinary properties", async () => {
  const { stdout } = await runGuest(`
const show = (e) => {
  const { value, ...rest } = Object.getOwnPropertyDescriptor(e, 'message');
  console.log(typeof value, JSON.stringify(rest), Object.keys(e).length, Object.getOwnPropertyNames(e).sort().join());
};
for (let i = 0; i < 2; i++) { try { null.x } catch (e) { show(e) } try { JSON.parse('{') } catch (e) { show(e) } }
try { null.x } catch (e) { e.message = 'mine'; try { throw e } catch (f) { console.log(f.message, f === e) } }
try { null.x } catch (e) { delete e.stack; try { throw e } catch (f) { console.log(typeof f.stack) } }
Error.prepareStackTrace = (e, sites) => sites.length + e.message.length;
try { null.x } catch (e) { console.log(typeof e.stack, e.stack > 0) }
`);
  const line = 'string {"writable":true,"enumerable":false,"configurable":true} 0 message,stack';
  assertEquals(stdout, `${`${line}\n`.repeat(4)}mine true\nstring\nnumber true\n`);
});

Deno.test("thrown values: a value that is not an error is neither read nor written, and gets no stack", async () => {
  const { stdout } = await runGuest(`
let asked = 0;
Error.prepareStackTrace = () => { asked++; return '' };
const plain = { message: 'not a function' };
const getter = { get message() { asked++; return 'not a function' } };
const proxy = new Proxy({}, new Proxy({}, { get() { asked++ } }));
for (const thrown of [plain, getter, proxy, 1, 'text', null, undefined, () => 1, [1]]) {
  try { throw thrown } catch (e) { if (e !== thrown) console.log('another') }
}
console.log(asked, JSON.stringify(plain), Object.getOwnPropertyNames(plain).join());
const made = new Error('x');
asked = 0;
try { throw made } catch {}
try { throw made } catch {}
console.log(asked);
`);
  assertEquals(stdout, '0 {"message":"not a function"} message\n0\n');
});

Deno.test("thrown values: a DOMException has its stack", async () => {
  const { stdout } = await runGuest(
    "try { structuredClone(() => 1) } catch (e) { console.log(e.name, typeof e.stack, e.stack.includes('at main.js:1:')) }",
  );
  assertEquals(stdout, "DataCloneError string true\n");
});
