const fs = require("fs");
const { pipeline, Transform } = require("stream");
const readline = require("readline");
fs.writeFile("in.txt", "alpha\nbeta\ngamma\n", (err) => {
  if (err) throw err;
  console.log("written");
  fs.readFile("in.txt", "utf8", (err, text) => {
    console.log(err, text.length);
    fs.stat("in.txt", (e, st) => console.log(st.size, st.isFile()));
    fs.readFile("missing.txt", (e, d) => console.log(e.code, d));
    const upper = new Transform({ transform(chunk, enc, cb) { cb(null, chunk.toString().toUpperCase()); } });
    pipeline(fs.createReadStream("in.txt"), upper, fs.createWriteStream("out.txt"), (e) => {
      console.log("pipeline done", e);
      console.log(fs.readFileSync("out.txt", "utf8"));
      const rl = readline.createInterface({ input: fs.createReadStream("out.txt"), crlfDelay: Infinity });
      let n = 0;
      rl.on("line", (line) => console.log(++n, line));
      rl.on("close", () => {
        const ws = fs.createWriteStream("log.txt", { flags: "a" });
        ws.write("one\n"); ws.write("two\n"); ws.end("three\n");
        ws.on("finish", async () => {
          const rs = fs.createReadStream("log.txt", { encoding: "utf8", highWaterMark: 5 });
          for await (const chunk of rs) console.log(JSON.stringify(chunk));
          fs.readdir(".", (e, files) => console.log(files.filter((f) => f.endsWith(".txt"))));
        });
      });
    });
  });
});
