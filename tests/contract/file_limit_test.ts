/** A file that is too large: the message names the limit, by every way to write one. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { execute, startService } from "../support/service.ts";
import { jsonPost } from "../support/json_post.ts";

const BYTES = 4 * 1024 * 1024;

const PROGRAMS: Readonly<Record<string, string>> = {
  javascript: `require("node:fs").writeFileSync("big", "x".repeat(${BYTES + 1}))`,
  python: `with open("big", "wb") as f: f.write(bytes(${BYTES + 1}))`,
  perl: `open my $f, '>', 'big' or die; binmode $f; (print {$f} "x" x ${BYTES + 1}) && close $f ` +
    `or die "big: $!"`,
  ruby: `File.binwrite("big", "x" * ${BYTES + 1})`,
};
/** Errors of programs that only read like it. */
const OTHERS: Readonly<Record<string, string>> = {
  javascript: `throw new Error("file too large")`,
  python: `raise ValueError("File too large")`,
  ruby: `raise "File too large"`,
};

Deno.test("file limit: guests in all languages, files over HTTP, /mcp and /e2b name it", async () => {
  await using service = await startService();
  for (const [language, code] of Object.entries(PROGRAMS)) {
    const { result: { error } } = await execute(service.url, language, code);
    assertStringIncludes(error?.message ?? "", `(a file has at most ${BYTES} bytes)`, language);
    const shown = error?.traceback.filter((line) => line.includes("at most")).length ?? 0;
    assertEquals([language, shown <= 1], [language, true]);
  }
  for (const [language, code] of Object.entries(OTHERS)) {
    const { result: { error } } = await execute(service.url, language, code);
    assertEquals([language, error?.message.includes("at most")], [language, false]);
  }
  const said = `EFBIG: file too large (at most ${BYTES} bytes), write 'big'`;
  const box = `${service.url}/languages/python/sandboxes/limits`;
  const bytes = new Uint8Array(BYTES + 1);
  const post = (path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    fetch(path, jsonPost(body, headers));
  const content = "x".repeat(BYTES + 1);
  const write = await post(`${box}/files`, { op: "write", path: "big", content });
  assertEquals([write.status, (await write.json()).message], [413, said]);
  const put = await fetch(`${box}/files/big`, { method: "PUT", body: bytes });
  assertEquals([put.status, (await put.json()).message], [413, said]);
  const call = await post(`${service.url}/mcp`, {
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: { name: "write_file", arguments: { sandbox: "limits", path: "big", text: content } },
  }, { accept: "application/json, text/event-stream" });
  assertStringIncludes(await call.text(), said);
  const { sandboxID } = await (await post(`${service.url}/e2b/v2/sandboxes`, {})).json();
  const form = new FormData();
  form.append("file", new Blob([bytes]), "big");
  const upload = await fetch(`${service.url}/e2b/files?path=big`, {
    method: "POST",
    headers: { "e2b-sandbox-id": sandboxID, "e2b-sandbox-port": "49983" },
    body: form,
  });
  assertStringIncludes(await upload.text(), `file too large (at most ${BYTES} bytes), write`);
});
