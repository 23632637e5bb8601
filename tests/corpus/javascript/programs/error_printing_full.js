// Errors printed whole: stacks are there, frames differ between engines.
function level3() { throw new TypeError("deep problem"); }
function level2() { try { level3(); } catch (e) { throw new Error("wrapped", { cause: e }); } }
try { level2(); } catch (e) { console.error(e); console.log(e); }
class DbError extends Error { constructor(m, o) { super(m, o); this.name = "DbError"; this.code = "ER_DUP"; this.query = { sql: "select 1", params: [1, "x"] }; } }
console.log(new DbError("duplicate", { cause: { host: "db1", retries: 3 } }));
console.log({ failed: true, error: new DbError("nested in object") });
console.log([new Error("in array"), "after"]);
console.log(new Map([["err", new Error("in map")]]));
console.log("message first:", new Error("as second arg"), "then text");
console.log(new AggregateError([new Error("a"), new RangeError("b")], "several failed"));
console.error("%s and %o", "formatted", 1); console.log("%s", new DbError("percent s"));
Promise.reject(new SyntaxError("async one")).catch((e) => console.warn("caught:", e));
const e = new Error("multi\nline message"); console.log(e);
const noMsg = new Error(); console.log(noMsg);
console.log(Object.assign(new Error("props"), { a: 1, nested: { b: { c: { d: 1 } } } }));
(async () => { try { await (async () => { throw new Error("from async"); })(); } catch (err) { console.log(err); } })();
