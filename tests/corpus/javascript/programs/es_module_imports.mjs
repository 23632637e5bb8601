import fs, { readFileSync, writeFileSync } from "node:fs";
import path, { join, basename } from "path";
import * as os from "os";
import { EventEmitter, once } from "node:events";
import util, { inspect, promisify } from "util";
import assert from "node:assert/strict";
import { createHash } from "crypto";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { performance } from "perf_hooks";
import process from "node:process";
import { Buffer } from "buffer";

writeFileSync("greeting.txt", "hello modules");
console.log(readFileSync("greeting.txt", "utf8"), fs.existsSync("greeting.txt"), join("a", "b"), basename("/x/y.z"), path.sep);
console.log(JSON.stringify(os.EOL), typeof os.cpus, typeof os.totalmem(), os.platform().length > 0, os.tmpdir());
const e = new EventEmitter();
setTimeout(() => e.emit("go", 1, 2), 1);
console.log(await once(e, "go"), inspect({ a: 1 }), util.inspect === inspect, typeof promisify);
assert.deepEqual([1], [1]);
console.log(createHash("md5").update("x").digest("hex"), await delay(5, "delayed"));
console.log(basename(fileURLToPath(import.meta.url)).replace(/\.m?js$/, ""), import.meta.url.startsWith("file://"), typeof performance.now());
const { default: dyn, readdirSync } = await import("fs");
console.log(dyn === fs, typeof readdirSync, process.argv.length, Buffer.from("b").length);
try { await import("does-not-exist"); } catch (err) { console.log(err.code, err.name); }
try { undeclared = 1; } catch (err) { console.log(err.name, err.message); }
export const answer = 42;
export default function main() { return answer; }
export { answer as theAnswer };
console.log(main());
