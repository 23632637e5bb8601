import { assert, assertEquals } from "@std/assert";
import os from "node:os";
import util from "node:util";
import { ERRNO } from "../../../runtimes/files/errno.ts";
import { FileError } from "../../../runtimes/files/file_error.ts";

Deno.test({
  name: "errno: numbers and words are those of Linux and libuv",
  ignore: Deno.build.os !== "linux" || typeof util.getSystemErrorMap !== "function",
  fn() {
    const system = util.getSystemErrorMap();
    const numbers: Record<string, number> = os.constants.errno;
    for (const [name, entry] of Object.entries(ERRNO)) {
      assertEquals(entry.linux, numbers[name], name);
      assertEquals([name, entry.message], system.get(-entry.linux), name);
    }
  },
});

Deno.test("errno: the WASI numbers are those of wasi_snapshot_preview1", () => {
  // The enumeration of the specification, in order; the index is the number.
  const preview1 =
    "SUCCESS 2BIG ACCES ADDRINUSE ADDRNOTAVAIL AFNOSUPPORT AGAIN ALREADY BADF BADMSG " +
    "BUSY CANCELED CHILD CONNABORTED CONNREFUSED CONNRESET DEADLK DESTADDRREQ DOM DQUOT EXIST " +
    "FAULT FBIG HOSTUNREACH IDRM ILSEQ INPROGRESS INTR INVAL IO ISCONN ISDIR LOOP MFILE MLINK " +
    "MSGSIZE MULTIHOP NAMETOOLONG NETDOWN NETRESET NETUNREACH NFILE NOBUFS NODEV NOENT NOEXEC " +
    "NOLCK NOLINK NOMEM NOMSG NOPROTOOPT NOSPC NOSYS NOTCONN NOTDIR NOTEMPTY NOTRECOVERABLE " +
    "NOTSOCK NOTSUP NOTTY NXIO OVERFLOW OWNERDEAD PERM PIPE PROTO PROTONOSUPPORT PROTOTYPE RANGE " +
    "ROFS SPIPE SRCH STALE TIMEDOUT TXTBSY XDEV NOTCAPABLE";
  const numbers = new Map(preview1.split(" ").map((name, number) => [`E${name}`, number]));
  for (const [name, entry] of Object.entries(ERRNO)) {
    assertEquals(entry.wasi, numbers.get(name), name);
  }
});

Deno.test("FileError: carries the name of the error, and its words as message", () => {
  const error = new FileError("ENOSPC");
  assert(error instanceof Error);
  assertEquals([error.name, error.code], ["FileError", "ENOSPC"]);
  assertEquals(error.message, "ENOSPC: no space left on device");
});
