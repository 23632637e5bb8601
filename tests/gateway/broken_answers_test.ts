import { assertEquals, assertRejects } from "@std/assert";
import { brokenAnswers } from "../../gateway/caller_logs.ts";
import { type Serve, serveDeno, serveWithDisconnects } from "../../gateway/http_server.ts";

Deno.test("broken answers: the log has a line at once, then a count at most once a minute", () => {
  let now = 0;
  const lines: unknown[] = [];
  const onBroken = brokenAnswers((...line) => void lines.push(line), () => now);
  for (const time of [0, 1, 59_999, 60_000, 60_001, 500_000]) {
    now = time;
    onBroken();
  }
  assertEquals(
    lines,
    [1, 3, 2].map((answers) => ["warn", "answers were broken off", { answers }]),
  );
});

const SERVERS: { readonly [name: string]: Serve } = { serveDeno, serveWithDisconnects };

for (const [name, serve] of Object.entries(SERVERS)) {
  Deno.test(`broken answers (${name}): the server reports each and continues to serve`, async () => {
    let broken = 0;
    const server = serve({
      hostname: "127.0.0.1",
      port: 0,
      onBroken: () => broken++,
      handler: (request) => {
        const first = Number(new URL(request.url).searchParams.get("pieces"));
        let pieces = 0;
        const body = new ReadableStream({
          pull(controller) {
            if (pieces++ < first) controller.enqueue(new Uint8Array(100_000));
            else controller.error(new Error("broken off"));
          },
        });
        return Promise.resolve(first < 0 ? new Response("whole") : new Response(body));
      },
    });
    const url = server.addr.transport === "tcp" ? `http://127.0.0.1:${server.addr.port}/` : "";
    for (const pieces of [0, 1, 30]) {
      await assertRejects(async () => {
        await (await fetch(`${url}?pieces=${pieces}`)).arrayBuffer();
      });
    }
    assertEquals(await (await fetch(`${url}?pieces=-1`)).text(), "whole");
    assertEquals(broken, 3);
    await server.shutdown();
  });
}
