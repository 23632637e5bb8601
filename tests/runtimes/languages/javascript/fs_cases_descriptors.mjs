// Open files.
import { bytes, plain } from "./fs_cases_support.mjs";

/** Name and function of each case. */
export const descriptorCases = [
  ["open missing", (fs) => fs.openSync("missing")],
  ["open a directory to write", (fs) => fs.openSync("u", "w")],
  ["open exclusively", (fs) => fs.openSync("f", "ax")],
  ["read and write", (fs) => {
    const fd = fs.openSync("rw", "w+");
    const into = new Uint8Array(10);
    const counts = [
      fs.writeSync(fd, "hello"),
      fs.writeSync(fd, bytes(65, 66, 67), 1, 1),
      fs.writeSync(fd, "é", 1),
      fs.writeSync(fd, "ff", null, "hex"),
      fs.writeSync(fd, bytes(33), { position: 0 }),
      fs.readSync(fd, into, 0, 10, 0),
      fs.readSync(fd, into),
      fs.readSync(fd, into, { position: 2, length: 2, offset: 8 }),
      fs.fstatSync(fd).size,
      fs.ftruncateSync(fd, 2),
      fs.fsyncSync(fd),
      fs.fdatasyncSync(fd),
      fs.fchmodSync(fd, 0o600),
      fs.futimesSync(fd, 1, 2),
      fs.fstatSync(fd).mtimeMs,
    ];
    fs.closeSync(fd);
    return [
      counts.map(plain),
      Array.from(into),
      fs.readFileSync("rw", "latin1"),
      fs.statSync("rw"),
    ];
  }],
  ["read by parts", (fs) => {
    fs.writeFileSync("parts", "0123456789");
    const fd = fs.openSync("parts");
    const into = bytes(0, 0, 0, 0);
    const story = [];
    for (let count; (count = fs.readSync(fd, into)) > 0;) {
      story.push(String.fromCharCode(...into.subarray(0, count)));
    }
    fs.closeSync(fd);
    return story;
  }],
  ["read a descriptor to its end", (fs) => {
    const fd = fs.openSync("parts");
    fs.readSync(fd, bytes(0, 0));
    const rest = fs.readFileSync(fd, "utf8");
    fs.closeSync(fd);
    return rest;
  }],
  ["write files by descriptor", (fs) => {
    const fd = fs.openSync("parts", "r+");
    fs.writeFileSync(fd, "ab");
    fs.appendFileSync(fd, "cd");
    fs.closeSync(fd);
    return fs.readFileSync("parts", "utf8");
  }],
  ["append by descriptor", (fs) => {
    const fd = fs.openSync("parts", "a+");
    fs.writeSync(fd, "XY", 0);
    fs.closeSync(fd);
    return fs.readFileSync("parts", "utf8");
  }],
  ["readv and writev", (fs) => {
    const fd = fs.openSync("v", "w+");
    const into = [bytes(0, 0), bytes(0, 0, 0)];
    const counts = [fs.writevSync(fd, [bytes(1, 2), bytes(3)]), fs.readvSync(fd, into, 0)];
    fs.closeSync(fd);
    return [counts, into];
  }],
  ["an unlinked file goes on", (fs) => {
    const fd = fs.openSync("gone", "w+");
    fs.writeSync(fd, "still");
    fs.unlinkSync("gone");
    const found = [fs.existsSync("gone"), fs.readFileSync(fd, "utf8"), fs.fstatSync(fd).nlink];
    fs.closeSync(fd);
    return found;
  }],
  ["write what is open to read", (fs) => fs.writeSync(fs.openSync("f"), "x")],
  ["read what is open to write", (fs) => fs.readSync(fs.openSync("f", "a"), bytes(0))],
  ["truncate what is open to read", (fs) => fs.ftruncateSync(fs.openSync("f"), 0)],
  ["read a directory by descriptor", (fs) => fs.readSync(fs.openSync("u"), bytes(0))],
  ["close nothing", (fs) => fs.closeSync(99)],
  ["read nothing", (fs) => fs.readSync(99, bytes(0))],
  ["write nothing", (fs) => fs.writeSync(99, "x")],
  ["stat nothing", (fs) => fs.fstatSync(99)],
  ["truncate nothing", (fs) => fs.ftruncateSync(99)],
  ["sync nothing", (fs) => fs.fsyncSync(99)],
  ["chmod nothing", (fs) => fs.fchmodSync(99, 1)],
  ["time nothing", (fs) => fs.futimesSync(99, 1, 1)],
];
