// Names: what exists, directories, and what moves and copies files.

/** Name and function of each case. */
export const treeCases = [
  ["mkdir", (fs) => fs.mkdirSync("t")],
  ["mkdir again", (fs) => fs.mkdirSync("t")],
  ["mkdir below a missing one", (fs) => fs.mkdirSync("no/such")],
  ["mkdir recursive", (fs) => fs.mkdirSync("t/a/b/c", { recursive: true })],
  ["mkdir recursive again", (fs) => fs.mkdirSync("t/a/b/c", { recursive: true })],
  ["mkdir recursive below a file", (fs) => fs.mkdirSync("f/s", { recursive: true })],
  ["mkdir recursive on a file", (fs) => fs.mkdirSync("f", { recursive: true })],
  ["mkdir recursive with dots", (fs) => fs.mkdirSync("./t/../t/z/y", { recursive: true })],
  ["mkdir with a mode", (fs) => fs.mkdirSync("t/m", "0700") ?? fs.statSync("t/m")],
  [
    "mkdir recursive with a mode",
    (fs) => fs.mkdirSync("t/n/o", { recursive: true, mode: 0o750 }) && fs.statSync("t/n"),
  ],
  ["readdir", (fs) => fs.writeFileSync("t/x", "") ?? fs.readdirSync("t")],
  ["readdir recursive", (fs) => fs.readdirSync("t", { recursive: true }).sort()],
  ["readdir recursive from here", (fs) => fs.readdirSync(".", { recursive: true }).length],
  ["readdir with types", (fs) => fs.readdirSync("t", { withFileTypes: true })],
  ["readdir of bytes", (fs) => fs.readdirSync("t/a", "buffer")],
  ["readdir missing", (fs) => fs.readdirSync("missing")],
  ["readdir a file", (fs) => fs.readdirSync("f")],
  ["stat", (fs) => fs.statSync("f")],
  ["stat a directory", (fs) => fs.statSync("t/")],
  ["stat with bigints", (fs) => fs.statSync("f", { bigint: true }).size],
  ["stat keys", (fs) => Object.keys(fs.statSync("f"))],
  ["stat class", (fs) => fs.statSync("f") instanceof fs.Stats && fs.Stats.name],
  ["stat missing", (fs) => fs.statSync("missing")],
  ["lstat missing", (fs) => fs.lstatSync("missing")],
  ["stat missing without throwing", (fs) => fs.statSync("missing", { throwIfNoEntry: false })],
  ["stat below a file without throwing", (fs) => fs.statSync("f/x", { throwIfNoEntry: false })],
  [
    "exists",
    (fs) => [fs.existsSync("f"), fs.existsSync("missing"), fs.existsSync(), fs.existsSync("f/x")],
  ],
  ["access", (fs) => fs.accessSync("f", fs.constants.R_OK | fs.constants.W_OK)],
  ["access missing", (fs) => fs.accessSync("missing")],
  ["access to execute", (fs) => fs.accessSync("f", fs.constants.X_OK)],
  ["chmod", (fs) => fs.chmodSync("f", "755") ?? [fs.statSync("f"), fs.accessSync("f", 1)]],
  ["chmod missing", (fs) => fs.chmodSync("missing", 0o644)],
  [
    "utimes",
    (fs) =>
      fs.utimesSync("f", 5, 1_600_000_000) ?? [fs.statSync("f").mtimeMs, fs.statSync("f").mtime],
  ],
  [
    "utimes with dates",
    (fs) => fs.utimesSync("f", new Date(0), new Date(123_000)) ?? fs.statSync("f").mtime,
  ],
  ["utimes with digits", (fs) => fs.utimesSync("f", "1", "77") ?? fs.statSync("f").mtimeMs],
  ["utimes missing", (fs) => fs.utimesSync("missing", 1, 1)],
  ["lutimes missing", (fs) => fs.lutimesSync("missing", 1, 1)],
  ["rename", (fs) => fs.renameSync("t/x", "t/w") ?? fs.readdirSync("t")],
  ["rename missing", (fs) => fs.renameSync("missing", "t/w")],
  ["rename into itself", (fs) => fs.renameSync("t", "t/a/t")],
  ["rename onto a full directory", (fs) => fs.renameSync("d", "t")],
  [
    "copyFile",
    (fs) => fs.copyFileSync("f", "copy") ?? [fs.readFileSync("copy", "utf8"), fs.statSync("copy")],
  ],
  ["copyFile onto one", (fs) => fs.copyFileSync("f", "copy", fs.constants.COPYFILE_EXCL)],
  ["copyFile onto itself", (fs) => fs.copyFileSync("f", "./f") ?? fs.readFileSync("f", "utf8")],
  [
    "copyFile shorter",
    (fs) =>
      fs.writeFileSync("copy", "x") ?? fs.copyFileSync("copy", "f") ?? fs.readFileSync("f", "utf8"),
  ],
  ["copyFile missing", (fs) => fs.copyFileSync("missing", "x")],
  ["copyFile of a directory", (fs) => fs.copyFileSync("t", "x")],
  ["copyFile onto a directory", (fs) => fs.copyFileSync("f", "t")],
  ["unlink", (fs) => fs.unlinkSync("copy") ?? fs.existsSync("copy")],
  ["unlink missing", (fs) => fs.unlinkSync("missing")],
  ["unlink a directory", (fs) => fs.unlinkSync("t")],
  ["rmdir", (fs) => fs.rmdirSync("t/m") ?? fs.existsSync("t/m")],
  ["rmdir a full one", (fs) => fs.rmdirSync("t")],
  ["rmdir a file", (fs) => fs.rmdirSync("f")],
  ["rmdir missing", (fs) => fs.rmdirSync("missing")],
  ["rm missing", (fs) => fs.rmSync("missing")],
  ["rm missing by force", (fs) => fs.rmSync("missing", { force: true })],
  ["rm a directory", (fs) => fs.rmSync("t")],
  ["realpath", (fs) => fs.realpathSync("./t/../t/a")],
  ["realpath missing", (fs) => fs.realpathSync("missing/x")],
  ["realpath native missing", (fs) => fs.realpathSync.native("missing")],
  ["readlink a file", (fs) => fs.readlinkSync("f")],
  ["readlink missing", (fs) => fs.readlinkSync("missing")],
  ["mkdtemp", (fs) => /^tmp-[A-Za-z0-9]{6}$/.test(fs.mkdtempSync("tmp-"))],
  ["mkdtemp below a missing one", (fs) => fs.mkdtempSync("missing/x-")],
  [
    "cp",
    (fs) =>
      fs.writeFileSync("t/a/b/f", "deep") ?? fs.cpSync("t", "u", { recursive: true }) ??
        fs.readFileSync("u/a/b/f", "utf8"),
  ],
  ["cp a file deep", (fs) => fs.cpSync("f", "new/deep/f") ?? fs.existsSync("new/deep/f")],
  ["cp a directory", (fs) => fs.cpSync("t", "v")],
  ["cp into itself", (fs) => fs.cpSync("t", "t/q", { recursive: true })],
  ["cp onto itself", (fs) => fs.cpSync("f", "f")],
  ["cp missing", (fs) => fs.cpSync("missing", "x")],
  ["cp a directory onto a file", (fs) => fs.cpSync("t", "f", { recursive: true })],
  ["cp a file onto a directory", (fs) => fs.cpSync("f", "t")],
  ["cp onto what exists", (fs) => fs.cpSync("f", "u/a/b/f", { force: false, errorOnExist: true })],
  [
    "cp and keep",
    (fs) => fs.cpSync("f", "u/a/b/f", { force: false }) ?? fs.readFileSync("u/a/b/f", "utf8"),
  ],
  [
    "cp with a filter",
    (fs) =>
      fs.cpSync("t", "w", { recursive: true, filter: (name) => !name.endsWith("z") }) ??
        fs.readdirSync("w"),
  ],
  ["cp with times", (fs) => {
    fs.utimesSync("f", 1, 2);
    fs.cpSync("f", "timed", { preserveTimestamps: true });
    return fs.statSync("timed").mtimeMs;
  }],
  ["rm recursive", (fs) => fs.rmSync("t", { recursive: true }) ?? fs.existsSync("t")],
  ["opendir", async (fs) => {
    const names = [];
    for await (const found of fs.opendirSync("u")) names.push(found.name);
    return names.sort();
  }],
  ["opendir by hand", (fs) => {
    const directory = fs.opendirSync("u/a");
    return [directory.path, directory.readSync(), directory.readSync(), directory.closeSync()];
  }],
];
