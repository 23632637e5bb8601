import { assert, assertEquals, assertMatch } from "@std/assert";
import { Buffer } from "node:buffer";
import {
  type Body,
  CONTEXT_LANGUAGES,
  sandboxTarget,
  shareService,
  type TargetSandbox,
} from "./sandbox_target.ts";

shareService();

const MIB = 1024 * 1024;
const text = (value: string) => JSON.stringify(value);

/** Why an operation fails: status, code, errno. */
type Failure = readonly [number, string, string];

const MISSING: Failure = [404, "FILE_NOT_FOUND", "ENOENT"];
const EXISTS: Failure = [409, "FILE_EXISTS", "EEXIST"];
const DENIED: Failure = [403, "PERMISSION_DENIED", "EACCES"];
const IS_DIRECTORY: Failure = [400, "IS_DIRECTORY", "EISDIR"];
const NOT_DIRECTORY: Failure = [400, "NOT_DIRECTORY", "ENOTDIR"];
const NOT_EMPTY: Failure = [400, "FILESYSTEM_ERROR", "ENOTEMPTY"];
const INVALID: Failure = [400, "FILESYSTEM_ERROR", "EINVAL"];
const TOO_LONG: Failure = [400, "FILESYSTEM_ERROR", "ENAMETOOLONG"];
const TOO_LARGE: Failure = [413, "FILE_TOO_LARGE", "EFBIG"];
const NO_SPACE: Failure = [507, "NO_SPACE", "ENOSPC"];

/** In a workspace of a file `f`, a directory `d` with `d/in`, and an empty one `e`. */
const FAILURES: readonly (readonly [string, string, Failure, Body?])[] = [
  ...["read", "stat", "list", "delete"].map((op) => [op, "none", MISSING] as const),
  ...["read", "stat", "list", "delete"].map((op) => [op, "f/in", NOT_DIRECTORY] as const),
  ...["read", "write", "mkdir", "delete", "list", "exists", "stat"].flatMap((op) => [
    [op, "../out", DENIED, { content: "" }] as const,
    [op, "/etc/passwd", DENIED, { content: "" }] as const,
    [op, "n".repeat(256), TOO_LONG, { content: "" }] as const,
    [op, "/workspace/" + "é/".repeat(400), TOO_LONG, { content: "" }] as const,
  ]),
  ["rename", "f", DENIED, { newPath: "/tmp/f" }],
  ["read", "d", IS_DIRECTORY],
  ["write", "d", IS_DIRECTORY, { content: "" }],
  ["write", "none/f", MISSING, { content: "" }],
  ["write", "f/in/f", NOT_DIRECTORY, { content: "", recursive: true }],
  ["write", "big", TOO_LARGE, { content: "x".repeat(4 * MIB + 1) }],
  ["mkdir", "d", EXISTS],
  ["mkdir", "f", EXISTS, { recursive: true }],
  ["mkdir", "none/d", MISSING],
  ["delete", "d", IS_DIRECTORY],
  ["delete", "/workspace", DENIED, { recursive: true, force: true }],
  ["list", "f", NOT_DIRECTORY],
  ...["rename", "move"].flatMap((op) => [
    [op, "none", MISSING, { newPath: "x" }] as const,
    [op, "f", MISSING, { newPath: "none/x" }] as const,
    [op, "f", IS_DIRECTORY, { newPath: "d" }] as const,
    [op, "d", NOT_DIRECTORY, { newPath: "f" }] as const,
    [op, "e", NOT_EMPTY, { newPath: "d" }] as const,
    [op, "d", INVALID, { newPath: "d/in/x" }] as const,
    [op, "f", NOT_DIRECTORY, { newPath: "f/x" }] as const,
  ]),
];

async function fails(
  box: TargetSandbox,
  op: string,
  path: string,
  [status, code, errno]: Failure,
  fields: Body = {},
): Promise<void> {
  const response = await box.send("POST", "/files", { op, path, ...fields });
  const error = await response.json();
  const told = [error.code, error.operation, error.context?.operation, error.context?.errno];
  const said = `${op} ${path.slice(0, 40)} ${JSON.stringify(fields).slice(0, 60)}`;
  assertEquals([response.status, ...told], [status, code, `file.${op}`, op, errno], said);
  assertEquals([error.context.path, error.httpStatus], [path, status], said);
  assert(typeof error.message === "string" && error.message !== "" && !("stack" in error));
}

/** How each language does what the tests do. All names are plain ASCII or in Unicode. */
const GUEST = {
  javascript: {
    read: (path: string) => `require('fs').readFileSync(${text(path)}, 'utf8')`,
    write: (path: string, value: string) =>
      `require('fs').writeFileSync(${text(path)}, ${text(value)}); 1`,
    mkdir: (path: string) => `require('fs').mkdirSync(${text(path)}, { recursive: true }); 1`,
    remove: (path: string) => `require('fs').rmSync(${text(path)}, { recursive: true }); 1`,
    rename: (from: string, to: string) => `require('fs').renameSync(${text(from)}, ${text(to)}); 1`,
    list: "require('fs').readdirSync('.').sort()",
    fill: (path: string, size: number) =>
      `let e = 'none'; try { require('fs').writeFileSync(${
        text(path)
      }, Buffer.alloc(${size})) } catch (x) { e = x.code } [e]`,
  },
  python: {
    read: (path: string) => `open(${text(path)}, encoding='utf-8').read()`,
    write: (path: string, value: string) =>
      `open(${text(path)}, 'w', encoding='utf-8').write(${text(value)})\n1`,
    mkdir: (path: string) => `import os\nos.makedirs(${text(path)}, exist_ok=True)\n1`,
    remove: (path: string) =>
      `import os, shutil\n(shutil.rmtree if os.path.isdir(${text(path)}) else os.remove)(${
        text(path)
      })\n1`,
    rename: (from: string, to: string) => `import os\nos.rename(${text(from)}, ${text(to)})\n1`,
    list: "import os\nsorted(os.listdir('.'))",
    fill: (path: string, size: number) =>
      `import errno\ne = 'none'\ntry:\n  with open(${
        text(path)
      }, 'wb') as f: f.write(bytes(${size}))\nexcept OSError as x: e = errno.errorcode[x.errno]\n[e]`,
  },
  perl: {
    read: (path: string) => `open my $f, '<', "${path}" or die; local $/; my $t = <$f>; $t`,
    write: (path: string, value: string) =>
      `open my $f, '>', "${path}" or die; print $f "${value}"; close $f; 1`,
    mkdir: (path: string) => `use File::Path 'make_path'; make_path("${path}"); 1`,
    remove: (path: string) =>
      `use File::Path 'remove_tree'; -d "${path}" ? remove_tree("${path}") : unlink "${path}"; 1`,
    rename: (from: string, to: string) => `rename "${from}", "${to}" or die; 1`,
    list: "opendir my $d, '.'; [sort grep { !/^\\.\\.?$/ } readdir $d]",
    fill: (path: string, size: number) =>
      `my $e = 'none'; open my $f, '>', "${path}"; (print {$f} "\\0" x ${size}) && close $f or $e = $!{EFBIG} ? 'EFBIG' : $!{ENOSPC} ? 'ENOSPC' : "$!"; [$e]`,
  },
} as const;

Deno.test("contract of files", async (t) => {
  await using target = sandboxTarget();
  const step = (name: string, body: (box: TargetSandbox) => Promise<void>) =>
    t.step(name, () => body(target.sandbox()));

  await step("every failure has status, code, errno, operation and path", async (box) => {
    await box.file("write", "f", { content: "f" });
    await box.file("write", "d/in", { content: "in", recursive: true });
    await box.file("mkdir", "e");
    for (const [op, path, failure, fields] of FAILURES) await fails(box, op, path, failure, fields);
    const { files } = await box.file("list", ".", { recursive: true });
    assert(Array.isArray(files));
    assertEquals(files.map((file) => file.relativePath), ["d", "d/in", "e", "f"]);
  });

  await step("answers of every operation", async (box) => {
    const keys = async (op: string, path: string, fields: Body = {}) => {
      const answer = await box.file(op, path, fields);
      assertEquals([answer["success"], typeof answer["timestamp"]], [true, "string"]);
      assertMatch(String(answer["path"]), /^\/workspace/);
      return Object.keys(answer).filter((key) => !["success", "path", "timestamp"].includes(key))
        .sort();
    };
    assertEquals(await keys("mkdir", "a/b", { recursive: true }), ["recursive"]);
    assertEquals(await keys("write", "a/f.json", { content: "{}" }), []);
    const read = ["content", "encoding", "isBinary", "mimeType", "size"];
    assertEquals(await keys("read", "a/f.json"), read);
    assertEquals(await keys("exists", "a"), ["exists"]);
    assertEquals(await keys("stat", "a/f.json"), ["file"]);
    assertEquals(await keys("list", "a"), ["count", "files"]);
    assertEquals(await keys("rename", "a/f.json", { newPath: "g" }), ["newPath"]);
    assertEquals(await keys("move", "g", { newPath: "a/g" }), ["newPath"]);
    assertEquals(await keys("delete", "a", { recursive: true }), []);
    assertEquals(await keys("delete", "a", { force: true }), []);
  });

  await step("bytes of every value, read as text and as base64", async (box) => {
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, n) => n));
    const content = bytes.toString("base64");
    await box.file("write", "all.bin", { content, encoding: "base64" });
    const read = await box.file("read", "all.bin");
    assertEquals([read["content"], read["encoding"], read["isBinary"], read["size"]], [
      content,
      "base64",
      true,
      256,
    ]);
    const asText = await box.file("read", "all.bin", { encoding: "utf-8" });
    assertEquals(asText["content"], new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
    const guest = "[...require('fs').readFileSync('all.bin')].every((b, i) => b === i)";
    assertEquals(await box.value("javascript", guest), "true");
  });

  for (const language of CONTEXT_LANGUAGES) {
    const guest = GUEST[language];
    const bare = (value: unknown) => String(value).replace(/^'(.*)'$/s, "$1");

    await step(`${language}: guest and API see each other's files at once`, async (box) => {
      const names = ["a.txt", "with space", "ünï", "漢字.txt", "__proto__", "😀"];
      for (const [index, name] of names.entries()) {
        await box.file("write", name, { content: `api ${index}` });
        assertEquals(bare(await box.value(language, guest.read(name))), `api ${index}`);
        await box.run(language, guest.write(name, `guest ${index}`));
        assertEquals((await box.file("read", name))["content"], `guest ${index}`);
      }
      const listed = await box.value(language, guest.list);
      assert(Array.isArray(listed));
      if (language !== "perl") assertEquals([...listed].sort(), [...names].sort());
      await box.file("rename", "a.txt", { newPath: "b.txt" });
      assertEquals(bare(await box.value(language, guest.read("b.txt"))), "guest 0");
      await box.run(language, guest.rename("b.txt", "c.txt"));
      assertEquals((await box.file("exists", "b.txt"))["exists"], false);
      await box.run(language, guest.mkdir("deep/er"));
      await box.file("write", "deep/er/x", { content: "x" });
      await box.run(language, guest.remove("deep"));
      assertEquals((await box.file("exists", "deep"))["exists"], false);
      await box.file("delete", "c.txt");
      await box.file("mkdir", "c.txt");
      await box.file("write", "c.txt/in", { content: "below" });
      assertEquals(bare(await box.value(language, guest.read("c.txt/in"))), "below");
      await box.run(language, `${guest.remove("c.txt")}\n;`.replace(/\n;$/, ""));
      await box.run(language, guest.write("c.txt", "a file again"));
      assertEquals((await box.file("read", "c.txt"))["content"], "a file again");
    });

    await step(`${language}: the limits of files, at the moment of the write`, async (box) => {
      const filled = async (path: string, size: number) =>
        await box.value(language, guest.fill(path, size));
      assertEquals(await filled("over", 4 * MIB + 1), ["EFBIG"]);
      await box.run(language, guest.remove("over"));
      const content = Buffer.alloc(4 * MIB).toString("base64");
      for (const path of ["1", "2", "3"]) {
        await box.file("write", path, { content, encoding: "base64" });
      }
      assertEquals(await filled("4", 4 * MIB), ["none"]);
      assertEquals(await filled("5", 1), ["ENOSPC"]);
      await fails(box, "write", "6", NO_SPACE, { content: "x" });
      assertEquals(((await box.ok("GET", ""))["workspace"] as Body)["bytes"], 16 * MIB);
      await box.file("delete", "1");
      assertEquals(await filled("5", 4 * MIB), ["none"]);
    });

    await step(
      `${language}: a file written while a run is going is there after it`,
      async (box) => {
        await box.file("write", "both", { content: "before" });
        const { id } = await box.context(language);
        const wait = {
          javascript: "for (let i = 0, x = 0; i < 3e6; i++) x += i;",
          python: "x = 0\nfor i in range(1500000): x += i\n",
          perl: "my $x = 0; $x += $_ for 1 .. 2000000;",
        }[language];
        const going = box.run(language, `${wait}${guest.write("guest", "from the run")}`, {
          contextId: id,
        });
        await box.file("write", "api", { content: "meanwhile" });
        assertEquals((await going).error, undefined);
        assertEquals((await box.file("read", "api"))["content"], "meanwhile");
        assertEquals((await box.file("read", "guest"))["content"], "from the run");
        const seen = await box.value(language, guest.read("api"), { contextId: id });
        assertEquals(bare(seen), "meanwhile");
      },
    );
  }
});
