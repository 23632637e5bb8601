/**
 * Uploads in pieces: in any sizes, with restarts, several clients, gaps, other lengths, callers that
 * leave, quotas, forks, checkpoints and time.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createHash } from "node:crypto";
import type { KvStore } from "../../store/kv.ts";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { sandboxLimits } from "../../shared/limit_rules.ts";
import { BODY_BUDGET, SHARED_LIMITS } from "../../shared/limits.ts";
import { keysOf, type ProcessOptions, sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { testGateway } from "./test_gateway.ts";

const MIB = 1024 * 1024;
const HOUR_MS = 3_600_000;
const MAX_FILE = 24 * MIB;
const LIMITS = sandboxLimits({ ...SHARED_LIMITS, fileBytes: MAX_FILE, workspaceBytes: 64 * MIB });

/** A service over a store, as one tenant sees it. */
class Client {
  readonly #handler: (request: Request) => Promise<Response>;
  readonly sandboxes: ReturnType<typeof sandboxProcess>;
  readonly bodies = new BodyBudget(BODY_BUDGET);
  readonly #token: string;

  constructor(store: KvStore, options: ProcessOptions = {}, token = "a") {
    this.#token = token;
    this.sandboxes = sandboxProcess(store, { limits: LIMITS, ...options });
    this.#handler = testGateway({
      sandboxes: this.sandboxes,
      runtimes: new Map([["python", echoRuntime("python")]]),
      bodies: this.bodies,
      authenticate: createAuthenticator(["a", "b"].map((tenant) => ({ tenant, token: tenant }))),
    });
  }

  async send(method: string, path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { authorization: `Bearer ${this.#token}`, ...init.headers };
    const url = `http://localhost:8000/languages/python/sandboxes/${path}`;
    return await this.#handler(new Request(url, { method, ...init, headers }));
  }

  async put(path: string, range: string | undefined, body?: BodyInit) {
    const headers: Record<string, string> = range === undefined ? {} : { "content-range": range };
    if (body instanceof Uint8Array) headers["content-length"] = String(body.length);
    const answer = await this.send("PUT", path, { headers, body: body ?? null });
    const text = await answer.text();
    const { code, message, context } = text === "" ? { code: "" } : JSON.parse(text);
    return { status: answer.status, range: answer.headers.get("range"), code, message, context };
  }

  async piece(path: string, data: Uint8Array<ArrayBuffer>, from: number, to: number) {
    return await this.put(path, `bytes ${from}-${to - 1}/${data.length}`, data.slice(from, to));
  }

  async ask(path: string, length: number) {
    return await this.put(path, `bytes */${length}`);
  }

  async read(path: string) {
    const answer = await this.send("GET", path);
    const bytes = new Uint8Array(await answer.arrayBuffer());
    return { status: answer.status, bytes, tag: answer.headers.get("etag") };
  }

  async janitor(): Promise<void> {
    for (const task of this.sandboxes.janitorTasks) await task.run(new AbortController().signal);
  }

  async usedBytes(): Promise<number> {
    const list = await this.sandboxes.forTenant(this.#token).list({ limit: [], cursor: [] });
    return list.usage.bytes;
  }
}

function bytesOf(length: number, below: (most: number) => number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(data.subarray(at, at + 65_536));
  }
  if (length > 0) data[below(length)] = 7;
  return data;
}

function sha256(data: Uint8Array): string {
  return `"${createHash("sha256").update(data).digest("hex")}"`;
}

Deno.test("pieces: any sizes, with restarts, repeats and questions between, make the file", () =>
  withStore(async (store) => {
    const below = seededBelow(printedSeed("pieces"));
    for (let round = 0; round < 12; round++) {
      const data = bytesOf(1 + below(round % 3 === 0 ? 3 * MIB : 200_000), below);
      const path = `box${round}/files/d/f`;
      const isNew = below(2) === 0;
      let client = new Client(store);
      if (!isNew) assertEquals((await client.put(path, undefined, Uint8Array.of(1))).status, 201);
      for (let at = 0; at < data.length;) {
        if (below(3) === 0) client = new Client(store);
        if (below(3) === 0) {
          const { status, range } = await client.ask(path, data.length);
          assertEquals([status, range], [202, at === 0 ? null : `bytes=0-${at - 1}`]);
        }
        if (below(3) === 0 && at > 0) { // a piece that is there already, in part or as a whole
          const from = below(at);
          const to = from + 1 + below(at - from);
          const again = await client.put(
            path,
            `bytes ${from}-${to - 1}/${data.length}`,
            new Uint8Array(to - from),
          );
          assertEquals([again.status, again.range], [202, `bytes=0-${at - 1}`]);
        }
        const before = await client.read(path);
        assertEquals(
          [before.status, before.bytes.length],
          isNew ? [404, before.bytes.length] : [
            200,
            1,
          ],
        );
        const from = below(4) === 0 ? below(at + 1) : at; // pieces may overlap
        const to = Math.min(data.length, at + 1 + below(data.length));
        const { status, range } = await client.piece(path, data, from, to);
        const expected = to < data.length ? [202, `bytes=0-${to - 1}`] : [isNew ? 201 : 204, null];
        assertEquals([status, range], expected);
        at = to;
      }
      const { bytes, tag } = await client.read(path);
      assertEquals([bytes.length, sha256(bytes), tag], [data.length, sha256(data), sha256(data)]);
    }
    assertEquals((await keysOf(store)).filter((key) => key.includes("upload")), []);
  }));

Deno.test("pieces: a gap, another length and a body of another length change nothing", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const data = new Uint8Array(1000).fill(1);
    const path = "box/files/f";
    assertEquals((await client.piece(path, data, 10, 20)).status, 409);
    assertEquals((await client.ask(path, 1000)).range, null);
    assertEquals((await client.piece(path, data, 0, 100)).range, "bytes=0-99");
    const refused: readonly (readonly [string, number, number])[] = [
      ["bytes 101-200/1000", 100, 409],
      ["bytes 100-199/1001", 100, 409],
      ["bytes 0-99/999", 100, 409],
      ["bytes 100-199/1000", 99, 400],
      ["bytes 100-199/1000", 101, 400],
      ["bytes 100-199/1000", 0, 400],
    ];
    for (const [range, length, status] of refused) {
      const answer = await client.put(path, range, new Uint8Array(length));
      assertEquals([range, length, answer.status], [range, length, status]);
      assertEquals((await client.ask(path, 1000)).range, "bytes=0-99");
    }
    assertEquals((await client.ask(path, 999)).status, 409);
    assertEquals((await client.put(path, "bytes */1000", Uint8Array.of(1))).status, 400);
    assertEquals((await client.piece(path, data, 100, 1000)).status, 201);
    assertEquals((await client.piece(path, data, 100, 1000)).status, 409);
    assertEquals((await client.read(path)).bytes, data);
  }));

Deno.test("pieces: a header that is malformed is refused by name", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const wrong = [
      "",
      "bytes",
      "bytes 0-9",
      "bytes 0-9/*",
      "bytes 9-0/10",
      "bytes 0-10/10",
      "bytes 0-0/0",
      "bytes -5/10",
      "bytes a-b/c",
      "items 0-9/10",
      "bytes 0-9/10, bytes 10-19/20",
      "bytes 0-9/1e3",
      `bytes 0-9/${"9".repeat(400)}`,
    ];
    for (const range of wrong) {
      const { status, code, message } = await client.put("box/files/f", range, new Uint8Array(10));
      assertEquals([range, status, code], [range, 400, "VALIDATION_FAILED"]);
      assertMatch(message, /^Content-Range /);
    }
    assertEquals((await client.ask("box/files/f", 0)).status, 202);
    assertEquals((await client.put("box/files/empty", undefined, new Uint8Array())).status, 201);
    assertEquals((await client.read("box/files/empty")).bytes.length, 0);
  }));

Deno.test("pieces: what has no room is refused at the first piece, by the length of the file", () =>
  withStore(async (store) => {
    const client = new Client(store, { quotas: { maxTenantBytes: 30 * MIB } });
    const first = (path: string, total: number) =>
      client.put(path, `bytes 0-0/${total}`, Uint8Array.of(1));
    const large = await first("box/files/f", MAX_FILE + 1);
    assertEquals([large.status, large.code], [413, "FILE_TOO_LARGE"]);
    assertEquals(large.context.maxSize, MAX_FILE);
    assertEquals((await first("box/files/f", MAX_FILE)).status, 202);
    assert(await client.usedBytes() >= MAX_FILE); // it counts from its first piece on
    const full = await first("other/files/f", MAX_FILE);
    assertEquals([full.status, full.code], [507, "NO_SPACE"]);
    assertEquals((await client.send("DELETE", "box/files/f")).status, 204);
    assert(await client.usedBytes() < MIB);
    assertEquals((await first("other/files/f", MAX_FILE)).status, 202);
    assertEquals((await first("box/files/a", 1)).status, 201);
    assertEquals((await first("box/files/a/b", 2)).code, "NOT_DIRECTORY");
    assertEquals((await first("box/files/..%2Fx", 2)).code, "PERMISSION_DENIED");
  }));

Deno.test("pieces: of two clients at once, one goes on and the file is one of the two", () =>
  withStore(async (store) => {
    const [one, two] = [new Client(store), new Client(store)];
    const below = seededBelow(printedSeed("two clients"));
    for (let round = 0; round < 8; round++) {
      const contents = [1, 2].map((byte) => new Uint8Array(3 * MIB).fill(byte));
      const path = `box/files/f${round}`;
      const send = async (client: Client, data: Uint8Array<ArrayBuffer>) => {
        for (let at = 0; at < data.length;) {
          const to = Math.min(data.length, at + MIB / 2 + below(MIB));
          const { status, range } = await client.piece(path, data, at, to);
          if (status === 201 || status === 204) return;
          assert(status === 202 || status === 409, `${status}`);
          const asked = status === 202 ? range : (await client.ask(path, data.length)).range;
          at = asked === null ? 0 : Number(asked.slice("bytes=0-".length)) + 1;
        }
      };
      await Promise.all(
        [one, two].map((client, index) => send(client, contents[index] ?? new Uint8Array())),
      );
      const { bytes } = await one.read(path);
      assertEquals(bytes.length, 3 * MIB);
      // each piece is of one of them
      let changes = 0;
      for (let at = 1; at < bytes.length; at++) if (bytes[at] !== bytes[at - 1]) changes++;
      assert(changes <= 6, `${changes} changes`);
    }
    assertEquals((await keysOf(store)).filter((key) => key.includes("upload")), []);
  }));

Deno.test("pieces: a caller that leaves in the middle of a piece loses that piece only", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const data = bytesOf(4 * MIB, seededBelow(1));
    const path = "box/files/f";
    assertEquals((await client.piece(path, data, 0, 100_000)).status, 202);
    const gone = new AbortController();
    const body = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        controller.enqueue(new Uint8Array(2 * MIB).fill(9));
        gone.abort();
        return new Promise(() => undefined);
      },
    }, { highWaterMark: 0 });
    const headers = { "content-range": `bytes 100000-${4 * MIB - 1}/${4 * MIB}` };
    const left = await client.send("PUT", path, { headers, body, signal: gone.signal });
    await left.body?.cancel();
    assert(left.status >= 400, `${left.status}`);
    assertEquals(client.bodies.bytesInUse, 0);
    assertEquals((await client.ask(path, 4 * MIB)).range, "bytes=0-99999");
    assertEquals((await new Client(store).piece(path, data, 100_000, 4 * MIB)).status, 201);
    assertEquals(sha256((await client.read(path)).bytes), sha256(data));
  }));

Deno.test("pieces: an upload belongs to its tenant, its sandbox and its path", () =>
  withStore(async (store) => {
    const [mine, theirs] = [new Client(store), new Client(store, {}, "b")];
    const data = new Uint8Array(200).fill(3);
    assertEquals((await mine.piece("box/files/f", data, 0, 100)).status, 202);
    for (const [client, path] of [[theirs, "box/files/f"], [mine, "box/files/g"]] as const) {
      assertEquals((await client.ask(path, 200)).range, null);
      assertEquals((await client.piece(path, data, 100, 200)).status, 409);
    }
    assertEquals((await mine.ask("box/files/x/../f", 200)).range, "bytes=0-99");
    assertEquals(await theirs.usedBytes(), 0);
  }));

Deno.test("pieces: conditions hold for the last piece, and a whole file may come between", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const data = new Uint8Array(200).fill(3);
    const path = "box/files/f";
    await client.piece(path, data, 0, 100);
    assertEquals((await client.put(path, undefined, Uint8Array.of(5))).status, 201);
    const last = (condition: string) =>
      client.send("PUT", path, {
        headers: { "content-range": "bytes 100-199/200", "if-none-match": condition },
        body: data.slice(100),
      });
    assertEquals((await (await last("*")).json()).code, "PRECONDITION_FAILED");
    assertEquals((await client.read(path)).bytes, Uint8Array.of(5));
    assertEquals((await client.ask(path, 200)).range, "bytes=0-99");
    assertEquals((await last('"abc"')).status, 204);
    assertEquals((await client.read(path)).bytes, data);
  }));

Deno.test("pieces: an upload goes after an hour without a piece, or with its sandbox", () =>
  withStore(async (store) => {
    let now = Date.now();
    const client = new Client(store, { clock: () => now });
    const data = new Uint8Array(MIB).fill(3);
    await client.piece("box/files/old", data, 0, MIB / 2);
    await client.piece("box/files/new", data, 0, MIB / 2);
    now += HOUR_MS - 1;
    await client.janitor();
    assertEquals((await client.ask("box/files/old", MIB)).range, `bytes=0-${MIB / 2 - 1}`);
    await client.piece("box/files/new", data, MIB / 2, MIB / 2 + 1);
    now += 1;
    assertEquals((await client.ask("box/files/old", MIB)).range, null);
    assertEquals((await client.piece("box/files/old", data, MIB / 2, MIB)).status, 409);
    await client.janitor();
    assert(await client.usedBytes() < 1.5 * MIB);
    assertEquals((await client.ask("box/files/new", MIB)).range, `bytes=0-${MIB / 2}`);
    now += HOUR_MS;
    await client.janitor();
    assertEquals(await client.usedBytes(), 0);
    assertEquals((await keysOf(store)).filter((key) => /upload|blob/.test(key)), []);
    await client.piece("gone/files/f", data, 0, MIB / 2);
    await (await client.send("DELETE", "gone")).body?.cancel();
    await client.janitor();
    assertEquals((await keysOf(store)).filter((key) => /upload|blob/.test(key)), []);
    assertEquals(await client.usedBytes(), 0);
  }));

Deno.test("pieces: forks and checkpoints do not take an upload along", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const data = new Uint8Array(200).fill(3);
    await client.put("box/files/a", undefined, Uint8Array.of(1));
    await client.piece("box/files/f", data, 0, 100);
    const post = async (path: string, body: unknown) => {
      const headers = { "content-type": "application/json" };
      const answer = await client.send("POST", path, { headers, body: JSON.stringify(body) });
      return await answer.json();
    };
    await post("box/fork", { to: "copy" });
    const { id } = await post("box/checkpoints", {});
    assertEquals((await client.ask("copy/files/f", 200)).range, null);
    assertEquals((await client.piece("copy/files/f", data, 100, 200)).status, 409);
    await post(`box/checkpoints/${id}/restore`, {});
    assertEquals((await client.piece("box/files/f", data, 100, 200)).status, 201);
    assertEquals((await client.read("box/files/f")).bytes, data);
  }));

Deno.test("a long file in one request is written while it arrives, or not at all", () =>
  withStore(async (store) => {
    const client = new Client(store);
    const data = bytesOf(20 * MIB + 17, seededBelow(2));
    for (const isKnown of [true, false]) {
      const path = `box/files/${isKnown}`;
      const body = isKnown ? data : new Blob([data]).stream();
      assertEquals((await client.put(path, undefined, body)).status, 201);
      const { bytes, tag } = await client.read(path);
      assertEquals([sha256(bytes), tag], [sha256(data), sha256(data)]);
      assertEquals((await client.put(path, undefined, body === data ? data : "x")).status, 204);
    }
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(new Uint8Array(MIB)),
    });
    const long = await client.put("box/files/long", undefined, endless);
    assertEquals([long.status, long.context.maxSize], [413, MAX_FILE]);
    assertEquals((await client.read("box/files/long")).status, 404);
    await client.send("DELETE", "box/files/true");
    await client.send("DELETE", "box/files/false");
    assertEquals((await keysOf(store)).filter((key) => key.includes("upload")), []);
    assertEquals(client.bodies.bytesInUse, 0);
  }));
