const path = require("path");
console.log(path.join("/a", "..", "b", "./c.txt"), path.join("x", "", "y"), path.join(), path.resolve("/foo/bar", "./baz"), path.resolve("/a", "/b", "c"));
console.log(path.basename("/x/y.tar.gz"), path.basename("/x/y.html", ".html"), path.extname("a.b.c"), path.extname(".bashrc"), path.extname("noext"), path.dirname("/a/b/c"), path.dirname("file"));
console.log(path.parse("/home/user/file.txt"), path.format({ dir: "/tmp", name: "f", ext: ".md" }));
console.log(path.normalize("/a//b/../c/."), path.relative("/data/a/b", "/data/c/d"), path.isAbsolute("./x"), path.isAbsolute("/x"), path.sep, path.delimiter);
console.log(path.posix === path, require("node:path") === path);
const tree = ["src/index.js", "src/lib/util.js", "src/lib/deep/a.ts", "README.md"];
const root = {};
for (const file of tree) file.split(path.sep).reduce((node, part, i, all) => (node[part] ??= i === all.length - 1 ? path.extname(part) : {}), root);
console.log(root);
const print = (node, indent = "") => Object.entries(node).forEach(([k, v], i, a) => { const last = i === a.length - 1; console.log(indent + (last ? "└── " : "├── ") + k); if (typeof v === "object") print(v, indent + (last ? "    " : "│   ")); });
print(root);
const byExt = tree.reduce((m, f) => ({ ...m, [path.extname(f) || "none"]: [...(m[path.extname(f)] ?? []), path.basename(f)] }), {});
console.log(byExt, path.resolve("x") === path.join(process.cwd(), "x"), path.toNamespacedPath("/a"));
try { path.join("a", 5); } catch (e) { console.log(e.name, e.code, e.message); }
try { path.resolve(null); } catch (e) { console.log(e.message); }
console.log(["a/b", "a", "a/b/c"].map((p) => p.split("/").length));
