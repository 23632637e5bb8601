/**
 * `fs.Stats`, its form with BigInts, and `fs.Dirent`.
 *
 * @module
 */
import { setName } from "../../web/expose.ts";
import { FS_CONSTANTS } from "./constants.ts";

const { S_IFMT, S_IFREG, S_IFDIR, S_IFCHR, S_IFIFO, S_IFLNK, S_IFBLK, S_IFSOCK } = FS_CONSTANTS;
const {
  UV_DIRENT_FILE,
  UV_DIRENT_DIR,
  UV_DIRENT_LINK,
  UV_DIRENT_FIFO,
  UV_DIRENT_SOCKET,
  UV_DIRENT_CHAR,
  UV_DIRENT_BLOCK,
} = FS_CONSTANTS;
const BLOCK_SIZE = 4096;
const SECTOR_SIZE = 512;

/** The host's description of a file. */
export interface StatReply {
  readonly dev: number;
  readonly mode: number;
  readonly nlink: number;
  readonly ino: number;
  readonly size: number;
  readonly mtimeMs: number;
}

type Numeric = number | bigint;

/** File types: the bits of the mode, and the type of a directory entry. */
const QUESTIONS = {
  isDirectory: { mode: S_IFDIR, entry: UV_DIRENT_DIR },
  isFile: { mode: S_IFREG, entry: UV_DIRENT_FILE },
  isBlockDevice: { mode: S_IFBLK, entry: UV_DIRENT_BLOCK },
  isCharacterDevice: { mode: S_IFCHR, entry: UV_DIRENT_CHAR },
  isSymbolicLink: { mode: S_IFLNK, entry: UV_DIRENT_LINK },
  isFIFO: { mode: S_IFIFO, entry: UV_DIRENT_FIFO },
  isSocket: { mode: S_IFSOCK, entry: UV_DIRENT_SOCKET },
};

type Asked = (typeof QUESTIONS)[keyof typeof QUESTIONS];

/** Adds `isDirectory` and the similar methods to a class. */
function addQuestions<Self>(prototype: Self, answer: (self: Self, asked: Asked) => boolean): void {
  for (const [name, asked] of Object.entries(QUESTIONS)) {
    const methods = {
      [name](this: Self): boolean {
        return answer(this, asked);
      },
    };
    const value = methods[name];
    const descriptor = { value, writable: true, enumerable: false, configurable: true };
    Object.defineProperty(prototype, name, descriptor);
  }
}

/** The common part of `Stats` and `BigIntStats`. */
abstract class FileType {
  abstract readonly mode: Numeric;

  static {
    const typeOf = (file: FileType) => Number(file.mode) & S_IFMT;
    addQuestions(FileType.prototype, (file, { mode }) => typeOf(file) === mode);
  }
}

/** `fs.Stats`. One time stands for all four: that of the last change of content. */
export class Stats extends FileType {
  readonly dev: number;
  readonly mode: number;
  readonly nlink: number;
  readonly uid = 0;
  readonly gid = 0;
  readonly rdev = 0;
  readonly blksize = BLOCK_SIZE;
  readonly ino: number;
  readonly size: number;
  readonly blocks: number;
  readonly atimeMs: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly birthtimeMs: number;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;

  constructor({ dev, mode, nlink, ino, size, mtimeMs }: StatReply) {
    super();
    this.dev = dev;
    this.mode = mode;
    this.nlink = nlink;
    this.ino = ino;
    this.size = size;
    this.blocks = blocksOf(size);
    this.atimeMs = mtimeMs;
    this.mtimeMs = mtimeMs;
    this.ctimeMs = mtimeMs;
    this.birthtimeMs = mtimeMs;
    this.atime = dateOf(mtimeMs);
    this.mtime = dateOf(mtimeMs);
    this.ctime = dateOf(mtimeMs);
    this.birthtime = dateOf(mtimeMs);
  }
}

/** The result of `stat` with `bigint: true`. */
export class BigIntStats extends FileType {
  readonly dev: bigint;
  readonly mode: bigint;
  readonly nlink: bigint;
  readonly uid = 0n;
  readonly gid = 0n;
  readonly rdev = 0n;
  readonly blksize = BigInt(BLOCK_SIZE);
  readonly ino: bigint;
  readonly size: bigint;
  readonly blocks: bigint;
  readonly atimeMs: bigint;
  readonly mtimeMs: bigint;
  readonly ctimeMs: bigint;
  readonly birthtimeMs: bigint;
  readonly atimeNs: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly birthtimeNs: bigint;
  readonly atime: Date;
  readonly mtime: Date;
  readonly ctime: Date;
  readonly birthtime: Date;

  constructor({ dev, mode, nlink, ino, size, mtimeMs }: StatReply) {
    super();
    const ms = BigInt(Math.trunc(mtimeMs));
    const ns = ms * 1_000_000n + BigInt(Math.trunc((mtimeMs % 1) * 1e6));
    this.dev = BigInt(dev);
    this.mode = BigInt(mode);
    this.nlink = BigInt(nlink);
    this.ino = BigInt(ino);
    this.size = BigInt(size);
    this.blocks = BigInt(blocksOf(size));
    this.atimeMs =
      this.mtimeMs =
      this.ctimeMs =
      this.birthtimeMs =
        ms;
    this.atimeNs =
      this.mtimeNs =
      this.ctimeNs =
      this.birthtimeNs =
        ns;
    this.atime = dateOf(mtimeMs);
    this.mtime = dateOf(mtimeMs);
    this.ctime = dateOf(mtimeMs);
    this.birthtime = dateOf(mtimeMs);
  }
}

function blocksOf(size: number): number {
  return Math.ceil(size / BLOCK_SIZE) * (BLOCK_SIZE / SECTOR_SIZE);
}

function dateOf(ms: number): Date {
  return new Date(Math.round(ms));
}

/** The host's letters for the kinds of entries. */
const KINDS: Readonly<Record<string, number>> = {
  f: UV_DIRENT_FILE,
  d: UV_DIRENT_DIR,
  c: UV_DIRENT_CHAR,
  p: UV_DIRENT_FIFO,
};
/** The symbol under which a console shows the type, as in Node. */
const TYPE: unique symbol = Symbol("type");

/** The type of an entry, by the host's letter. */
export function typeOfKind(letter: string): number {
  return KINDS[letter] ?? 0;
}

/** `fs.Dirent`: one entry of a directory. */
export class Dirent {
  readonly name: unknown;
  readonly parentPath: string;
  readonly path: string;
  readonly [TYPE]: number;

  constructor(name: unknown, parentPath: string, type: number) {
    this.name = name;
    this.parentPath = parentPath;
    this.path = parentPath;
    this[TYPE] = type;
  }

  static {
    addQuestions(Dirent.prototype, (self, { entry }) => self[TYPE] === entry);
  }
}

/** Names the classes as guests see them. */
export function exposeStats(): void {
  setName(Stats, "Stats");
  setName(BigIntStats, "BigIntStats");
  setName(Dirent, "Dirent");
}
