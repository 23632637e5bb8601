// The usual CommonJS script shape.
"use strict";
const { format } = require("util");
function add(a, b) { return a + b; }
const sub = (a, b) => a - b;
async function main(args) {
  console.log(format("args: %j", args));
  const ops = { add, sub };
  for (const [name, fn] of Object.entries(ops)) console.log(name, fn(5, 3));
  return Object.keys(ops).length;
}
module.exports = { add, sub, main };
module.exports.default = main;
exports.ignored = true;
console.log(Object.keys(module.exports), module.exports === exports, typeof module.id, module.children.length, module.loaded);
console.log(require.main === module, require("path").basename(__filename), typeof require.resolve, require.resolve("fs"), typeof require.cache);
if (require.main === module) {
  main(process.argv.slice(2)).then((n) => console.log("done", n)).catch((e) => { console.error(e); process.exit(1); });
}
try { require("left-pad"); } catch (e) { console.log(e.code, e.message.split("\n")[0]); }
try { require("./missing-file"); } catch (e) { console.log(e.code, e.message.split("\n")[0]); }
try { require(""); } catch (e) { console.log(e.code, e.message); }
try { require(5); } catch (e) { console.log(e.code, e.message); }
require("fs").writeFileSync("helper.js", "exports.n = (exports.n ?? 0) + 1; exports.dir = __dirname === process.cwd(); exports.parentIsMain = require.main !== module;");
require("fs").writeFileSync("cls.js", "module.exports = class Greeter { hi() { return 'hi from ' + require('./helper').n } }");
require("fs").mkdirSync("lib"); require("fs").writeFileSync("lib/index.js", "module.exports = 'lib index: ' + require('../data.json').v;"); require("fs").writeFileSync("data.json", '{"v": 7}');
console.log(require("./helper"), require("./helper.js") === require("./helper"), new (require("./cls"))().hi(), require("./lib"));
delete require.cache[require.resolve("./helper")]; console.log(require("./helper").n);
require("fs").writeFileSync("bad.js", "module.exports = ;"); try { require("./bad"); } catch (e) { console.log(e.name); }
require("fs").writeFileSync("thrower.js", "throw new RangeError('at load')"); try { require("./thrower"); } catch (e) { console.log(e.name, e.message); }
require("fs").writeFileSync("a.js", "exports.early = 1; exports.b = require('./b').seen; exports.late = 2"); require("fs").writeFileSync("b.js", "exports.seen = Object.keys(require('./a'))"); console.log(require("./a"));
import("./helper.js").then((ns) => console.log(ns.n, ns.default.n, Object.keys(ns).sort()));
