const fs = require("fs");
const path = require("path");
const dir = "data";
fs.mkdirSync(path.join(dir, "nested", "deep"), { recursive: true });
fs.writeFileSync(`${dir}/notes.txt`, "first line\nsecond line\n");
fs.appendFileSync(`${dir}/notes.txt`, "third line\n");
console.log(fs.readFileSync(`${dir}/notes.txt`, "utf8").trim().split("\n"));
console.log(fs.readFileSync(`${dir}/notes.txt`), fs.readFileSync(`${dir}/notes.txt`, { encoding: "utf-8" }).length);
console.log(fs.existsSync(`${dir}/notes.txt`), fs.existsSync("nope"));
const s = fs.statSync(`${dir}/notes.txt`);
console.log(s.size, s.isFile(), s.isDirectory(), s.mtime instanceof Date, typeof s.mtimeMs, s.isSymbolicLink());
fs.writeFileSync(`${dir}/config.json`, JSON.stringify({ debug: true, list: [1, 2] }, null, 2));
console.log(JSON.parse(fs.readFileSync(`${dir}/config.json`)), require("./" + dir + "/config.json"));
console.log(fs.readdirSync(dir), fs.readdirSync(dir, { withFileTypes: true }).map((d) => `${d.name}${d.isDirectory() ? "/" : ""}`));
fs.renameSync(`${dir}/notes.txt`, `${dir}/renamed.txt`); fs.copyFileSync(`${dir}/renamed.txt`, `${dir}/copy.txt`); fs.unlinkSync(`${dir}/renamed.txt`);
console.log(fs.readdirSync(dir, { recursive: true }).sort());
for (const f of [() => fs.readFileSync("missing.txt"), () => fs.readdirSync("nope"), () => fs.mkdirSync(dir), () => fs.rmdirSync(dir), () => fs.readFileSync(dir), () => fs.writeFileSync("a/b/c.txt", "x"), () => fs.unlinkSync("gone"), () => fs.readFileSync(), () => fs.writeFileSync("x", undefined), () => fs.statSync("nope")]) {
  try { f(); console.log("ok?"); } catch (e) { console.log(e.name, e.code, e.errno, e.syscall, "|", e.message.split("\n")[0]); }
}
fs.rmSync(dir, { recursive: true, force: true }); console.log(fs.existsSync(dir), fs.readdirSync(".").filter((n) => !n.startsWith("main")));
const fd = fs.openSync("fd.txt", "w+"); fs.writeSync(fd, "hello world"); const buf = Buffer.alloc(5); fs.readSync(fd, buf, 0, 5, 6); fs.closeSync(fd); console.log(buf.toString());
fs.truncateSync("fd.txt", 4); console.log(fs.readFileSync("fd.txt", "latin1"), fs.statSync("none", { throwIfNoEntry: false }), fs.accessSync("fd.txt"), fs.constants.R_OK);
fs.rmSync("fd.txt");
