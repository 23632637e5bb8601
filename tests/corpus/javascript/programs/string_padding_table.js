const items = [
  { name: "Coffee", qty: 2, price: 3.5 },
  { name: "Blueberry muffin", qty: 1, price: 4.25 },
  { name: "Tea", qty: 10, price: 2 },
];
const W = { name: Math.max(...items.map((i) => i.name.length)), qty: 5, price: 10 };
const line = "+" + "-".repeat(W.name + 2) + "+" + "-".repeat(W.qty + 2) + "+" + "-".repeat(W.price + 2) + "+";
console.log(line);
for (const { name, qty, price } of items) {
  console.log(`| ${name.padEnd(W.name)} | ${String(qty).padStart(W.qty)} | ${price.toFixed(2).padStart(W.price, ".")} |`);
}
console.log(line);
console.log("=".repeat(20), "centered".padStart(14, "*").padEnd(20, "*"));
console.log("abc".at(-1), "abc".charCodeAt(1), "  trim me ".trim() + "|", " x ".trimEnd() + "|");
console.log("title case me".replace(/\b\w/g, (c) => c.toUpperCase()));
console.log("The quick brown fox".split(" ").map((w) => w[0].toUpperCase() + w.slice(1).toLowerCase()).join(""));
console.log([..."stressed"].reverse().join(""), "ab".localeCompare("b"), "x".repeat(0) === "");
console.log((1234.5678).toFixed(1), (0.000001234).toString(), (1e21).toString(), (255).toString(16), (255).toString(2));
console.log((1234.5678).toPrecision(6), (1234.5678).toExponential(2), Number("0x1f"), parseInt("101", 2), +"  12  ");
console.log("I\u0307".toLowerCase().length, "ß".toUpperCase(), "ǅ".toLowerCase());
console.log("%s is %d years and %i, %f, %j %o %O %%", "Bob", 42.5, 42.9, "3.5", { a: 1 }, [1], { b: { c: {} } }, "extra");
console.log("a-b-c".split("-", 2), "abc".substring(2, 0), "abc".substr(-2, 1), "abc".slice(-2, -1));
console.log(`multi
line ${1 + 1} ${[1, 2, [3]]} ${{}} ${null} ${undefined}`);
console.log(String.raw`C:\new\table${1}`, "tab\tquote\"'`\\", ["tab\tquote\"'`\\", "it's", `a"b'c`, "\u0007\x1b[0m"]);
