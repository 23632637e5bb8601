// test: long
/** An upload in pieces goes on after its service was killed, in the middle of a piece too. */
import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { startService } from "../support/service.ts";
import { pause } from "../support/wait.ts";

const MIB = 1024 * 1024;
const LENGTH = 40 * MIB + 11;
const ENV = {
  LANGUAGES: "perl",
  ISOLATES: "1",
  FILE_BYTES: String(64 * MIB),
  WORKSPACE_BYTES: String(128 * MIB),
};

Deno.test("pieces: they survive kill -9 of the service", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const env = { ...ENV, KV_PATH: `${folder}/data` };
    const data = new Uint8Array(LENGTH).map((_, index) => index % 251 ^ (index >> 16));
    let at = 0;
    for (const kill of ["between", "during", "during", "never"]) {
      await using service = await startService(env);
      const file = `${service.url}/languages/perl/sandboxes/box/files/big`;
      const put = async (range: string, body: BodyInit | null) => {
        const headers = { "content-range": range };
        const answer = await fetch(file, { method: "PUT", headers, body });
        await answer.body?.cancel();
        return answer;
      };
      const asked = await put(`bytes */${LENGTH}`, null);
      const range = asked.headers.get("range");
      assertEquals([asked.status, range], [202, at === 0 ? null : `bytes=0-${at - 1}`]);
      const absent = await fetch(file);
      assertEquals(absent.status, 404);
      await absent.body?.cancel();
      const end = Math.min(LENGTH, at + 9 * MIB + 3);
      const first = await put(`bytes ${at}-${end - 1}/${LENGTH}`, data.slice(at, end));
      assertEquals(first.status, 202);
      at = end;
      if (kill === "during") {
        const rest = `bytes ${at}-${LENGTH - 1}/${LENGTH}`;
        const body = new ReadableStream<Uint8Array>({
          pull: async (controller) => {
            controller.enqueue(data.slice(at, at + MIB));
            await pause(20);
          },
        });
        const sent = put(rest, body).catch(() => undefined);
        await pause(200);
        await service.end("SIGKILL");
        await sent;
      } else if (kill === "between") await service.end("SIGKILL");
      else {
        const last = await put(`bytes ${at}-${LENGTH - 1}/${LENGTH}`, data.slice(at));
        assertEquals(last.status, 201);
        const read = await fetch(file);
        const hash = createHash("sha256").update(new Uint8Array(await read.arrayBuffer()));
        const tag = `"${createHash("sha256").update(data).digest("hex")}"`;
        assertEquals([`"${hash.digest("hex")}"`, read.headers.get("etag")], [tag, tag]);
      }
    }
    assert(at < LENGTH);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
