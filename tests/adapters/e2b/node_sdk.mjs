/**
 * The unmodified npm SDK of E2B, driven as its users do; fails with what does not hold.
 *
 * Arguments: the folder with the package. Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { Sandbox } = createRequire(`${process.argv[2]}/`)("@e2b/code-interpreter");

const box = await Sandbox.create({ timeoutMs: 120_000, envs: { A: "1" }, metadata: { m: "ü" } });
const lines = [];
const run = await box.runCode(
  "import os\nprint('ü', os.environ['A'], os.environ['B'])\n{'a': [1, None]}",
  {
    envs: { B: "2" },
    onStdout: ({ line }) => lines.push(line),
  },
);
assert.equal(lines.join(""), "ü 1 2\n");
assert.equal(run.text, "{'a': [1, None]}");
assert.deepEqual(run.results[0].json, { a: [1, null] });
assert.equal((await box.runCode("1/0")).error.name, "ZeroDivisionError");

const context = await box.createCodeContext({ language: "javascript" });
await box.runCode("var y = 6", { context });
assert.equal((await box.runCode("'it' + y * 7", { context })).text, "it42");
await box.restartCodeContext(context);
assert.equal((await box.runCode("typeof y", { context })).text, "undefined");
await box.removeCodeContext(context);
assert(!(await box.listCodeContexts()).some(({ id }) => id === context.id));

await box.files.write("Ordner ä/größe 1.txt", "hällo");
assert.equal(await box.files.read("/home/user/Ordner ä/größe 1.txt"), "hällo");
assert.deepEqual((await box.files.list("/home/user")).map(({ name }) => name), ["Ordner ä"]);
assert.equal(await box.files.makeDir("d"), true);
assert.equal(await box.files.makeDir("d"), false);
assert.equal(await box.files.exists("nothing"), false);
await box.files.rename("Ordner ä/größe 1.txt", "new/place.txt");
assert.equal((await box.files.getInfo("new/place.txt")).size, 6);
await assert.rejects(box.files.read("nothing"), /nothing/);
await assert.rejects(box.commands.run("ls"), /no shell/);

const listed = await Sandbox.list({ query: { metadata: { m: "ü" } } }).nextItems();
assert.deepEqual(listed.map(({ sandboxId }) => sandboxId), [box.sandboxId]);
const again = await Sandbox.connect(box.sandboxId);
assert.equal((await again.runCode("_ = 5; 6")).text, "6");
await box.setTimeout(600_000);
assert((await box.getInfo()).endAt.getTime() > Date.now() + 500_000);
assert.equal(await box.kill(), true);
assert.equal(await again.isRunning(), false);
await assert.rejects(again.runCode("1"));
// a timer of the SDK would keep the process for another minute
process.exit(0);
