// A script is a module of Node's: `this` is what it exports, `return` ends it.
console.log(this, this === module.exports, typeof this);
this.answer = 42;
exports.more = [1, 2];
console.log(module.exports, this.answer, `${this.more}`, [this], { ...this });

const arrow = () => this;
console.log(arrow() === this, (() => (() => this.answer)())());
function plain() {
  return this === globalThis;
}
function strict() {
  "use strict";
  return this;
}
console.log(plain(), strict());

const thing = {
  name: "thing",
  arrow: () => this.name,
  method() {
    return this.name;
  },
  nested() {
    return [1].map(() => this.name);
  },
  get own() {
    return this.name;
  },
};
console.log(thing.arrow(), thing.method(), thing.nested(), thing.own);
const { method } = thing;
console.log(method());

class Kept {
  self = this;
  [this.answer] = "computed";
  static itself = this;
  static {
    this.made = true;
  }
  later() {
    return () => this;
  }
}
const kept = new Kept();
console.log(kept.self === kept, Kept.itself === Kept, Kept.made, Object.keys(kept));
console.log(kept.later()() === kept);

for (const attempt of [() => this.missing(), () => this.answer.b.c, () => this.more.none()]) {
  try {
    attempt();
  } catch (error) {
    console.log(`${error.name}: ${error.message}`);
  }
}

process.on("exit", (status) => console.log("exit", status));
setTimeout(() => console.log("later", this.answer), 5);
for (const item of this.more) {
  try {
    if (item > 1) return { item, list: [thing.method(), method()] };
  } finally {
    console.log("finally", item);
  }
}
console.log("never");
