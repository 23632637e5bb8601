if (/^(\w+)\s(\w+)$/.test("hello world")) console.log(`${RegExp.$2} ${RegExp.$1}`);
/(\d+)-(\d+)/.exec("x 12-34 y");
console.log([RegExp.$1, RegExp.$2, RegExp.$3, RegExp.lastMatch, RegExp["$&"], RegExp.lastParen, RegExp["$+"], RegExp.leftContext, RegExp["$`"], RegExp.rightContext, RegExp["$'"], RegExp.input, RegExp.$_].join("|"));
"a1b2".replace(/([a-z])(\d)/g, "");
console.log(RegExp.$1 + RegExp.$2, RegExp.lastMatch);
console.log(/nothing/.test("else"), RegExp.$1, "a-b_c".split(/[-_]/), "x1y22".match(/\d+/g), RegExp.lastMatch);
const line = "key = value"; if (line.match(/(\w+)\s*=\s*(\w+)/)) console.log({ [RegExp.$1]: RegExp.$2 });
console.log([..."a1b2".matchAll(/[a-z](\d)/g)].map((m) => m[1]), RegExp.$1, /x(y)?/.exec("x"), RegExp.$1 === "", RegExp.prototype.exec.name, /a/y.test("ba"));
console.log("2024-05-06".replace(/(\d+)-(\d+)-(\d+)/, "$3.$2.$1"), "aaa".replaceAll(/a/g, (m, i) => i), "abc".search(/c/), "x".padEnd(2));
