const readline = require("readline");
const { Readable } = require("stream");
const input = Readable.from(["Ann\n", "3\n4\n", "quit\n"]);
const rl = readline.createInterface({ input });
(async () => {
  const lines = [];
  for await (const line of rl) lines.push(line);
  console.log(lines);
  const nums = lines.filter((l) => /^\d+$/.test(l)).map(Number);
  console.log("sum", nums.reduce((a, b) => a + b, 0));
})();
process.stdin.setEncoding("utf8");
let data = "";
process.stdin.on("data", (c) => (data += c));
process.stdin.on("end", () => setTimeout(() => console.log("stdin ended with", JSON.stringify(data)), 50));
