/**
 * Packages in node_modules folders of the workspace.
 */
import { assert, assertEquals } from "@std/assert";
import { runGuest } from "./support.ts";

const WRITE = `const fs = require('fs');
const put = (path, content) => {
  fs.mkdirSync(path.slice(0, path.lastIndexOf('/')), { recursive: true });
  fs.writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
};
const say = (f) => { try { console.log(f()) } catch (e) { console.log(e.code) } };
`;

Deno.test("packages: main, index, scopes, and files in them", async () => {
  const { stdout } = await runGuest(`${WRITE}
put('node_modules/one/package.json', { main: './lib/entry' });
put('node_modules/one/lib/entry.js', "module.exports = { one: 1, two: require('two') }");
put('node_modules/one/other.js', "exports.other = 1");
put('node_modules/two/index.js', "module.exports = 2");
put('node_modules/one/node_modules/two/index.js', "module.exports = 'its own two'");
put('node_modules/@scope/three/index.mjs', "export default 3; export const three = 3");
put('node_modules/broken/package.json', "{");
put('node_modules/broken/index.js', "module.exports = 'broken'");
put('sub/dir/file.js', "module.exports = [require('two'), require.resolve('two')]");
say(() => JSON.stringify(require('one')));
say(() => require('one/other').other + require('one/other.js').other);
say(() => require('two'));
say(() => require('broken'));
say(() => JSON.stringify(require('./sub/dir/file')));
say(() => require('none'));
say(() => require('one/none'));
say(() => require('http'));
import('@scope/three').then((m) => console.log(m.default + m.three), (e) => console.log(e.message));
import('none').catch((e) => console.log(e.code));
`);
  assertEquals(stdout.trim().split("\n"), [
    '{"one":1,"two":"its own two"}',
    "2",
    "2",
    "broken",
    '[2,"/workspace/node_modules/two/index.js"]',
    "MODULE_NOT_FOUND",
    "MODULE_NOT_FOUND",
    "MODULE_NOT_FOUND",
    "6",
    "ERR_MODULE_NOT_FOUND",
  ]);
});

Deno.test("packages: exports decide which files can be loaded, and under which condition", async () => {
  const { stdout } = await runGuest(`${WRITE}
put('node_modules/dual/package.json', { main: 'no.js', exports: {
  '.': { import: './esm.mjs', require: './cjs.cjs' },
  './part': { browser: './no.js', default: './part.js' },
  './features/*': './src/*.js',
  './features/hidden': null,
} });
put('node_modules/dual/esm.mjs', "export default 'esm'");
put('node_modules/dual/cjs.cjs', "module.exports = 'cjs'");
put('node_modules/dual/part.js', "module.exports = 'part'");
put('node_modules/dual/src/a.js', "module.exports = 'a'");
put('node_modules/dual/src/hidden.js', "module.exports = 'hidden'");
put('node_modules/plain/package.json', { exports: './only.js' });
put('node_modules/plain/only.js', "module.exports = 'only'");
for (const id of ['dual', 'dual/part', 'dual/features/a', 'dual/features/hidden', 'dual/cjs.cjs', 'plain', 'plain/only.js']) {
  say(() => require(id));
}
import('dual').then((m) => console.log(m.default));
`);
  assertEquals(stdout.trim().split("\n"), [
    "cjs",
    "part",
    "a",
    "MODULE_NOT_FOUND",
    "MODULE_NOT_FOUND",
    "only",
    "MODULE_NOT_FOUND",
    "esm",
  ]);
});

Deno.test("packages: a search that finds nothing is cheap", async () => {
  const first = await runGuest("0");
  const search = await runGuest("try { require('nothing') } catch {} 0");
  assert(search.fuelConsumed - first.fuelConsumed < 5e6);
});

Deno.test("packages: a file that does not fit into memory is no missing package", async () => {
  const { stdout } = await runGuest(
    `${WRITE}
fs.mkdirSync('node_modules/large', { recursive: true });
const piece = '// ' + 'x'.repeat(1e6);
for (let i = 0; i < 4; i++) fs.appendFileSync('node_modules/large/index.js', piece);
const kept = [];
while (process.memoryUsage().rss < 58e6) kept.push(new Uint8Array(1e6));
try { require('large') } catch (error) { console.log(error.code, error.message) }
`,
    { fuel: 20e9 },
  );
  assertEquals(
    stdout,
    "ENOMEM ENOMEM: not enough memory, read '/workspace/node_modules/large/index.js'\n",
  );
});
