import { assertEquals } from "@std/assert";
import { builtIsolate } from "../support/built.ts";
import { execute, startService } from "../support/service.ts";

Deno.test("service: messages to isolates bypass the proxies that the environment names", async () => {
  await builtIsolate("javascript"); // a build may have to reach the registry
  const seen: string[] = [];
  await using proxy = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    (request) => {
      seen.push(request.url);
      return new Response(null, { status: 502 });
    },
  );
  const url = `http://127.0.0.1:${proxy.addr.port}`;
  await using service = await startService({
    LANGUAGES: "javascript",
    HTTP_PROXY: url,
    http_proxy: url,
    ALL_PROXY: url,
    NO_PROXY: "",
  });
  const { result } = await execute(service.url, "javascript", "6 * 7");
  const local = seen.filter((target) => target.includes("127.0.0.1"));
  assertEquals([result.results, local], [[{ text: "42" }], []]);
});
