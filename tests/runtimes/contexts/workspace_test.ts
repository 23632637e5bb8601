import { assertEquals } from "@std/assert";
import type { WorkspaceFile } from "../../../shared/run_in_context.ts";
import { assertNothingOrphaned, refusalOf, startHost, TestContext, valueOf } from "./test_host.ts";

const READ = "require('fs').readdirSync('/workspace', { recursive: true }).sort().join()";

function file(path: string, text: string): WorkspaceFile {
  return { path, data: new TextEncoder().encode(text), updatedAt: 1_000 };
}

Deno.test("workspace: files are requested once, and only missing ones", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  await context.run("1");
  assertEquals(context.asked, []); // nothing is missing, so nothing is requested
  context.put("/workspace/a", "one");
  context.put("/workspace/in/b", "two");
  assertEquals(await context.value(READ), "'a,in,in/b'");
  assertEquals(context.asked.splice(0), [["/workspace/a", "/workspace/in/b"]]);
  await context.run("require('fs').writeFileSync('c', 'own')");
  await context.run("1");
  assertEquals(context.asked, []); // the isolate has the files that the guest wrote
  context.put("/workspace/a", "changed");
  context.files.delete("/workspace/in/b");
  assertEquals(await context.value("require('fs').readFileSync('a', 'utf8')"), "'changed'");
  assertEquals(context.asked.splice(0), [["/workspace/a"]]);
  context.put("/workspace/copy", "changed");
  await context.run("1");
  assertEquals(context.asked, [["/workspace/copy"]]);
  await assertNothingOrphaned([context]);
});

Deno.test("workspace: a file that does not arrive, or is a different one, is an internal error", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  await context.run("let x = 1");
  context.put("/workspace/a", "one");
  context.put("/workspace/b", "two");
  const wrong: readonly (readonly WorkspaceFile[])[] = [
    [],
    [file("/workspace/a", "one")],
    [file("/workspace/a", "one"), file("/workspace/c", "two")],
    [file("/workspace/a", "one"), file("/workspace/b", "another")],
    [file("/workspace/a", "one"), { ...file("/workspace/b", "two"), data: Reflect.get({}, "no") }],
  ];
  for (const files of wrong) {
    const answer = await context.call("x = 2", {}, () => Promise.resolve(files));
    assertEquals(refusalOf(answer).slice(0, 2), [500, "INTERNAL_ERROR"]);
    assertEquals(context.asked.splice(0).length, 1);
  }
  const noFiles: readonly WorkspaceFile[] = JSON.parse("null");
  const odd = [() => Promise.resolve(noFiles), () => Promise.reject(new Error("no"))];
  for (const getFiles of odd) {
    const answer = await context.call("x = 2", {}, getFiles);
    assertEquals(refusalOf(answer).slice(0, 2), [500, "INTERNAL_ERROR"]);
  }
  assertEquals(await context.value("x"), "1");
  await assertNothingOrphaned([context]);
});

Deno.test("workspace: files that were not requested do no harm", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  context.put("/workspace/a", "one");
  const more = [file("/workspace/a", "one"), file("/workspace/extra", "x"), file("/etc/x", "x")];
  const answer = await context.call(READ, {}, () => Promise.resolve(more));
  assertEquals(answer.ok && valueOf(answer.result), "'a'");
});

Deno.test("workspace: an invalid manifest is refused", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  const paths = [
    "/etc/passwd",
    "/workspace/../x",
    "/workspace//x",
    "x",
    "/workspace/./x",
    "/workspace/a\0",
  ];
  for (const path of [...paths, "/workspaces/x", `/workspace/${"x".repeat(256)}`]) {
    for (
      const workspace of [{ dirs: [path], manifest: {} }, { dirs: [], manifest: { [path]: "0" } }]
    ) {
      const refused = refusalOf(await context.call("1", { workspace }));
      assertEquals(refused.slice(0, 2), [400, "VALIDATION_FAILED"], path);
    }
  }
  assertEquals(context.asked, []);
});

Deno.test("workspace: changes of files and directories are reported exactly", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  for (const name of ["a", "b", "in/c", "in/d"]) context.put(`/workspace/${name}`, name);
  const { workspace } = await context.run(`const fs = require('fs');
    fs.unlinkSync('a'); fs.mkdirSync('a'); fs.writeFileSync('a/new', 'n');
    fs.rmSync('in', { recursive: true }); fs.writeFileSync('in', 'file');
    fs.writeFileSync('b', 'b'); fs.writeFileSync('short', 's'); fs.unlinkSync('short')`);
  assertEquals(workspace.dirs, ["/workspace/a"]);
  assertEquals(
    workspace.files.map(({ path, data }) => [path, new TextDecoder().decode(data)]).sort(),
    [
      ["/workspace/a/new", "n"],
      ["/workspace/b", "b"],
      ["/workspace/in", "file"],
    ],
  );
  assertEquals([...workspace.deleted].sort(), [
    "/workspace/a",
    "/workspace/in/c",
    "/workspace/in/d",
  ]);
  assertEquals(await context.value(READ), "'a,a/new,b,in'");
  assertEquals(context.asked.length, 1);
});

Deno.test("workspace: names such as __proto__ are ordinary names", async () => {
  await using host = await startHost("javascript");
  const context = await TestContext.create(host);
  for (const name of ["__proto__", "constructor", "toString"]) {
    context.put(`/workspace/${name}`, name);
  }
  assertEquals(await context.value(READ), "'__proto__,constructor,toString'");
});
