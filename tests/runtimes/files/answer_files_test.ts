/** Large answers as files of the workspace. */
import { assert, assertEquals } from "@std/assert";
import { writeAnswer } from "../../../runtimes/files/answer_files.ts";
import { testFiles } from "./support.ts";

function contentOf(files: ReturnType<typeof testFiles>["files"], path: string): string {
  const inode = files.resolve(path);
  assert(inode.kind === "file");
  return new TextDecoder().decode(inode.content.share());
}

Deno.test("writeAnswer() writes a text as it is, and other values as JSON", () => {
  const { files } = testFiles();
  const contents: readonly (readonly [json: string, text: string, type: string])[] = [
    ['{"a":[1,12345678901234567890]}', '{"a":[1,12345678901234567890]}', "json"],
    ["[]", "[]", "json"],
    ['"a\\n\\u00e9\\"b"', 'a\né"b', "txt"],
    ['"\\ud800"', "\ufffd", "txt"],
  ];
  for (const [json, text, type] of contents) {
    const written = writeAnswer(files, json);
    assert(typeof written === "object", json);
    assert(
      new RegExp(`^/workspace/\\.belljar/answer-[0-9a-f]{16}\\.${type}$`).test(written.file),
      written.file,
    );
    assertEquals(contentOf(files, written.file), text);
    assertEquals(written.bytes, new TextEncoder().encode(text).length);
    assertEquals(writeAnswer(files, json), written);
  }
  assertEquals(files.entries("/workspace/.belljar").length, contents.length);
});

Deno.test("writeAnswer() gives each content a name, and puts it in place of a changed file", () => {
  const { files } = testFiles();
  const [one, other] = [writeAnswer(files, '"one"'), writeAnswer(files, '"other"')];
  assert(typeof one === "object" && typeof other === "object" && one.file !== other.file);
  files.truncate(one.file, 1);
  assertEquals(writeAnswer(files, '"one"'), one);
  assertEquals(contentOf(files, one.file), "one");
});

Deno.test("writeAnswer() gives the reason where there is no room or no directory, and leaves no file", () => {
  const { files } = testFiles({ workspaceBytes: 100, fileBytes: 80, entries: 4 });
  assertEquals(writeAnswer(files, `"${"x".repeat(81)}"`), "EFBIG");
  assert(typeof writeAnswer(files, `"${"x".repeat(60)}"`) === "object");
  assertEquals(writeAnswer(files, `"${"y".repeat(60)}"`), "ENOSPC");
  assertEquals(files.entries("/workspace/.belljar").length, 1);
  const { files: others } = testFiles();
  const { file } = Object(writeAnswer(others, "[1]"));
  others.removeFile(file);
  others.makeDirectory(file);
  assertEquals(writeAnswer(others, "[1]"), "EISDIR");
  others.removeDirectory(file);
  others.removeDirectory("/workspace/.belljar");
  const descriptor = others.open("/workspace/.belljar", { write: true, create: true });
  others.descriptors.close(descriptor);
  assertEquals(writeAnswer(others, "[1]"), "ENOTDIR");
});
