const assert = require("node:assert/strict");
const tests = [];
const describe = (name, fn) => { describe.stack.push(name); fn(); describe.stack.pop(); };
describe.stack = [];
const it = (name, fn) => tests.push({ name: [...describe.stack, name].join(" > "), fn });
describe("Calculator", () => {
  describe("add", () => {
    it("adds numbers", () => assert.equal(1 + 2, 3));
    it("concatenates strings", () => assert.equal("1" + 2, "12"));
    it("fails on purpose", () => assert.equal(0.1 + 0.2, 0.3));
  });
  it("async passes", async () => { await new Promise((r) => setTimeout(r, 5)); assert.deepEqual([1, 2], [1, 2]); });
  it("async fails", async () => { await null; throw new Error("network down"); });
  it("deep diff", () => assert.deepEqual({ user: { name: "Ann", roles: ["a", "b"] } }, { user: { name: "Ann", roles: ["a", "c"] } }));
});
(async () => {
  const summary = { passed: 0, failed: 0 };
  for (const { name, fn } of tests) {
    try { await fn(); summary.passed++; console.log(`✓ ${name}`); }
    catch (e) { summary.failed++; console.log(`✗ ${name}`); console.log(e.message.split("\n").map((l) => "    " + l).join("\n")); }
  }
  console.log(summary);
  console.log(`${summary.passed}/${tests.length} passed`);
  if (summary.failed) process.exitCode = 1;
})();
