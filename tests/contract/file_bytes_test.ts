/**
 * Files as bytes, seen through `fetch`: what is stored is what is read, as a whole and in parts.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { printedSeed, seededBelow } from "../support/random.ts";
import { FileBox, tagOf } from "./file_box.ts";
import { CONTEXT_LANGUAGES, sandboxTarget, shareService } from "./sandbox_target.ts";

shareService();

const MIB = 1024 * 1024;
const utf8 = new TextEncoder();

function randomBytes(below: (bound: number) => number, length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, () => below(256));
}

Deno.test("contract of files as bytes", async (t) => {
  await using target = sandboxTarget();
  const step = (name: string, work: (box: FileBox) => Promise<void>) =>
    t.step(name, () => work(new FileBox(target)));

  await step("a stored file is read back; the status tells new from replaced", async (box) => {
    const seed = printedSeed("files as bytes");
    const below = seededBelow(seed);
    for (const length of [0, 1, 255, 65_536, 131_072, 131_073, 4 * MIB]) {
      const bytes = randomBytes(below, Math.min(length, 200_000));
      const whole = new Uint8Array(length);
      for (let at = 0; at < length; at += bytes.length) {
        whole.set(bytes.subarray(0, Math.min(bytes.length, length - at)), at);
      }
      for (const status of [201, 204]) {
        const stored = await box.put(`deep/er/${length}.bin`, whole);
        assertEquals([stored.status, await stored.text()], [status, ""]);
        assertEquals(stored.headers.get("etag"), tagOf(whole));
      }
      const answer = await box.send("GET", `deep/er/${length}.bin`);
      const head = await box.send("HEAD", `deep/er/${length}.bin`);
      assertEquals(await head.text(), "");
      assertEquals(answer.headers.get("content-length"), String(length));
      for (const [name, value] of answer.headers) {
        if (name !== "date") assertEquals([name, head.headers.get(name)], [name, value]);
      }
      assertEquals(tagOf(await answer.bytes()), tagOf(whole));
    }
    assertEquals(await box.status("DELETE", "deep/er/0.bin"), 204);
    assertEquals(await box.status("DELETE", "deep/er/0.bin"), 404);
    assertEquals((await box.listed()).includes("directory deep/er 4096"), true);
  });

  await step("a body of unknown length is stored", async (box) => {
    const pieces = ["one ", "two ", "three"].map((text) => utf8.encode(text));
    const stored = await box.put("streamed", ReadableStream.from(pieces));
    assertEquals([stored.status, await stored.text()], [201, ""]);
    assertEquals(new TextDecoder().decode(await box.bytes("streamed")), "one two three");
    const endless = ReadableStream.from((function* () {
      for (let n = 0; n < 6 * 16; n++) yield new Uint8Array(65_536);
    })());
    const error = await box.fails([413, "FILE_TOO_LARGE"], "PUT", "endless", { body: endless });
    assertEquals([error.context["errno"], error.context["maxSize"]], ["EFBIG", 4 * MIB]);
    const long = await box.fails([413, "FILE_TOO_LARGE"], "PUT", "long", {
      body: new Uint8Array(4 * MIB + 1),
    });
    assertEquals(long.context["actualSize"], 4 * MIB + 1);
    assertEquals(await box.listed(), ["file streamed 13"]);
  });

  await step("an answer has its media type, and browsers can only save it", async (box) => {
    const types = {
      "page.html": "text/html",
      "image.PNG": "image/png",
      "data.json": "application/json",
      "text": "text/plain",
      "code.ts": "text/typescript",
    };
    for (const [name, type] of Object.entries(types)) {
      await box.store(name, "<script>alert(1)</script>", { "content-type": "text/html" });
      const { headers, body } = await box.send("GET", name);
      await body?.cancel();
      assertEquals(headers.get("content-type"), type);
      assertEquals(headers.get("content-disposition"), `attachment; filename="${name}"`);
      assertEquals(headers.get("content-security-policy"), "sandbox");
      assertEquals(headers.get("x-content-type-options"), "nosniff");
      assertEquals(headers.get("accept-ranges"), "bytes");
      const age = Date.now() - Date.parse(headers.get("last-modified") ?? "");
      assert(age > -2_000 && age < 600_000, String(age));
    }
    await box.store("binary", new Uint8Array([255, 0]));
    const { headers, body } = await box.send("GET", "binary");
    await body?.cancel();
    assertEquals(headers.get("content-type"), "application/octet-stream");
  });

  await step("a name of any kind stays within its header", async (box) => {
    const names = [
      'q"uote\\.txt',
      "line\r\nset-cookie: a=b",
      "ünïcode 漢字 😀.txt",
      "100%;(x)'*.txt",
      "\u2028\t\u0001.txt",
    ];
    for (const name of names) {
      assertEquals(await box.status("PUT", encodeURIComponent(name), {}, name), 201, name);
      const answer = await box.send("GET", encodeURIComponent(name));
      assertEquals(await answer.text(), name);
      assertEquals(answer.headers.get("set-cookie"), null);
      const header = answer.headers.get("content-disposition") ?? "";
      assertMatch(
        header,
        /^attachment; filename="[^"\\\p{Cc}%]*"; filename\*=UTF-8''[\w.!~%\-]+$/u,
      );
      assertEquals(decodeURIComponent(header.split("''")[1] ?? ""), name);
    }
  });

  await step("one range of a file can be read at a time", async (box) => {
    const seed = printedSeed("ranges");
    const below = seededBelow(seed);
    const sizes = [0, 1, 10, 1_000, 200_000];
    for (const size of sizes) await box.store(`r${size}`, randomBytes(below, size));
    for (let n = 0; n < 120; n++) {
      const size = sizes[below(sizes.length)] ?? 0;
      const bytes = await box.bytes(`r${size}`);
      const near = () =>
        Math.max(0, [0, 1, size - 1, size, size + 1, below(size + 5)][below(6)] ?? 0);
      const kind = below(3);
      const [a, b] = [near(), near()];
      const range = kind === 0 ? `${a}-${b}` : kind === 1 ? `${a}-` : `-${b}`;
      const answer = await box.send("GET", `r${size}`, { headers: { range: `bytes=${range}` } });
      const isIn = (at: number) =>
        kind === 0 ? at >= a && at <= b : kind === 1 ? at >= a : at >= size - b;
      const wanted = bytes.filter((_, at) => isIn(at));
      const what = `SEED=${seed}: ${range} of ${size}`;
      if ((kind === 0 && b < a) || (kind === 2 && size === 0 && b > 0)) {
        assertEquals([answer.status, await answer.bytes()], [200, bytes], what);
      } else if (wanted.length === 0) {
        assertEquals(answer.status, 416, what);
        assertEquals(answer.headers.get("content-range"), `bytes */${size}`);
        assertEquals((await answer.json()).code, "VALIDATION_FAILED");
      } else {
        const first = bytes.findIndex((_, at) => isIn(at));
        const place = `bytes ${first}-${first + wanted.length - 1}/${size}`;
        assertEquals([answer.status, answer.headers.get("content-range")], [206, place], what);
        assertEquals(answer.headers.get("content-length"), String(wanted.length));
        assertEquals(await answer.bytes(), wanted, what);
      }
    }
    for (const range of ["bytes=0-1,3-4", "bytes=a-b", "bytes=-", "lines=0-1", "bytes 0-1", ""]) {
      assertEquals(await box.status("GET", "r10", { range }), 200, range);
    }
    const etag = tagOf(await box.bytes("r10"));
    const conditions = [[etag, 206], [`W/${etag}`, 200], ['"x"', 200], [
      new Date().toUTCString(),
      200,
    ]];
    for (const [condition, status] of conditions) {
      const headers = { range: "bytes=0-1", "if-range": String(condition) };
      assertEquals(await box.status("GET", "r10", headers), status, String(condition));
    }
    assertEquals(await box.status("HEAD", "r10", { range: "bytes=0-1" }), 200);
  });

  await step("the workspace's limits hold", async (box) => {
    for (const name of ["1", "2", "3", "4"]) {
      assertEquals(await box.status("PUT", name, {}, new Uint8Array(4 * MIB)), 201);
    }
    const error = await box.fails([507, "NO_SPACE"], "PUT", "5", { body: "x" });
    assertEquals(error.context["errno"], "ENOSPC");
    assertEquals(await box.status("PUT", "5", {}, null), 201);
    assertEquals(await box.status("PUT", "4", {}, "less"), 204);
    assertEquals(await box.status("PUT", "5", {}, "x"), 204);
  });

  await step("runs and requests see each other's files with the same tags", async (box) => {
    const sandbox = target.sandbox(box.id);
    const programs = {
      javascript: "require('fs').writeFileSync('by-run', require('fs').readFileSync('by-api'))",
      python: "open('by-run', 'wb').write(open('by-api', 'rb').read())",
      perl: "open my $i, '<:raw', 'by-api'; local $/; my $b = <$i>; " +
        "open my $o, '>:raw', 'by-run'; print $o $b; close $o; 1",
    };
    for (const language of CONTEXT_LANGUAGES) {
      const bytes = utf8.encode(`${language} \0 é`);
      await box.store("by-api", bytes);
      assertEquals((await sandbox.run(language, programs[language])).error, undefined);
      const answer = await box.send("GET", "by-run");
      assertEquals(await answer.bytes(), bytes);
      assertEquals(answer.headers.get("etag"), tagOf(bytes));
    }
    const { id } = await sandbox.context("python");
    const loop = "x = 0\nfor i in range(1500000): x += i\nopen('late', 'w').write('run')";
    const going = sandbox.run("python", loop, { contextId: id });
    assertEquals(await box.status("PUT", "meanwhile", {}, "api"), 201);
    assertEquals((await going).error, undefined);
    assertEquals(new TextDecoder().decode(await box.bytes("meanwhile")), "api");
    assertEquals(new TextDecoder().decode(await box.bytes("late")), "run");
  });
});
