import { text, json, buffer, arrayBuffer, blob } from "node:stream/consumers";
import { Readable } from "node:stream";
import { createReadStream, writeFileSync, rmSync } from "node:fs";
writeFileSync("consumed.json", JSON.stringify({ list: [1, 2, 3], name: "é€" }));
console.log(await json(createReadStream("consumed.json", { highWaterMark: 4 })));
console.log(await text(Readable.from(["a", Buffer.from("b€").subarray(0, 3), Buffer.from([0xac])])));
console.log(await buffer(Readable.from(["x", "y"])), await arrayBuffer(Readable.from(["z"])));
console.log((await blob(Readable.from(["12", "34"]))).size);
try { await json(Readable.from(["{bad"])); } catch (error) { console.log(error.name); }
try { await text(new Readable({ read() { this.destroy(new Error("broken")); } })); } catch (error) { console.log(error.message); }
rmSync("consumed.json");
