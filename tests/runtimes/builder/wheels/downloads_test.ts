import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import {
  accessTo,
  DownloadRefused,
  Downloads,
} from "../../../../runtimes/builder/command/download.ts";
import {
  MetadataError,
  metadataIn,
  readNeeds,
} from "../../../../runtimes/builder/wheels/metadata.ts";
import { nearNames } from "../../../../runtimes/builder/command/near_names.ts";
import { Progress } from "../../../../runtimes/builder/command/progress.ts";
import { zipOf } from "./fake_index.ts";

Deno.test("downloads: a body over the limit is refused while it arrives", async () => {
  let sent = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => {
            sent++;
            controller.enqueue(new Uint8Array(100_000));
          },
        }),
      ),
  );
  const access = accessTo(`http://127.0.0.1:${server.addr.port}`, "PIP_INDEX_URL");
  assert(access !== undefined);
  const downloads = new Downloads({ stallMs: 1000, retryMs: 1 });
  const path = await Deno.makeTempFile();
  const onBytes = () => undefined;
  const error = "is larger than 250000 bytes";
  await assertRejects(
    () => downloads.text(access.base, access, { accept: "*/*", maxBytes: 250_000 }),
    DownloadRefused,
    error,
  );
  await assertRejects(
    () => downloads.file(access.base, access, { path, sha256: "", maxBytes: 250_000, onBytes }),
    DownloadRefused,
    error,
  );
  assert(sent < 1000, `${sent}`);
  await Deno.remove(path);
});

Deno.test("downloads: an answer that is cut off is tried three times, and never taken", async () => {
  const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
  let calls = 0;
  const serving = (async () => {
    for await (const connection of listener) {
      calls++;
      await connection.read(new Uint8Array(4096));
      const answer = "HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf of it";
      await connection.write(new TextEncoder().encode(answer));
      connection.close();
    }
  })();
  const access = accessTo(`http://127.0.0.1:${listener.addr.port}`, "PIP_INDEX_URL");
  assert(access !== undefined);
  const path = await Deno.makeTempFile();
  const { message } = await assertRejects(
    () =>
      new Downloads({ stallMs: 1000, retryMs: 1 }).file(access.base, access, {
        path,
        sha256: "",
        maxBytes: 1000,
        onBytes: () => undefined,
      }),
    DownloadRefused,
  );
  assertStringIncludes(message, "cannot be read: ");
  assertEquals(calls, 3);
  listener.close();
  await serving;
  await Deno.remove(path);
});

Deno.test("downloads: https never redirects to http", async () => {
  let calls = 0;
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => undefined },
    () => {
      calls++;
      return new Response("plain");
    },
  );
  const access = accessTo("https://index.example/simple", "PIP_INDEX_URL");
  assert(access !== undefined);
  const url = new URL(`http://127.0.0.1:${server.addr.port}/a.whl`);
  await assertRejects(
    () => new Downloads().text(url, access, { accept: "*/*", maxBytes: 100 }),
    DownloadRefused,
    "https://index.example/simple/ leads to http:, which is refused: only https is followed",
  );
  assertEquals(calls, 0);
});

Deno.test("progress: a terminal shows one line that changes, everything else gets lines", async () => {
  const shown = async (isTerminal: boolean) => {
    let text = "";
    const progress = new Progress({ isTerminal, write: (part) => text += part });
    progress.step("Looking for a");
    await progress.file("a.whl", (onBytes) => {
      for (const done of [1000, 300_000, 300_001, 1_048_576]) onBytes(done, 1_048_576);
      return Promise.resolve(1_048_576);
    });
    progress.end();
    return text;
  };
  assertEquals(await shown(false), "Fetching a.whl\n");
  assertEquals((await shown(true)).split("\r\x1b[2K"), [
    "",
    "Looking for a",
    "Fetching a.whl: 1 KiB of 1.0 MiB",
    "Fetching a.whl: 293 KiB of 1.0 MiB",
    "Fetching a.whl: 1.0 MiB of 1.0 MiB",
    "Fetched a.whl, 1.0 MiB\n",
  ]);
});

Deno.test("metadata: a damaged or hostile wheel is refused", () => {
  const whole = zipOf({ "a-1.dist-info/METADATA": "Name: a\n" });
  assertEquals(metadataIn(whole), "Name: a\n");
  const wheels: Readonly<Record<string, Uint8Array<ArrayBuffer>>> = {
    "no end": new Uint8Array(),
    "it has no metadata": zipOf({ "a.py": "" }),
    "too large": zipOf({ "a-1.dist-info/METADATA": "x".repeat(5 * 1024 * 1024) }),
  };
  for (const [words, bytes] of Object.entries(wheels)) {
    assertThrows(() => metadataIn(bytes), MetadataError, words);
  }
  for (let seed = 1; seed < 200; seed++) {
    const bytes = whole.slice();
    bytes[(seed * 7919) % bytes.length] = (seed * 31) % 256;
    try {
      metadataIn(bytes);
    } catch (thrown) {
      assert(thrown instanceof MetadataError, `seed ${seed}: ${thrown}`);
    }
  }
});

Deno.test("metadata: headers over several lines are read, the description is not", () => {
  const text =
    "Name: a\r\nrequires-dist: b\r\n  >=1\r\nRequires-Dist: c\r\n\r\nRequires-Dist: d\r\n";
  assertEquals(readNeeds(text, { extra: "" }), { requires: ["b>=1", "c"], extras: {} });
});

Deno.test("near names: suggestions are sorted by distance, without distant names", () => {
  const known = ["numpy", "pandas", "numba", "scipy", "py"];
  assertEquals(nearNames("nunpy", known), ["numpy"]);
  assertEquals(nearNames("panda", known), ["pandas"]);
  assertEquals(nearNames("x", known), []);
});
