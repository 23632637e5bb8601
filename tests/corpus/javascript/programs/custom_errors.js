class AppError extends Error {
  constructor(message, { code = "E_APP", cause, ...details } = {}) {
    super(message, { cause });
    this.name = this.constructor.name;
    this.code = code;
    Object.assign(this, details);
  }
}
class HttpError extends AppError { get retryable() { return this.status >= 500; } }
class ValidationError extends AppError { constructor(field, why) { super(`${field} ${why}`, { code: "E_VALID", field }); } }
function parseAge(s) {
  const n = Number(s);
  if (Number.isNaN(n)) throw new ValidationError("age", "is not a number");
  if (n < 0) throw new RangeError("negative age");
  return n;
}
for (const input of ["42", "abc", "-1"]) {
  try {
    console.log(parseAge(input));
  } catch (e) {
    if (e instanceof ValidationError) console.log("validation:", e.message, e.code, e.field, e.name);
    else console.log("other:", `${e}`, e.stack.split("\n")[0]);
  } finally {
    console.log("checked", input);
  }
}
const http = new HttpError("Service down", { status: 503, cause: new Error("ECONNREFUSED") });
console.log(http.retryable, http.cause.message, http instanceof AppError, Object.prototype.toString.call(http), JSON.stringify(http), Object.keys(http));
console.log(http.stack.split("\n")[0], http.toString(), Object.getOwnPropertyNames(new Error("m")).sort());
const f = () => { try { return "try"; } finally { console.log("finally runs"); } };
const g = () => { for (const x of [1, 2]) { try { continue; } finally { console.log("loop", x); } } try { throw 1; } catch { return "caught"; } finally { return "finally wins"; } };
console.log(f(), g());
try { try { throw new Error("inner"); } finally { console.log("cleanup"); } } catch ({ message, name }) { console.log(name, message); }
for (const v of ["string", 42, null, undefined, { a: 1 }, [1]]) try { throw v; } catch (e) { console.log("threw", e); }
const agg = new AggregateError([new Error("one"), new TypeError("two")], "several");
console.log(agg.name, agg.message, agg.errors.length, agg.errors.map((e) => e.constructor.name));
console.log(new Error("x", { cause: "str" }).cause, "cause" in new Error("y"), Error("no new").message, Error.prototype.name, new Error().message === "");
Promise.reject(new HttpError("async", { status: 404 })).catch((e) => console.log(e.name, e.status, e.retryable));
