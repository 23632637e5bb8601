// Callbacks, promises and streams.
import { bytes, called, plain, told } from "./fs_cases_support.mjs";

const callbacks = [
  ["readFile", (fs) => called((cb) => fs.readFile("f", "utf8", cb))],
  ["readFile missing", (fs) => called((cb) => fs.readFile("missing", cb))],
  ["writeFile", (fs) => called((cb) => fs.writeFile("c", "x", cb))],
  ["stat", (fs) => called((cb) => fs.stat("c", cb))],
  ["exists", (fs) => called((cb) => fs.exists("c", cb))],
  ["mkdir", (fs) => called((cb) => fs.mkdir("k/l", { recursive: true }, cb))],
  ["mkdir of what exists", (fs) => called((cb) => fs.mkdir("k", cb))],
  ["rm a directory", (fs) => called((cb) => fs.rm("k", cb))],
  ["readdir", (fs) => called((cb) => fs.readdir("k", cb))],
  ["realpath", (fs) => called((cb) => fs.realpath("k", cb))],
  ["access missing", (fs) => called((cb) => fs.access("missing", cb))],
  ["read and write", async (fs) => {
    const [, fd] = await called((cb) => fs.open("c", "w+", cb));
    const written = await called((cb) => fs.write(fd, "hello", cb));
    const into = new Uint8Array(3);
    const read = await called((cb) => fs.read(fd, into, 0, 3, 1, cb));
    const closed = await called((cb) => fs.close(fd, cb));
    return [written, read, closed].map(plain);
  }],
  ["callbacks come later", async (fs) => {
    const story = [];
    const done = called((cb) =>
      fs.stat("f", (...results) => story.push("callback") && cb(results))
    );
    story.push("after");
    await Promise.resolve().then(() => story.push("job"));
    await done;
    return story;
  }],
];

const promises = [
  ["readFile", (fs) => fs.promises.readFile("f", "utf8")],
  ["readFile missing", (fs) => fs.promises.readFile("missing", "utf8")],
  ["writeFile", (fs) => fs.promises.writeFile("p", "x")],
  ["writeFile of parts", async (fs) => {
    await fs.promises.writeFile(
      "p",
      (async function* () {
        yield "a";
        yield bytes(66);
      })(),
    );
    await fs.promises.appendFile("p", "c");
    return fs.promises.readFile("p", "utf8");
  }],
  ["stat, access, mkdir", async (fs) => [
    await fs.promises.stat("p"),
    await fs.promises.access("p"),
    await fs.promises.mkdir("pd/e/f", { recursive: true }),
    await fs.promises.readdir("pd", { withFileTypes: true }),
  ]],
  ["rm", async (fs) => [await fs.promises.rm("pd", { recursive: true }), fs.existsSync("pd")]],
  ["rm missing", (fs) => fs.promises.rm("missing")],
  ["rmdir missing", (fs) => fs.promises.rmdir("missing")],
  ["a handle", async (fs) => {
    const handle = await fs.promises.open("h", "w+");
    const written = await handle.write("hello world");
    const into = new Uint8Array(5);
    const read = await handle.read(into, 0, 5, 6);
    const rest = await handle.readFile("utf8");
    await handle.truncate(5);
    const size = (await handle.stat()).size;
    await handle.appendFile("!");
    await handle.sync();
    await handle.close();
    return [
      written.bytesWritten,
      read.bytesRead,
      read.buffer,
      rest,
      size,
      handle.fd,
      fs.readFileSync("h", "latin1"),
    ];
  }],
  ["a closed handle", async (fs) => {
    const handle = await fs.promises.open("h");
    await handle.close();
    await handle.close();
    return handle.read();
  }],
  ["a handle as file", async (fs) => {
    const handle = await fs.promises.open("h", "w");
    await fs.promises.writeFile(handle, "1");
    await fs.promises.appendFile(handle, "2");
    await handle.close();
    return fs.promises.readFile("h", "utf8");
  }],
  ["open missing", (fs) => fs.promises.open("missing")],
  ["opendir", async (fs) => {
    const names = [];
    for await (const found of await fs.promises.opendir("u")) names.push(found.name);
    return names.sort();
  }],
  ["cp and rename", async (fs) => {
    await fs.promises.cp("u", "uu", { recursive: true });
    await fs.promises.rename("uu", "uuu");
    return (await fs.promises.readdir("uuu")).sort();
  }],
];

const streams = [
  [
    "read stream",
    (fs) =>
      told(fs.createReadStream("f", "utf8"), ["open", "ready", "data", "end", "error"])
        .then((story) => story.map((told) => told[0] === "open" ? "open" : told)),
  ],
  [
    "read stream of a part",
    (fs) => told(fs.createReadStream("parts", { start: 1, end: 3 }), ["data", "end"]),
  ],
  [
    "read stream by small chunks",
    (fs) => told(fs.createReadStream("parts", { highWaterMark: 2 }), ["data"]),
  ],
  [
    "read stream of a missing file",
    (fs) => told(fs.createReadStream("missing"), ["open", "data", "end", "error"]),
  ],
  ["read stream in a loop", async (fs) => {
    let text = "";
    for await (const chunk of fs.createReadStream("parts", "utf8")) text += chunk;
    return text;
  }],
  ["write stream", async (fs) => {
    const stream = fs.createWriteStream("s");
    stream.write("one ");
    stream.write(bytes(116, 119, 111));
    stream.end("!");
    const story = await told(stream, ["ready", "finish", "error"]);
    return [story, stream.bytesWritten, stream.path, fs.readFileSync("s", "utf8")];
  }],
  ["write stream that appends", async (fs) => {
    const stream = fs.createWriteStream("s", { flags: "a" });
    stream.end("more");
    await told(stream, []);
    return fs.readFileSync("s", "utf8");
  }],
  [
    "write stream into nowhere",
    (fs) => told(fs.createWriteStream("missing/s"), ["open", "finish", "error"]),
  ],
  ["pipe", async (fs) => {
    const to = fs.createWriteStream("piped");
    fs.createReadStream("parts").pipe(to);
    await told(to, []);
    return fs.readFileSync("piped", "utf8");
  }],
];

/** Name and function of each case. */
export const asynchronousCases = [
  ...callbacks.map(([name, run]) => [`callback: ${name}`, run]),
  ...promises.map(([name, run]) => [`promise: ${name}`, run]),
  ...streams.map(([name, run]) => [`stream: ${name}`, run]),
];
