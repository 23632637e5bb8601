import { promises as fsp } from "fs";
import * as fs from "node:fs/promises";
import path from "node:path";
import { existsSync } from "fs";
await fs.mkdir("out", { recursive: true });
await Promise.all([3, 1, 2].map((n) => fs.writeFile(path.join("out", `file${n}.txt`), `content ${n}\n`.repeat(n))));
const names = (await fs.readdir("out")).sort();
console.log(names);
for (const name of names) {
  const { size } = await fsp.stat(path.join("out", name));
  console.log(name, size, (await fsp.readFile(`out/${name}`, "utf8")).split("\n").length - 1);
}
await fs.appendFile("out/file1.txt", "more");
console.log(JSON.stringify(await fs.readFile("out/file1.txt", "utf8")));
try { await fs.readFile("out/none.txt"); } catch (e) { console.log(e.code, e.message, e instanceof Error); }
await fs.rename("out/file2.txt", "out/moved.txt");
const handle = await fs.open("out/moved.txt", "r");
const { bytesRead, buffer } = await handle.read(Buffer.alloc(7), 0, 7, 0);
console.log(bytesRead, buffer.toString()); await handle.close();
for await (const entry of await fs.opendir("out")) if (entry.name.startsWith("m")) console.log("entry", entry.name, entry.isFile());
await fs.access("out").then(() => console.log("accessible"), () => console.log("no"));
await fs.access("secret").catch((e) => console.log("denied", e.code));
const results = await Promise.allSettled([fs.stat("out"), fs.stat("nope"), fs.unlink("out")]);
console.log(results.map((r) => (r.status === "fulfilled" ? r.value.isDirectory() : r.reason.code)));
await fs.rm("out", { recursive: true }); console.log(existsSync("out"), typeof fs.constants);
