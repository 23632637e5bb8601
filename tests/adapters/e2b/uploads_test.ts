// test: long
/** Uploads at and over their limits, long lists, and headers of answers, against a real service. */
import { assert, assertEquals } from "@std/assert";
import { E2B_LIMITS, WORKSPACE_LIMITS } from "../../../shared/limits.ts";
import { type Service, startService } from "../../support/service.ts";
import { sharedService } from "../../support/shared_service.ts";

const TOKEN = "e2b_aa";
const ENV = { LANGUAGES: "javascript", TOKENS: `a:${TOKEN}` };
const JSON_TYPE = { "content-type": "application/json" };
const shared = sharedService(ENV);
const OCTETS = { "content-type": "application/octet-stream" };

interface Sent {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: BodyInit;
}

/** Calls in a sandbox; the caller reads the answer. */
function caller({ url }: Service, box: string) {
  return (path: string, { method = "POST", headers = {}, body }: Sent = {}) =>
    fetch(`${url}/e2b${path}`, {
      method,
      headers: { "x-api-key": TOKEN, "e2b-sandbox-id": box, ...headers },
      ...(body === undefined ? {} : { body }),
    });
}

async function created(service: Service): Promise<string> {
  const answer = await caller(service, "")("/sandboxes", { headers: JSON_TYPE, body: "{}" });
  return (await answer.json()).sandboxID;
}

async function gzip(body: BodyInit): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Response(body).body?.pipeThrough(new CompressionStream("gzip"));
  return await new Response(packed).bytes();
}

/** Zeros that are never there as a whole. */
function zeros(mebibytes: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  let left = mebibytes;
  return new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(new Uint8Array(1024 * 1024));
      else controller.close();
    },
  });
}

/** The largest memory of a process so far, in MiB. */
async function peakMiB({ pid }: Service): Promise<number> {
  const status = await Deno.readTextFile(`/proc/${pid}/status`);
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1]) / 1024;
}

Deno.test("e2b uploads: unpacking stops at the size of a file", async () => {
  const service = shared();
  const call = caller(service, await created(service));
  const upload = async (body: BodyInit) => {
    const headers = { ...OCTETS, "content-encoding": "gzip" };
    const answer = await call("/files?path=a", { headers, body });
    return [answer.status, (await answer.text()).includes(`${WORKSPACE_LIMITS.fileBytes}`)];
  };
  const most = new Uint8Array(WORKSPACE_LIMITS.fileBytes);
  assertEquals(await upload(await gzip(most)), [200, false]);
  const before = await peakMiB(service);
  assertEquals(await upload(await gzip(new Uint8Array(most.length + 1))), [413, true]);
  const bomb = await gzip(zeros(400));
  for (let round = 0; round < 3; round++) assertEquals(await upload(bomb), [413, true]);
  assert(await peakMiB(service) - before < 150, "memory grew");
  const half = bomb.subarray(0, 1_000);
  for (const damaged of [half, new Uint8Array(0), new Uint8Array(100), "text"]) {
    assertEquals(await upload(damaged), [400, false]);
  }
  const stored = await (await call("/files?path=a", { method: "GET" })).bytes();
  assertEquals(stored, most);
});

/** A form of that many files, or of parts that are no files. */
function formOf(count: number, boundary = "x", name = "file"): Sent {
  const parts = Array.from(
    { length: count },
    (_, at) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="f${at}"\r\n\r\n${at}\r\n`,
  );
  const type = `multipart/form-data; boundary=${boundary}`;
  return { headers: { "content-type": type }, body: `${parts.join("")}--${boundary}--\r\n` };
}

Deno.test("e2b uploads: a form has a bounded number of parts, and one with more stores nothing", async () => {
  const service = shared();
  const { formParts } = E2B_LIMITS;
  const call = caller(service, await created(service));
  const statusOf = async (sent: Sent, path = "/files") => {
    const answer = await call(path, sent);
    await answer.body?.cancel();
    return answer.status;
  };
  const names = async () => {
    const body = JSON.stringify({ path: "/workspace" });
    const answer = await call("/filesystem.Filesystem/ListDir", { headers: JSON_TYPE, body });
    return (await answer.json()).entries.length;
  };
  assertEquals(await statusOf(formOf(formParts + 1)), 413);
  assertEquals(await statusOf(formOf(50_000)), 413);
  assertEquals(await statusOf(formOf(formParts + 1, "x", "other")), 413);
  assertEquals(await statusOf(formOf(formParts + 1, "-".repeat(70))), 413);
  assertEquals(await statusOf(formOf(2), "/files?path=a"), 400);
  assertEquals(await names(), 0);
  assertEquals(await statusOf(formOf(formParts, "a'()+_,-./:=?z")), 200);
  assertEquals(await names(), formParts);
  const types = [
    "multipart/form-data",
    "multipart/form-data; boundary=",
    "multipart/form-data; boundary=é",
  ];
  for (const type of types) {
    assertEquals(await statusOf({ ...formOf(1), headers: { "content-type": type } }), 400, type);
  }
  const quoted = { "content-type": 'multipart/form-data; charset=utf-8; boundary="x"' };
  assertEquals(await statusOf({ ...formOf(1), headers: quoted }), 200);
});

/** A form whose files are never there as a whole. */
function longForm(
  files: readonly (readonly [name: string, mebibytes: number])[],
  end = "--x--\r\n",
) {
  const encoder = new TextEncoder();
  async function* pieces() {
    for (const [name, mebibytes] of files) {
      const disposition = `Content-Disposition: form-data; name="file"; filename="${name}"`;
      yield encoder.encode(`--x\r\n${disposition}\r\n\r\n`);
      yield* zeros(mebibytes);
      yield encoder.encode("\r\n");
    }
    yield encoder.encode(end);
  }
  const headers = { "content-type": "multipart/form-data; boundary=x" };
  return { headers, body: ReadableStream.from(pieces()) };
}

Deno.test("e2b uploads: the files of a long form are stored while it arrives", async () => {
  const service = shared();
  const call = caller(service, await created(service));
  const send = async (form: Sent, path = "/files") => {
    const answer = await call(path, form);
    return [answer.status, await answer.text()] as const;
  };
  const sizes = async (...names: readonly string[]) => {
    const answers = await Promise.all(
      names.map((n) => call(`/files?path=${n}`, { method: "GET" })),
    );
    return await Promise.all(answers.map(async (answer) => {
      const { length } = await answer.bytes();
      return answer.status === 200 ? length / 2 ** 20 : undefined;
    }));
  };
  const [status, text] = await send(longForm([["a", 4], ["d/b c", 4], ["e", 0], ["f", 4]]));
  assertEquals(status, 200, text);
  assertEquals(JSON.parse(text).map(({ path }: { readonly path: string }) => path), [
    "/home/user/a",
    "/home/user/d/b c",
    "/home/user/e",
    "/home/user/f",
  ]);
  assertEquals(await sizes("a", "d/b%20c", "e", "f"), [4, 4, 0, 4]);
  const faults: readonly (readonly [number, Sent, string])[] = [
    [413, longForm([["a", 3], ["g", 5], ["h", 1]]), `${WORKSPACE_LIMITS.fileBytes}`],
    [413, longForm([["a", 4], ["a", 4], ["a", 4], ["a", 4], ["h", 4]]), "larger"],
    [400, longForm([["a", 4], ["a", 3], ["h", 1]], "--"), "not a form"],
    [403, longForm([["a", 4], ["a", 3], ["../h", 1], ["h", 1]]), "PERMISSION_DENIED"],
    [507, longForm([["g", 4], ["h", 2], ["i", 1]]), "NO_SPACE"],
  ];
  for (const [status, form, message] of faults) {
    const [found, text] = await send(form);
    assertEquals([found, text.includes(message)], [status, true], text);
  }
  assertEquals(await sizes("a", "g", "h", "i"), [3, 4, undefined, undefined]);
  assertEquals((await send(longForm([["x", 4], ["y", 3]]), "/files?path=p"))[0], 507);
  assertEquals((await send(longForm([["x", 3], ["y", 4]]), "/files?path=a"))[0], 400);
  assertEquals(
    (await send(longForm([], `--x\r\n\r\n${"1".repeat(7 * 2 ** 20)}\r\n--x--`)))[0],
    400,
  );
  assertEquals(await sizes("a", "x", "y"), [3, undefined, undefined]);
});

Deno.test("e2b: a long list has each entry once, and respects the depth", async () => {
  const service = shared();
  const box = await created(service);
  const call = caller(service, box);
  const code = `const fs = require("fs");
    for (let d = 0; d < 40; d++) {
      fs.mkdirSync("/workspace/d" + d);
      for (let f = 0; f < 99; f++) fs.writeFileSync("/workspace/d" + d + '/"\\\\{f' + f, "x");
    }`;
  const run = await call("/execute", {
    headers: JSON_TYPE,
    body: JSON.stringify({ code, language: "javascript" }),
  });
  assert(!(await run.text()).includes('"error"'));
  const list = async (depth: number) => {
    const body = JSON.stringify({ path: "/workspace", depth });
    const answer = await call("/filesystem.Filesystem/ListDir", { headers: JSON_TYPE, body });
    const { entries } = await answer.json();
    return entries.map(({ path }: { readonly path: string }) => path);
  };
  const all = await list(2);
  assertEquals([all.length, new Set(all).size], [4_000, 4_000]);
  assert(all.includes('/home/user/d39/"\\{f98'));
  assertEquals((await list(1)).length, 40);
  assertEquals((await list(0)).length, 40);
});

Deno.test("e2b: no answer in JSON may be stored, above all none with a token", async () => {
  const service = shared();
  const box = await created(service);
  const call = caller(service, box);
  const json = (value: unknown): Sent => ({ headers: JSON_TYPE, body: JSON.stringify(value) });
  const fs = "/filesystem.Filesystem";
  const calls: readonly (readonly [string, Sent])[] = [
    ["/sandboxes", json({})],
    ["/v2/sandboxes", { method: "GET" }],
    [`/sandboxes/${box}`, { method: "GET" }],
    [`/sandboxes/${box}/connect`, json({ timeout: 10 })],
    ["/sandboxes/none", { method: "GET" }],
    ["/sandboxes", json({ timeout: "x" })],
    ["/sandboxes", { headers: { "x-api-key": "wrong" } }],
    ["/execute", json({ code: "1", language: "javascript" })],
    ["/contexts", json({ language: "javascript" })],
    ["/contexts", { method: "GET" }],
    ["/files?path=a", { headers: OCTETS, body: "1" }],
    ["/files?path=none", { method: "GET" }],
    [`${fs}/ListDir`, json({ path: "/" })],
    [`${fs}/Stat`, json({ path: "none" })],
    [`${fs}/MakeDir`, json({ path: "d" })],
    [`${fs}/Remove`, json({ path: "d" })],
    ["/process.Process/Start", { headers: { "content-type": "application/connect+json" } }],
  ];
  for (const [path, sent] of calls) {
    const answer = await call(path, sent);
    await answer.body?.cancel();
    assertEquals(answer.headers.get("cache-control"), "no-store", path);
  }
});

Deno.test("e2b uploads: a large file, as it is, in gzip or in a form, passes through the service in bounded memory", async () => {
  const folder = await Deno.makeTempDir();
  await using cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => Deno.remove(folder, { recursive: true }));
  const limits = { FILE_BYTES: String(2 ** 28), WORKSPACE_BYTES: String(2 ** 29) };
  await using service = await startService({ ...ENV, ...limits, KV_PATH: `${folder}/data` });
  const call = caller(service, await created(service));
  const upload = async (path: string, body: BodyInit) => {
    const answer = await call(`/files?path=${path}`, { headers: OCTETS, body });
    return [answer.status, (await answer.text()).includes(`${2 ** 28}`)];
  };
  assertEquals(await upload("small", "text"), [200, false]);
  const before = await peakMiB(service);
  assertEquals(await upload("large", zeros(120)), [200, false]);
  const lengthOf = async (path: string) => {
    const answer = await call(`/files?path=${path}`, { method: "GET" });
    let length = 0;
    for await (const chunk of answer.body ?? []) length += chunk.length;
    return length;
  };
  assertEquals(await lengthOf("large"), 120 * 2 ** 20);
  const headers = { ...OCTETS, "content-encoding": "gzip" };
  const packed = await call("/files?path=packed", { headers, body: await gzip(zeros(130)) });
  assertEquals([packed.status, (await packed.json()).length], [200, 1]);
  assertEquals(await lengthOf("packed"), 130 * 2 ** 20);
  const bomb = await call("/files?path=bomb", { headers, body: await gzip(zeros(300)) });
  assertEquals([bomb.status, (await bomb.text()).includes(`${2 ** 28}`)], [413, true]);
  const form = await call("/files", longForm([["f", 5], ["g", 1], ["h", 70]]));
  assertEquals([form.status, (await form.json()).length], [200, 3]);
  assertEquals([await lengthOf("f"), await lengthOf("h")], [5 * 2 ** 20, 70 * 2 ** 20]);
  assert(await peakMiB(service) - before < 200, "memory grew");
});
