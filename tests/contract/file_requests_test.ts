/**
 * Requests for the bytes of files, seen through `fetch`: under which names and conditions they
 * succeed.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { printedSeed, seededBelow } from "../support/random.ts";
import { FileBox, tagOf } from "./file_box.ts";
import { sandboxTarget, shareService } from "./sandbox_target.ts";

shareService();

const utf8 = new TextEncoder();

Deno.test("contract of requests for files as bytes", async (t) => {
  await using target = sandboxTarget();
  const step = (name: string, work: (box: FileBox) => Promise<void>) =>
    t.step(name, () => work(new FileBox(target)));

  await step("conditions: every kind, on every method, in any order", async (box) => {
    const seed = printedSeed("conditions of files");
    const below = seededBelow(seed);
    const pick = <T>(items: readonly T[]): T => items[below(items.length)] as T;
    const contents = ["", "a", "b"].map((text) => utf8.encode(text));
    const present = new Map<string, Uint8Array>();
    for (let n = 0; n < 250; n++) {
      const name = pick(["one", "two", "d/three"]);
      const before = present.get(name);
      const tags = contents.map(tagOf).filter(() => below(2) === 0);
      const forms = tags.map((tag) => below(4) === 0 ? `W/${tag}` : tag);
      const value = below(4) === 0 ? "*" : ['"other"', ...forms].join(pick([",", ", ", " ,\t"]));
      const header = pick(["if-match", "if-none-match", undefined]);
      const method = pick(["PUT", "PUT", "GET", "HEAD", "DELETE"]);
      const tag = before === undefined ? undefined : tagOf(before);
      const isNamed = tag !== undefined && (value === "*" || tags.includes(tag));
      const isStrong = tag !== undefined && (value === "*" || forms.includes(tag));
      const holds = header === "if-match" ? isStrong : header === undefined || !isNamed;
      const isRead = method === "GET" || method === "HEAD";
      const expected = before === undefined && method !== "PUT"
        ? 404
        : !holds
        ? isRead && header === "if-none-match" ? 304 : 412
        : method === "PUT"
        ? before === undefined ? 201 : 204
        : isRead
        ? 200
        : 204;
      const data = pick(contents);
      const headers: Record<string, string> = header === undefined ? {} : { [header]: value };
      const status = await box.status(method, name, headers, method === "PUT" ? data : null);
      const what = `SEED=${seed}: ${n} ${method} ${name} ${header} ${value}`;
      assertEquals(status, expected, what);
      if (method === "PUT" && holds) present.set(name, data);
      if (method === "DELETE" && holds) present.delete(name);
    }
    for (const [name, bytes] of present) assertEquals(await box.bytes(name), bytes, name);
  });

  await step("a malformed condition is refused by its name, and changes nothing", async (box) => {
    await box.store("f", "kept");
    for (const value of ["abc", '"a" "b"', '"a', "*, *", '"a", b', 'w/"a"', ",", '"a\tb"']) {
      for (const header of ["If-Match", "If-None-Match"]) {
        for (const method of ["PUT", "GET", "DELETE"]) {
          const init = { headers: { [header]: value }, ...(method === "PUT" ? { body: "x" } : {}) };
          const error = await box.fails([400, "VALIDATION_FAILED"], method, "f", init);
          assertMatch(error.message, new RegExp(`^${header} `));
        }
      }
    }
    await box.fails([400, "VALIDATION_FAILED"], "PUT", "f", {
      headers: { "content-range": "bytes 1-0/1" },
      body: "x",
    });
    await box.fails([415, "VALIDATION_FAILED"], "PUT", "f", {
      headers: { "content-encoding": "gzip" },
      body: "x",
    });
    assertEquals(new TextDecoder().decode(await box.bytes("f")), "kept");
  });

  await step(
    "of many that create a file, or replace one state of it, one succeeds",
    async (box) => {
      const race = async (headers: Record<string, string>) => {
        const all = Array.from(
          { length: 20 },
          (_, n) => box.status("PUT", "f", headers, `by ${n}`),
        );
        return (await Promise.all(all)).sort();
      };
      assertEquals(await race({ "if-none-match": "*" }), [201, ...Array(19).fill(412)]);
      const etag = tagOf(await box.bytes("f"));
      await box.store("f", "another");
      assertEquals(await race({ "if-match": etag }), Array(20).fill(412));
      const now = tagOf(await box.bytes("f"));
      assertEquals(await race({ "if-match": now }), [204, ...Array(19).fill(412)]);
    },
  );

  await step("paths have the meaning that they have for operations on files", async (box) => {
    const seed = printedSeed("names of files");
    const below = seededBelow(seed);
    const other = new FileBox(target);
    const parts = ["a", "b", ".", "..", "", "é", "%", "%41", "a b", "?#", "\\", "\n", "workspace"];
    const rare = ["\0", "x".repeat(256), "n".repeat(200)];
    for (let n = 0; n < 150; n++) {
      const names = Array.from({ length: 1 + below(5) }, () => {
        const from = below(12) === 0 ? rare : parts;
        return from[below(from.length)] ?? "";
      });
      const text = `${below(4) === 0 ? "/workspace/" : ""}${names.join("/")}`;
      if (/^\.{0,2}$/.test(text)) continue; // a URL cannot hold it
      const isPlain = !text.split("/").some((name) => /^\.{1,2}$/.test(name));
      const encoded = isPlain && below(2) === 0
        ? text.split("/").map(encodeURIComponent).join("/")
        : encodeURIComponent(text);
      const what = `SEED=${seed}: ${JSON.stringify(text)} as ${encoded}`;
      const content = String(n);
      const answer = await box.put(encoded, content);
      const operated = await other.operate("write", text, { content, recursive: true });
      const said = await answer.text();
      const error = answer.ok ? undefined : JSON.parse(said);
      const failed = operated.body;
      assertEquals(answer.ok, operated.status === 200, what);
      if (error !== undefined) {
        assertEquals([error.code, error.context, error.operation, error.message], [
          failed.code,
          failed.context,
          failed.operation,
          failed.message,
        ], what);
      } else {
        assertEquals(new TextDecoder().decode(await box.bytes(encoded)), content, what);
      }
    }
    assertEquals(await box.listed(), await other.listed());
  });

  await step("bad names are refused by name, and nothing is stored", async (box) => {
    const bad = [
      ["%FF", 400, "VALIDATION_FAILED", "%FF"],
      ["a/%ED%A0%80", 400, "VALIDATION_FAILED", "%ED%A0%80"],
      ["%C3", 400, "VALIDATION_FAILED", "%C3"],
      ["a%00b", 400, "FILESYSTEM_ERROR", "a\0b"],
      ["", 400, "VALIDATION_FAILED", "empty"],
      ["x/".repeat(600), 400, "FILESYSTEM_ERROR", "x/x"],
      ["x".repeat(16_000), 400, "FILESYSTEM_ERROR", "xxx"],
      ["%2Fetc%2Fpasswd", 403, "PERMISSION_DENIED", "/etc/passwd"],
      ["..%2Fa", 403, "PERMISSION_DENIED", "../a"],
      ["dir", 400, "IS_DIRECTORY", "dir"],
      ["new/", 400, "IS_DIRECTORY", "new/"],
      ["dir/file/below", 400, "NOT_DIRECTORY", "dir/file/below"],
    ] as const;
    await box.store("dir/file", "f");
    for (const [path, status, code, named] of bad) {
      const error = await box.fails([status, code], "PUT", path, { body: "x" });
      assert(error.message.includes(named), error.message);
    }
    await box.fails([400, "VALIDATION_FAILED"], "PUT", "%FF", { body: new Uint8Array(3_000_000) });
    await box.fails([404, "FILE_NOT_FOUND"], "GET", "none");
    await box.fails([400, "IS_DIRECTORY"], "GET", "dir");
    await box.fails([400, "NOT_DIRECTORY"], "GET", "dir/file/");
    await box.fails([400, "IS_DIRECTORY"], "DELETE", "dir");
    await box.fails([403, "PERMISSION_DENIED"], "DELETE", "%2Fworkspace");
    const post = await box.send("POST", "dir/file", { body: "x" });
    assertEquals([post.status, post.headers.get("allow")], [
      405,
      "GET, HEAD, PUT, DELETE, OPTIONS",
    ]);
    await post.body?.cancel();
    assertEquals(await box.listed(), ["directory dir 4096", "file dir/file 1"]);
  });
});
