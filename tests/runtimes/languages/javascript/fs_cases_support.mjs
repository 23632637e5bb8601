// What the cases share, and how outcomes are described.

/** Runs a function of the callback kind, and gives all that its callback got. */
export function called(run) {
  return new Promise((resolve) => run((...results) => resolve(results)));
}

/** All that a stream emits, up to its end. */
export function told(stream, events) {
  const story = [];
  return new Promise((resolve) => {
    for (const event of events) {
      stream.on(event, (value) => story.push(value === undefined ? event : [event, plain(value)]));
    }
    stream.on("close", () => resolve(story));
  });
}

/** A value as JSON can tell it, without what differs by machine. */
export function plain(value) {
  if (value instanceof Error) return failure(value);
  if (value instanceof Uint8Array) return { bytes: Array.from(value) };
  if (value instanceof Date) return { date: value.getTime() };
  if (typeof value === "bigint") return `${value}n`;
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === "object" && value !== null && typeof value.isFile === "function") {
    return entry(value);
  }
  return value === undefined ? "undefined" : value;
}

function entry(value) {
  const kinds = ["isFile", "isDirectory", "isSymbolicLink", "isFIFO", "isCharacterDevice"];
  const is = kinds.filter((kind) => value[kind]());
  if (typeof value.name === "string") return { name: value.name, parent: value.parentPath, is };
  return { is, size: plain(value.isFile() ? value.size : 0), mode: Number(value.mode) };
}

function failure(error) {
  const told = { name: error.name, message: error.message };
  for (const key of ["code", "errno", "syscall", "path", "dest", "info"]) {
    if (key in error) told[key] = error[key];
  }
  return { error: told };
}

/** Bytes by their values. */
export const bytes = (...values) => Uint8Array.from(values);
