// Runs a list of file operations against the real file system. Arguments: the directory to work
// in, and a JSON file with the list. The results go to standard output.
import fs from "node:fs";
import process from "node:process";

const {
  O_RDONLY,
  O_WRONLY,
  O_RDWR,
  O_APPEND,
  O_CREAT,
  O_EXCL,
  O_TRUNC,
  O_DIRECTORY,
} = fs.constants;
const slots = [];

function numericFlags(flags) {
  const access = flags.read && flags.write ? O_RDWR : flags.write ? O_WRONLY : O_RDONLY;
  return access | (flags.append ? O_APPEND : 0) | (flags.create ? O_CREAT : 0) |
    (flags.exclusive ? O_EXCL : 0) | (flags.truncate ? O_TRUNC : 0) |
    (flags.directory ? O_DIRECTORY : 0);
}

function summary(stat) {
  if (stat.isDirectory()) {
    return { kind: "directory", mode: stat.mode & 0o7777 };
  }
  return {
    kind: "file",
    mode: stat.mode & 0o7777,
    size: stat.size,
    links: stat.nlink,
  };
}

function readAt(fd, length, position) {
  const into = Buffer.alloc(length);
  return into.subarray(0, fs.readSync(fd, into, 0, length, position)).toString(
    "hex",
  );
}

function dump(path) {
  return fs.readdirSync(path, { withFileTypes: true }).map((entry) => {
    const child = `${path}/${entry.name}`;
    if (entry.isDirectory()) return [entry.name, dump(child)];
    return [entry.name, fs.readFileSync(child).toString("hex")];
  });
}

const operations = {
  open(op) {
    const opened = fs.openSync(op.path, numericFlags(op.flags), 0o644);
    if (slots[op.slot] !== undefined) fs.closeSync(slots[op.slot]);
    slots[op.slot] = opened;
  },
  close(op) {
    fs.closeSync(slots[op.slot]);
    slots[op.slot] = undefined;
  },
  read: (op) => readAt(slots[op.slot], op.length, null),
  readAt: (op) => readAt(slots[op.slot], op.length, op.position),
  write: (op) => fs.writeSync(slots[op.slot], Buffer.from(op.data), 0, op.data.length, null),
  writeAt: (op) =>
    fs.writeSync(
      slots[op.slot],
      Buffer.from(op.data),
      0,
      op.data.length,
      op.position,
    ),
  ftruncate: (op) => fs.ftruncateSync(slots[op.slot], op.size),
  fstat: (op) => summary(fs.fstatSync(slots[op.slot])),
  stat: (op) => summary(fs.statSync(op.path)),
  truncate: (op) => fs.truncateSync(op.path, op.size),
  makeDirectory: (op) => fs.mkdirSync(op.path, 0o755),
  removeDirectory: (op) => fs.rmdirSync(op.path),
  removeFile: (op) => fs.unlinkSync(op.path),
  rename: (op) => fs.renameSync(op.path, op.to),
  entries: (op) => fs.readdirSync(op.path),
  setMode: (op) => fs.chmodSync(op.path, op.mode),
  setTime(op) {
    fs.utimesSync(op.path, op.seconds, op.seconds);
    return fs.statSync(op.path).mtimeMs;
  },
  dump: () => dump("."),
};

function run(op) {
  if ("slot" in op && op.op !== "open" && slots[op.slot] === undefined) {
    return { error: "closed" };
  }
  try {
    return { value: operations[op.op](op) ?? null };
  } catch (error) {
    return { error: error.code };
  }
}

const list = JSON.parse(fs.readFileSync(process.argv[3], "utf8"));
process.umask(0o022);
process.chdir(process.argv[2]);
process.stdout.write(
  JSON.stringify(list.map(run)),
);
