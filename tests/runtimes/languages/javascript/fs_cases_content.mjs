// Whole files, and arguments that are refused.
import { bytes } from "./fs_cases_support.mjs";

const content = [
  ["write text", (fs) => fs.writeFileSync("f", "héllo")],
  ["read text", (fs) => fs.readFileSync("f", "utf8")],
  ["read bytes", (fs) => fs.readFileSync("f")],
  ["read with an object", (fs) => fs.readFileSync("f", { encoding: "latin1" })],
  ["read base64", (fs) => fs.readFileSync("f", "base64")],
  ["read hex", (fs) => fs.readFileSync("f", "hex")],
  ["read UTF-16", (fs) => fs.readFileSync("f", "UCS-2")],
  ["write base64", (fs) => fs.writeFileSync("b", "aGk=", "base64") ?? fs.readFileSync("b", "utf8")],
  ["write hex", (fs) => fs.writeFileSync("b", "00ff", "hex") ?? fs.readFileSync("b")],
  ["write latin1", (fs) => fs.writeFileSync("b", "é", "latin1") ?? fs.readFileSync("b")],
  ["write a lone surrogate", (fs) => fs.writeFileSync("b", "\ud800") ?? fs.readFileSync("b")],
  [
    "read bad UTF-8",
    (fs) => fs.writeFileSync("b", bytes(0x61, 0xff)) ?? fs.readFileSync("b", "utf8"),
  ],
  [
    "read a byte order mark",
    (fs) => fs.writeFileSync("b", "\ufeffx") ?? fs.readFileSync("b", "utf8"),
  ],
  [
    "write NUL and control characters",
    (fs) => fs.writeFileSync("b", "\0\u2028\n") ?? fs.readFileSync("b", "utf8"),
  ],
  [
    "write part of a buffer",
    (fs) => fs.writeFileSync("b", bytes(1, 2, 3, 4).subarray(1, 3)) ?? fs.readFileSync("b"),
  ],
  [
    "write a DataView",
    (fs) => fs.writeFileSync("b", new DataView(bytes(1, 2, 3).buffer, 1)) ?? fs.readFileSync("b"),
  ],
  [
    "write wide numbers",
    (fs) => fs.writeFileSync("b", Uint16Array.of(1, 2)) ?? fs.readFileSync("b"),
  ],
  ["write nothing", (fs) => fs.writeFileSync("b", "") ?? fs.readFileSync("b", "utf8")],
  [
    "append",
    (fs) =>
      fs.appendFileSync("log", "a\n") ?? fs.appendFileSync("log", "b\n") ??
        fs.readFileSync("log", "utf8"),
  ],
  [
    "append with a flag",
    (fs) => fs.writeFileSync("log", "c", { flag: "a" }) ?? fs.readFileSync("log", "utf8"),
  ],
  ["write exclusively", (fs) => fs.writeFileSync("f", "x", { flag: "wx" })],
  ["write with a mode", (fs) => fs.writeFileSync("m", "", { mode: 0o600 }) ?? fs.statSync("m")],
  ["write r+", (fs) => fs.writeFileSync("f", "HE", { flag: "r+" }) ?? fs.readFileSync("f", "utf8")],
  ["read missing", (fs) => fs.readFileSync("missing")],
  ["read a missing absolute path", (fs) => fs.readFileSync("/nowhere/x", "utf8")],
  ["read a directory", (fs) => fs.mkdirSync("d") ?? fs.readFileSync("d")],
  ["read a directory as text", (fs) => fs.readFileSync("d", "utf8")],
  ["write a directory", (fs) => fs.writeFileSync("d", "x")],
  ["write below a missing directory", (fs) => fs.writeFileSync("no/such", "x")],
  ["write below a file", (fs) => fs.writeFileSync("f/x", "x")],
  ["read with a slash", (fs) => fs.readFileSync("f/")],
  ["read the empty path", (fs) => fs.readFileSync("")],
  ["read a name of 256 bytes", (fs) => fs.readFileSync("x".repeat(256))],
  ["truncate", (fs) => fs.truncateSync("f", 3) ?? fs.readFileSync("f", "latin1")],
  ["truncate longer", (fs) => fs.truncateSync("f", 5) ?? fs.readFileSync("f")],
  ["truncate to nothing", (fs) => fs.truncateSync("f") ?? fs.statSync("f").size],
  ["truncate below zero", (fs) => fs.truncateSync("f", -5) ?? fs.statSync("f").size],
  ["truncate missing", (fs) => fs.truncateSync("missing", 1)],
  ["truncate a directory", (fs) => fs.truncateSync("d", 1)],
  ["read after emptying", (fs) => fs.writeFileSync("f", "hello") ?? fs.readFileSync("f", null)],
];

const refusedArguments = [
  ["no path", (fs) => fs.readFileSync()],
  ["a number as path", (fs) => fs.statSync(5)],
  ["an object as path", (fs) => fs.mkdirSync({})],
  ["NUL in a path", (fs) => fs.statSync("a\0b")],
  ["an encoding that does not exist", (fs) => fs.readFileSync("f", "zzz")],
  ["data that is a number", (fs) => fs.writeFileSync("f", 5)],
  ["data that is an object", (fs) => fs.writeFileSync("f", { a: 1 })],
  ["data that is missing", (fs) => fs.writeFileSync("f")],
  ["flags that do not exist", (fs) => fs.openSync("f", "zz")],
  ["a mode that is no number", (fs) => fs.mkdirSync("x", "zz")],
  ["a descriptor that is text", (fs) => fs.closeSync("1")],
  ["a negative descriptor", (fs) => fs.closeSync(-1)],
  ["a fractional descriptor", (fs) => fs.closeSync(1.5)],
  ["a time that is text", (fs) => fs.utimesSync("f", "x", 1)],
  ["a time that is no number", (fs) => fs.utimesSync("f", 1, NaN)],
  ["no callback", (fs) => fs.readFile("f")],
  ["an object for a callback", (fs) => fs.stat("f", {})],
  ["exists without callback", (fs) => fs.exists("f")],
  ["a wrong argument with a callback", (fs) => fs.readFile(5.5, () => {})],
  ["a wrong argument with a promise", (fs) => fs.promises.readFile({})],
  ["no buffer", (fs) => fs.readSync(0)],
  ["too long a read", (fs) => fs.readSync(0, bytes(1), 0, 5)],
  ["a position that is text", (fs) => fs.readSync(0, bytes(1), 0, 1, "x")],
  ["writing an object", (fs) => fs.writeSync(1, {})],
  ["a length that is text", (fs) => fs.ftruncateSync(1, "x")],
  ["a web URL", (fs) => fs.readFileSync(new URL("http://x/"))],
  ["a file URL", (fs) => fs.readFileSync(new URL("file:///nowhere/a%20b"))],
  ["a path as bytes", (fs) => fs.readFileSync(new TextEncoder().encode("nö"))],
];

/** Name and function of each case. */
export const contentCases = [...content, ...refusedArguments];
