/**
 * Commands of the unmodified npm SDK of E2B, as its users run them; fails with what does not hold.
 *
 * Arguments: the folder with the package. Environment: E2B_API_KEY, E2B_API_URL, E2B_SANDBOX_URL.
 */
import assert from "node:assert/strict";
import { createRequire } from "node:module";

const { Sandbox, CommandExitError, NotFoundError, TimeoutError } = createRequire(
  `${process.argv[2]}/`,
)("@e2b/code-interpreter");

const box = await Sandbox.create({ timeoutMs: 120_000, envs: { BOX: "1" } });
const said = [];
const ran = await box.commands.run("printf 'ü\\nb'; echo e >&2; echo $BOX$OWN >> f", {
  envs: { OWN: "2" },
  onStdout: (text) => said.push(text),
  onStderr: (text) => said.push(text),
});
assert.deepEqual([ran.stdout, ran.stderr, ran.exitCode], ["ü\nb", "e\n", 0]);
assert.equal([...said.join("")].sort().join(""), [..."ü\nbe\n"].sort().join(""));
assert.equal(await box.files.read("f"), "12\n");
await assert.rejects(
  box.commands.run("echo no >&2; exit 7"),
  (error) => error instanceof CommandExitError && error.exitCode === 7 && error.stderr === "no\n",
);
await box.files.makeDir("d e");
assert.match((await box.commands.run("pwd", { cwd: "/home/user/d e" })).stdout, /d e\n$/);

const handle = await box.commands.run("echo begun; while true; do :; done", { background: true });
const listed = await box.commands.list();
assert.deepEqual(listed.map(({ pid }) => pid), [handle.pid]);
const followed = await box.commands.connect(handle.pid);
assert.equal(await box.commands.kill(handle.pid), true);
await assert.rejects(followed.wait(), CommandExitError);
await assert.rejects(handle.wait(), CommandExitError);
assert.equal(await box.commands.kill(handle.pid), false);
await assert.rejects(box.commands.connect(handle.pid), NotFoundError);
await assert.rejects(
  box.commands.run("while true; do :; done", { timeoutMs: 1_000 }),
  TimeoutError,
);
await assert.rejects(box.commands.run("cat", { background: true, stdin: true }), /input/);

const run = await box.runCode("x=5; echo $x; mkdir d; cd d", { language: "bash" });
assert.equal(run.logs.stdout.join(""), "5\n");
assert.equal(
  (await box.runCode("echo $x; pwd", { language: "bash" })).logs.stdout.join(""),
  "5\n/workspace/d\n",
);
await box.kill();
// a timer of the SDK would keep the process for another minute
process.exit(0);
