import { assertEquals, assertMatch } from "@std/assert";
import { outcomes } from "./fs_outcomes.mjs";
import { type FsUnderTest, fsUnderTest } from "./fs_support.ts";

const NODE_DRIVER = new URL("./fs_outcomes_node.mjs", import.meta.url).pathname;

function nodeMajor(): number {
  try {
    const { stdout } = new Deno.Command("node", { args: ["--version"] }).outputSync();
    return Number(/^v(\d+)/.exec(new TextDecoder().decode(stdout))?.[1] ?? 0);
  } catch (cause) {
    if (cause instanceof Deno.errors.NotFound) return 0;
    throw cause;
  }
}

async function outcomesInNode(): Promise<unknown[]> {
  const directory = await Deno.makeTempDir();
  await Deno.chmod(directory, 0o755);
  try {
    const { stdout } = await new Deno.Command("node", {
      args: [NODE_DRIVER, directory],
      stderr: "inherit",
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  } finally {
    await Deno.remove(directory, { recursive: true });
  }
}

Deno.test({
  name: "fs: every call ends as it does in Node 20",
  ignore: nodeMajor() !== 20,
  async fn() {
    const expected = await outcomesInNode();
    const { fs } = fsUnderTest();
    const actual = await outcomes(fs, "/workspace");
    for (const [index, outcome] of actual.entries()) assertEquals(outcome, expected[index]);
    assertEquals(actual.length, expected.length);
  },
});

const MIB = 1024 * 1024;

/** Calls a function of the module by name; an error is returned as its message. */
function call({ fs }: FsUnderTest, name: string, ...args: unknown[]): unknown {
  const run = fs[name];
  if (typeof run !== "function") throw new TypeError(`no function ${name}`);
  try {
    return run(...args);
  } catch (cause) {
    if (cause instanceof Error) return cause.message;
    throw cause;
  }
}

Deno.test("fs: limits apply at the moment of the write", () => {
  const under = fsUnderTest();
  assertEquals(call(under, "writeFileSync", "f", new Uint8Array(4 * MIB)), undefined);
  assertEquals(call(under, "appendFileSync", "f", "x"), "EFBIG: file too large, write");
  assertEquals(
    call(under, "writeFileSync", "g", "x".repeat(4 * MIB + 1)),
    "EFBIG: file too large, write",
  );
  assertEquals(call(under, "truncateSync", "f", 4 * MIB + 1), "EFBIG: file too large, ftruncate");
  for (const name of ["g", "h", "i"]) call(under, "copyFileSync", "f", name);
  const full = "ENOSPC: no space left on device";
  assertEquals(call(under, "writeFileSync", "j", "x"), `${full}, write`);
  assertEquals(call(under, "copyFileSync", "f", "k"), `${full}, copyfile 'f' -> 'k'`);
  assertEquals(call(under, "existsSync", "k"), false);
  assertEquals(call(under, "readdirSync", "."), ["f", "g", "h", "i", "j"]);
  const deep = `/workspace/${"d/".repeat(510)}`;
  assertEquals(call(under, "mkdirSync", deep.slice(0, 1023), { recursive: true }), "/workspace/d");
  assertMatch(
    `${call(under, "writeFileSync", `${deep}abcd`, "")}`,
    /^ENAMETOOLONG: name too long, open/,
  );
});

Deno.test("fs: too many open files", () => {
  const under = fsUnderTest({ descriptors: 5 });
  call(under, "writeFileSync", "f", "x");
  assertEquals([call(under, "openSync", "f"), call(under, "openSync", "f")], [3, 4]);
  assertEquals(call(under, "openSync", "f"), "EMFILE: too many open files, open 'f'");
  assertEquals(call(under, "readFileSync", "f"), "EMFILE: too many open files, open 'f'");
});

Deno.test("fs: relative paths start at the current working directory", () => {
  const under = fsUnderTest();
  call(under, "mkdirSync", "a/b", { recursive: true });
  under.process.cwd = "/workspace/a";
  call(under, "writeFileSync", "b/f", "x");
  call(under, "copyFileSync", "b/f", "g");
  call(under, "renameSync", "g", "/workspace/h");
  assertEquals(call(under, "readdirSync", ".."), ["a", "h"]);
  assertEquals(call(under, "readFileSync", "../a/b/f", "utf8"), "x");
  assertEquals(call(under, "realpathSync", "b"), "/workspace/a/b");
  assertEquals(call(under, "mkdirSync", "x/y", { recursive: true }), "x");
  assertEquals(call(under, "statSync", "nope"), "ENOENT: no such file or directory, stat 'nope'");
  call(under, "rmSync", "/workspace/a", { recursive: true });
  assertEquals(
    call(under, "writeFileSync", "f", ""),
    "ENOENT: no such file or directory, open 'f'",
  );
});

Deno.test("fs: no files of the machine are visible, and read-only files stay read-only", () => {
  const under = fsUnderTest();
  for (const path of ["/etc/passwd", "/proc/self/environ", "/home", "../../etc/hostname"]) {
    assertEquals(
      call(under, "readFileSync", path),
      `ENOENT: no such file or directory, open '${path}'`,
    );
  }
  assertEquals(call(under, "readdirSync", "/"), ["dev", "tmp", "workspace"]);
  assertEquals(call(under, "mkdirSync", "/x"), "EROFS: read-only file system, mkdir '/x'");
  assertEquals(
    call(under, "rmSync", "/dev", { recursive: true }),
    "EROFS: read-only file system, unlink '/dev/display'",
  );
  assertEquals(
    call(under, "renameSync", "/dev/null", "n"),
    "EXDEV: cross-device link not permitted, rename '/dev/null' -> 'n'",
  );
});

Deno.test("fs: links cannot be made, files cannot be watched", () => {
  const under = fsUnderTest();
  call(under, "writeFileSync", "f", "");
  assertEquals(
    call(under, "symlinkSync", "f", "l"),
    "EPERM: operation not permitted, symlink 'f' -> 'l'",
  );
  assertEquals(
    call(under, "linkSync", "f", "l"),
    "EPERM: operation not permitted, link 'f' -> 'l'",
  );
  assertEquals(
    call(under, "linkSync", "g", "l"),
    "ENOENT: no such file or directory, link 'g' -> 'l'",
  );
  assertEquals(call(under, "watch", "f"), "ENOSYS: function not implemented, watch 'f'");
  assertEquals(call(under, "watchFile", "f"), "ENOSYS: function not implemented, watch 'f'");
});

Deno.test("fs: the standard streams are descriptors and devices", () => {
  const under = fsUnderTest();
  assertEquals(call(under, "writeSync", 1, "héllo\n"), 7);
  call(under, "writeFileSync", 2, "err");
  call(under, "appendFileSync", "/dev/stdout", "more");
  assertEquals([under.output[1], under.output[2]], ["héllo\nmore", "err"]);
  assertEquals(call(under, "readFileSync", 0, "utf8"), "");
  assertEquals(call(under, "readFileSync", "/dev/stdin", "utf8"), "");
  assertEquals(call(under, "readFileSync", "/dev/null", "utf8"), "");
  assertEquals(call(under, "readFileSync", "/dev/zero"), "EFBIG: file too large, read");
  const into = new Uint8Array(8);
  const fd = call(under, "openSync", "/dev/urandom");
  assertEquals([call(under, "readSync", fd, into, 0, 8, 5), [...into]], [8, Array(8).fill(7)]);
  assertEquals(
    call(under, "writeSync", 1, new Uint8Array(1), 0, 1, 5),
    "ESPIPE: invalid seek, write",
  );
  assertEquals(call(under, "readSync", 1, into), "EBADF: bad file descriptor, read");
});

Deno.test("fs: the console shows an error's properties in Node's order", () => {
  const { fs } = fsUnderTest();
  const rename = fs.renameSync;
  if (typeof rename !== "function") throw new TypeError("no rename");
  try {
    rename("a", "b");
  } catch (error) {
    assertEquals(Object.entries(error as object), [
      ["errno", -2],
      ["code", "ENOENT"],
      ["syscall", "rename"],
      ["path", "a"],
      ["dest", "b"],
    ]);
  }
});

/** The result of `Object.keys` in Node 20; functions with a synchronous form are listed once. */
const NODE_NAMES =
  "appendFile access chown chmod close copyFile cp fchown fchmod fdatasync fstat " +
  "fsync ftruncate futimes lchown link lstat lutimes mkdir mkdtemp open opendir readdir read readv " +
  "readFile readlink realpath rename rm rmdir stat statfs symlink truncate unlink utimes write " +
  "writeFile writev exists";
const NODE_EXTRAS = "createReadStream createWriteStream unwatchFile watch watchFile Dirent Stats " +
  "ReadStream WriteStream Dir F_OK R_OK W_OK X_OK constants promises";
const NODE_PROMISES = "access copyFile cp open opendir rename truncate rm rmdir mkdir readdir " +
  "readlink symlink lstat stat statfs link unlink chmod lchown chown utimes lutimes realpath " +
  "mkdtemp writeFile appendFile readFile watch constants";

Deno.test("fs: the modules have Node's members, under Node's names", () => {
  const { fs, promises } = fsUnderTest();
  const names = NODE_NAMES.split(" ").flatMap((name) => [name, `${name}Sync`]);
  assertEquals(Object.keys(fs).sort(), [...names, ...NODE_EXTRAS.split(" ")].sort());
  assertEquals(Object.keys(promises).sort(), NODE_PROMISES.split(" ").sort());
  for (const [name, value] of [...Object.entries(fs), ...Object.entries(promises)]) {
    if (typeof value === "function") assertEquals(value.name, name);
  }
});
