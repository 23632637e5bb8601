/** Upload and download: what is sent, and what a stream does (docs/contract.md#files-as-bytes). */
import { assertEquals, assertRejects } from "@std/assert";
import {
  connect,
  FileNotFoundError,
  getSandbox,
  SandboxError,
  type ServiceBinding,
  ValidationFailedError,
} from "../../client/mod.ts";
import { failing } from "./recording.ts";
import { liveStream, settled } from "./live_stream.ts";

const AT = "https://sandbox.internal/files";

interface SeenUpload {
  readonly route: string;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
}

/** Files of a sandbox that answers so; `count` begins with 1. */
function filesOf(answer: (count: number) => Response | Promise<Response>) {
  const seen: SeenUpload[] = [];
  const binding: ServiceBinding = {
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      seen.push({ route: `${request.method} ${request.url}`, headers: request.headers, bytes });
      return await answer(seen.length);
    },
  };
  const { files } = getSandbox({ idFromName: (name) => name, get: () => binding }, "a");
  return { files, seen };
}

function created(): Response {
  return new Response(null, { status: 201 });
}

Deno.test("client files: paths are encoded by segment; no URL resolves them", async () => {
  const paths: Readonly<Record<string, string>> = {
    "a.txt": "a.txt",
    "/workspace/a/b.txt": "a/b.txt",
    "a b/grüße?#%.txt": "a%20b/gr%C3%BC%C3%9Fe%3F%23%25.txt",
    "%2e%2e/x": "%252e%252e/x",
    "...": "...",
    "..": ".%2F..",
    ".": ".%2F.",
    "../x": "..%2Fx",
    "a/../b": "a%2F..%2Fb",
    "./a": ".%2Fa",
    "a//b": "a%2F%2Fb",
    "a/": "a%2F",
    "/workspace": "%2Fworkspace",
    "/workspace/": "%2Fworkspace%2F",
    "/workspace//etc/passwd": "%2Fworkspace%2F%2Fetc%2Fpasswd",
    "/workspace/../etc": "%2Fworkspace%2F..%2Fetc",
    "/etc/passwd": "%2Fetc%2Fpasswd",
    "\\..\\a": "%5C..%5Ca",
  };
  const { files, seen } = filesOf(() => new Response("x"));
  for (const path of Object.keys(paths)) await files.download(path);
  assertEquals(
    seen.map(({ route }) => route),
    Object.values(paths).map((sent) => `GET ${AT}/${sent}`),
  );
});

Deno.test("client files: on a gateway, path and bytes stay as they are", async () => {
  const seen: SeenUpload[] = [];
  const env = connect("https://belljar.example/api", {
    fetch: async (request) => {
      const bytes = new Uint8Array(await request.arrayBuffer());
      seen.push({ route: `${request.method} ${request.url}`, headers: request.headers, bytes });
      if (!request.url.endsWith("/languages")) return created();
      const perl = { id: "perl", engine: "e", enabled: true, contexts: true };
      return Response.json({ languages: [perl] });
    },
  });
  const bytes = Uint8Array.of(0, 0xff, 0xfe, 0x0a);
  await getSandbox(env.Sandbox, "ada").files.upload("../a b/%2F", bytes);
  const at = "https://belljar.example/api/languages/perl/sandboxes/ada/files";
  assertEquals(seen[1]?.route, `PUT ${at}/..%2Fa%20b%2F%252F`);
  assertEquals(seen[1]?.bytes, bytes);
  assertEquals(seen[1]?.headers.get("content-type"), "application/octet-stream");
});

Deno.test("client files: text, bytes, blobs and streams are uploaded as bytes", async () => {
  const { files, seen } = filesOf((count) =>
    count % 2 === 0 ? created() : new Response(null, { status: 204 })
  );
  const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0, 0xff);
  await files.upload("a", "grüße");
  await files.upload("a", bytes.subarray(1));
  await files.upload("a", new Blob([bytes]));
  await files.upload("a", new Blob([bytes, "x"]).stream());
  await files.upload("a", new Uint8Array());
  assertEquals(seen.map((request) => request.bytes), [
    new TextEncoder().encode("grüße"),
    bytes.slice(1),
    bytes,
    Uint8Array.of(...bytes, 0x78),
    new Uint8Array(),
  ]);
});

Deno.test("client files: conditions are headers", async () => {
  const { files, seen } = filesOf(() => failing("PRECONDITION_FAILED", 412));
  for (const options of [{ ifNoneMatch: "*" }, { ifMatch: '"abc"' }]) {
    const { code } = await assertRejects(() => files.upload("a", "b", options), SandboxError);
    assertEquals(code, "PRECONDITION_FAILED");
  }
  const sent = seen.map(({ headers }) => [headers.get("if-none-match"), headers.get("if-match")]);
  assertEquals(sent, [["*", null], [null, '"abc"']]);
});

Deno.test("client files: a refused upload is sent again, a stream too", async () => {
  for (const content of ["abc", new Blob(["abc"]).stream()]) {
    const { files, seen } = filesOf((count) =>
      count === 1 ? failing("OVERLOADED", 503) : created()
    );
    await files.upload("a", content, { retry: { sleep: () => Promise.resolve() } });
    const bytes = new TextEncoder().encode("abc");
    assertEquals(seen.map((request) => request.bytes), [bytes, bytes]);
  }
});

Deno.test("client files: an invalid body of a file is refused before anything is sent", async () => {
  const { files, seen } = filesOf(created);
  const refused: (readonly [() => Promise<unknown>, string])[] = [
    [() => files.upload("", "x"), "path must not be empty"],
    [() => files.download("\ud800"), "path must be well-formed Unicode"],
    [() => Reflect.apply(files.downloadStream, undefined, [1]), "path must be a string"],
    [() => Reflect.apply(files.upload, undefined, ["a", 1]), "content must be a string, a"],
    [() => Reflect.apply(files.upload, undefined, ["a", ReadableStream.from(["x"])]), "of bytes"],
    [() => files.upload("a", "x", { ifMatch: "\n" }), "ifMatch must be"],
  ];
  for (const [call, message] of refused) await assertRejects(call, ValidationFailedError, message);
  assertEquals(seen, []);
});

Deno.test("client files: large content goes in pieces, from where the service says it is", async () => {
  const size = 20 * 1024 * 1024 + 5;
  const content = new Uint8Array(size).map((_, index) => index % 253);
  const stored = new Uint8Array(size);
  let kept = 0;
  let broken = 0;
  const { files, seen } = filesOf((count) => {
    const { headers, bytes } = seen.at(-1) ?? { headers: new Headers(), bytes: new Uint8Array() };
    const [, from, to] = /^bytes (?:(\d+)-(\d+)|\*)\/20971525$/.exec(
      headers.get("content-range") ?? "",
    ) ?? [];
    if (from !== undefined) {
      assertEquals([Number(from), bytes?.length], [kept, Number(to) + 1 - kept]);
      stored.set(bytes ?? new Uint8Array(), kept);
      kept = Number(to) + 1;
      // the first answer is lost after the piece was kept
      if (count === 1 && ++broken === 1) throw new TypeError("broken");
      if (kept === size) return created();
    }
    const range = kept === 0 ? {} : { range: `bytes=0-${kept - 1}` };
    return new Response(null, { status: 202, headers: range });
  });
  await files.upload("big", content, { retry: { sleep: () => Promise.resolve() } });
  assertEquals([kept, broken, seen.length], [size, 1, 4]);
  assertEquals(stored, content);
});

Deno.test("client files: a stream that fails, or is aborted, uploads nothing and is cancelled", async () => {
  const { files, seen } = filesOf(created);
  const thrown = new RangeError("disk");
  const failed = new ReadableStream<Uint8Array>({ pull: () => Promise.reject(thrown) });
  assertEquals(await files.upload("a", failed).catch((error: unknown) => error), thrown);
  let cancelled: unknown;
  const silent = new ReadableStream<Uint8Array>({ cancel: (reason) => void (cancelled = reason) });
  const controller = new AbortController();
  const call = files.upload("a", silent, { signal: controller.signal });
  await settled();
  controller.abort("enough");
  assertEquals(await call.catch((error: unknown) => error), "enough");
  assertEquals([cancelled, seen], ["enough", []]);
});

Deno.test("client files: a download is the bytes, or the error of the answer", async () => {
  const bytes = Uint8Array.of(0, 0xff, 0x7b);
  const { files } = filesOf((count) =>
    count > 2 ? failing("FILE_NOT_FOUND", 404) : new Response(bytes)
  );
  assertEquals(await files.download("a"), bytes);
  assertEquals(
    new Uint8Array(await new Response(await files.downloadStream("a")).arrayBuffer()),
    bytes,
  );
  await assertRejects(() => files.download("a"), FileNotFoundError);
  await assertRejects(() => files.downloadStream("a"), FileNotFoundError);
  const strange = filesOf(() => Response.json({}, { status: 202 }));
  await assertRejects(() => strange.files.download("a"), SandboxError, "status 202");
  await assertRejects(() => strange.files.upload("a", "b"), SandboxError, "status 202");
});

Deno.test("client files: an interrupted download is an error, also as a stream", async () => {
  const body = liveStream();
  body.write("abc");
  const { files } = filesOf(() => body.response);
  const reader = (await files.downloadStream("a")).getReader();
  assertEquals((await reader.read()).value?.length, 3);
  body.break();
  await assertRejects(() => reader.read(), SandboxError, "The connection broke");
  const whole = liveStream();
  const other = filesOf(() => whole.response);
  const call = other.files.download("a");
  whole.write("abc");
  await settled();
  whole.break();
  await assertRejects(() => call, SandboxError, "The connection broke");
});

Deno.test("client files: a stream is read on demand, and its end ends the call", async () => {
  const body = liveStream();
  const { files } = filesOf(() => body.response);
  const controller = new AbortController();
  const stream = await files.downloadStream("a", { signal: controller.signal, timeout: 60_000 });
  body.write("ab");
  body.close();
  assertEquals(await new Response(stream).text(), "ab");
  controller.abort("too late to matter");
});

Deno.test("client files: cancelling a stream cancels the answer; signal and timeout end both", async () => {
  const cancelled = liveStream();
  const stream = await filesOf(() => cancelled.response).files.downloadStream("a");
  await stream.cancel("enough");
  assertEquals(cancelled.left() !== undefined, true);

  const aborted = liveStream();
  const controller = new AbortController();
  const { signal } = controller;
  const reader = (await filesOf(() => aborted.response).files.downloadStream("a", { signal }))
    .getReader();
  const read = reader.read().catch((error: unknown) => error);
  controller.abort("changed my mind");
  assertEquals([await read, aborted.left() !== undefined], ["changed my mind", true]);

  const slow = liveStream();
  const late = await filesOf(() => slow.response).files.downloadStream("a", { timeout: 5 });
  const error = await assertRejects(() => late.getReader().read(), DOMException);
  assertEquals([error.name, slow.left() !== undefined], ["TimeoutError", true]);
});
