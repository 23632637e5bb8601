import { sep } from "node:path";

console.log(this, (() => this)(), sep);
class Own {
  value = typeof this;
}
console.log(new Own().value);
try {
  this.anything;
} catch (error) {
  console.log(error.message);
}
