// What nobody caught is shown deeper than the console shows it, and does not show itself.
const { inspect } = require("util");
class ApiError extends Error {
  constructor(message, details, options) {
    super(message, options);
    this.details = details;
  }
  [inspect.custom]() {
    return `<${this.message}>`;
  }
}
const deep = { request: { headers: { accept: { types: { list: { first: { second: 1 } } } } } } };
const cause = new ApiError("below", { a: { b: { c: { d: 1 } } } });
const error = new ApiError("above", deep, { cause });
console.log(error, [error]);
throw error;
