import { assert, assertEquals, assertLess } from "@std/assert";
import { createFileService } from "../../../../runtimes/languages/javascript/host/host_fs.ts";
import { seededBelow } from "../../../support/random.ts";
import { put, testFiles } from "../../files/support.ts";

const SEED = 99;

function serviceUnderTest() {
  const { files } = testFiles();
  const service = createFileService(files);
  const call = (request: unknown, bytes?: Uint8Array<ArrayBuffer>) =>
    service.call(typeof request === "string" ? request : JSON.stringify(request), bytes);
  return { files, service, call };
}

/** The name of the error in a reply. */
function code(reply: unknown): string {
  if (typeof reply !== "string") return "bytes";
  return JSON.parse(reply).error?.code ?? "value";
}

Deno.test("host fs: replies with bytes for file content, and with JSON otherwise", () => {
  const { call } = serviceUnderTest();
  const written = call({ op: "writeFile", path: "f", flags: 0o1101 }, Uint8Array.of(1, 2));
  assertEquals(written, '{"value":null}');
  assertEquals(call({ op: "readFile", path: "f", flags: 0 }), Uint8Array.of(1, 2));
  assertEquals(call({ op: "readFile", path: "f", flags: 0, encoding: "hex" }), '{"value":"0102"}');
  assertEquals(
    JSON.parse(`${call({ op: "open", path: "g", cwd: "/tmp", flags: 0 })}`),
    {
      error: {
        code: "ENOENT",
        errno: -2,
        syscall: "open",
        path: "g",
        message: "ENOENT: no such file or directory, open 'g'",
      },
    },
  );
});

Deno.test("host fs: an error names the call and the path of the request", () => {
  const { call } = serviceUnderTest();
  const reply = call({ op: "mkdir", path: "no/x", call: "mkdtemp", as: "no/XXXXXX" });
  assertEquals(
    JSON.parse(`${reply}`).error.message,
    "ENOENT: no such file or directory, mkdtemp 'no/XXXXXX'",
  );
});

Deno.test("host fs: replies contain no NUL, for any contents of files", () => {
  const { files, call } = serviceUnderTest();
  put(files, "f", "a\0b\ud800");
  for (
    const reply of [
      call({ op: "readFile", path: "f", flags: 0, encoding: "utf8" }),
      call({ op: "stat", path: "a\0b" }),
    ]
  ) {
    assert(typeof reply === "string" && !reply.includes("\0"));
  }
});

Deno.test("host fs: a lone surrogate in a path becomes U+FFFD as in Node", () => {
  const { files, call } = serviceUnderTest();
  call({ op: "mkdir", path: "\ud800" });
  assertEquals(files.stat("\ufffd").kind, "directory");
});

Deno.test("host fs: malformed requests are refused", () => {
  const { files, call } = serviceUnderTest();
  put(files, "f", "x");
  const cases: [unknown, string][] = [
    ["", "EINVAL"],
    ["{", "EINVAL"],
    ["null", "EINVAL"],
    ["[]", "EINVAL"],
    ["7", "EINVAL"],
    [{}, "EINVAL"],
    [{ op: 5 }, "EINVAL"],
    [{ op: "format" }, "ENOSYS"],
    [{ op: "__proto__" }, "ENOSYS"],
    [{ op: "constructor" }, "ENOSYS"],
    [{ op: "stat" }, "EINVAL"],
    [{ op: "stat", path: 5 }, "EINVAL"],
    [{ op: "stat", path: ["f"] }, "EINVAL"],
    [{ op: "stat", path: "f", cwd: 5 }, "EINVAL"],
    [{ op: "stat", path: "f", call: {} }, "EINVAL"],
    [{ op: "open", path: "f" }, "EINVAL"],
    [{ op: "open", path: "f", flags: "r" }, "EINVAL"],
    [{ op: "open", path: "f", flags: -1 }, "EINVAL"],
    [{ op: "open", path: "f", flags: 0.5 }, "EINVAL"],
    [{ op: "open", path: "f", flags: 3 }, "EINVAL"],
    [{ op: "open", path: "f", flags: 0o20200002 }, "ENOTSUP"],
    [{ op: "open", path: "f", flags: 0, mode: "x" }, "EINVAL"],
    [{ op: "close" }, "EINVAL"],
    [{ op: "close", fd: "1" }, "EINVAL"],
    [{ op: "close", fd: 1e300 }, "EBADF"],
    [{ op: "read", fd: 0 }, "EINVAL"],
    [{ op: "read", fd: 0, length: -1 }, "EINVAL"],
    [{ op: "read", fd: 0, length: 1, position: -1 }, "EINVAL"],
    [{ op: "write", fd: 1 }, "EINVAL"],
    [{ op: "write", fd: 1, text: "x" }, "EINVAL"],
    [{ op: "write", fd: 1, text: "x", encoding: "ucs9" }, "EINVAL"],
    [{ op: "writeFile", path: "f", flags: 0o1101 }, "EINVAL"],
    [{ op: "readFile", path: "f", flags: 0, encoding: "utf-7" }, "EINVAL"],
    [{ op: "truncate", path: "f", size: -1 }, "EINVAL"],
    [{ op: "truncate", path: "f", size: 1e308 }, "EINVAL"],
    [{ op: "utimes", path: "f" }, "EINVAL"],
    [{ op: "utimes", path: "f", mtimeMs: null }, "EINVAL"],
    [{ op: "chmod", path: "f", mode: -1 }, "EINVAL"],
    [{ op: "access", path: "f", mode: {} }, "EINVAL"],
    [{ op: "rename", path: "f" }, "EINVAL"],
    [{ op: "copyFile", path: "f", dest: 1 }, "EINVAL"],
  ];
  for (const [request, expected] of cases) {
    assertEquals(code(call(request)), expected, JSON.stringify(request));
  }
  assertEquals(files.stat("f").size, 1);
  assertEquals(files.descriptors.numbers(), [0, 1, 2]);
});

Deno.test("host fs: a huge length takes no memory", () => {
  const { files, call } = serviceUnderTest();
  put(files, "f", "abc");
  call({ op: "open", path: "f", flags: 0 });
  call({ op: "open", path: "/dev/zero", flags: 0 });
  const length = Number.MAX_SAFE_INTEGER;
  assertEquals(call({ op: "read", fd: 3, length }), Uint8Array.of(97, 98, 99));
  assertEquals(call({ op: "read", fd: 3, length, position: 2 }), Uint8Array.of(99));
  assertEquals(call({ op: "read", fd: 3, length, position: length }), new Uint8Array());
  assertEquals(call({ op: "read", fd: 4, length })?.length, 65_536);
});

Deno.test("host fs: random requests get a reply, and leave nothing open", () => {
  const choose = seededBelow(SEED);
  const { files, call } = serviceUnderTest();
  const operations =
    "readFile writeFile open read write sync stat fstat access readdir mkdir rmdir unlink " +
    "rename symlink link readlink watch statfs copyFile truncate ftruncate utimes futimes chmod fchmod";
  const values: unknown[] = [
    0,
    1,
    3,
    99,
    -1,
    0.5,
    577,
    "f",
    "d",
    "",
    "/",
    "..",
    "utf8",
    "hex",
    null,
    true,
    [],
    {},
    1e300,
  ];
  const fields =
    "path dest fd cwd flags mode length position text encoding size mtimeMs exclusive call as"
      .split(" ");
  const names = operations.split(" ");
  for (let i = 0; i < 20_000; i++) {
    const request: Record<string, unknown> = { op: names[choose(names.length)] };
    for (const field of fields) {
      if (choose(2) === 0) request[field] = values[choose(values.length)];
    }
    const reply = call(request, choose(4) === 0 ? Uint8Array.of(1, 2, 3) : undefined);
    assert(
      reply instanceof Uint8Array || typeof JSON.parse(`${reply}`) === "object",
      `seed ${SEED}, request ${i}`,
    );
    if (request.op === "open") files.reset();
  }
  assertEquals(files.descriptors.numbers(), [0, 1, 2]);
});

Deno.test("host fs: fuel grows with the bytes that a call moves", () => {
  const { files, service, call } = serviceUnderTest();
  put(files, "big", new Uint8Array(1_000_000));
  service.workFuel();
  call({ op: "stat", path: "big" });
  const small = service.workFuel();
  call({ op: "copyFile", path: "big", dest: "copy" });
  const large = service.workFuel();
  assertLess(small * 1000, large);
  assertEquals(service.workFuel(), 0);
  assertLess(service.fuel(10) + 999_000, service.fuel(1_000_010));
});

Deno.test("host fs: fuel grows with the bytes read from a device, more with random ones", () => {
  const fuelOf = (path: string, length: number) => {
    const { service, call } = serviceUnderTest();
    call({ op: "open", path, flags: 2 });
    service.workFuel();
    assertEquals(call({ op: "read", fd: 3, length })?.length, length);
    return service.workFuel();
  };
  assertEquals(fuelOf("/dev/zero", 60_000) - fuelOf("/dev/zero", 10_000), 300_000);
  assertEquals(fuelOf("/dev/urandom", 60_000) - fuelOf("/dev/urandom", 10_000), 1_350_000);
});

Deno.test("host fs: reading all of an endless device is refused, but paid for", () => {
  const { files, service, call } = serviceUnderTest();
  service.workFuel();
  assertEquals(code(call({ op: "readFile", path: "/dev/zero", flags: 0 })), "EFBIG");
  assertLess(2 * files.limits.fileBytes - 1, service.workFuel());
});

Deno.test("host fs: fuel grows with the bytes that truncate adds or a device accepts", () => {
  const { files, service, call } = serviceUnderTest();
  put(files, "f", "");
  call({ op: "open", path: "/dev/null", flags: 1 });
  service.workFuel();
  call({ op: "truncate", path: "f", size: 1_000_000 });
  assertLess(2_000_000, service.workFuel());
  const small = (call({ op: "write", fd: 3 }, new Uint8Array(1)), service.workFuel());
  call({ op: "write", fd: 3 }, new Uint8Array(100_001));
  assertLess(small + 199_999, service.workFuel());
});

Deno.test("host fs: a fresh directory has the time of the run's start", () => {
  const { files, call } = serviceUnderTest();
  const timeOf = (path: string) => JSON.parse(`${call({ op: "stat", path })}`).value.mtimeMs;
  files.reset();
  files.beginRun();
  const first = timeOf("/workspace");
  assertEquals(timeOf("/tmp"), first);
  call({ op: "mkdir", path: "d" });
  files.reset();
  files.beginRun();
  assertLess(first, timeOf("/workspace"));
  assertEquals(timeOf("/tmp"), timeOf("/workspace"));
});

Deno.test("host fs: text that is decoded and quoted costs more than bytes", () => {
  const { files, service, call } = serviceUnderTest();
  put(files, "f", new Uint8Array(100_000).fill(1));
  const fuelOf = (encoding?: string) => {
    service.workFuel();
    call({ op: "readFile", path: "f", flags: 0, encoding });
    return service.workFuel();
  };
  assertLess(fuelOf() + 200_000, fuelOf("base64"));
  assertLess(fuelOf("base64") + 1_000_000, fuelOf("latin1"));
});
