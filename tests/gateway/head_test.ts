import { assertEquals } from "@std/assert";
import { answeringHead } from "../../gateway/forwarded_request.ts";
import { DOCS_PATH, OPENAPI_PATH } from "../../gateway/openapi/paths.ts";
import { jsonTextResponse, LARGE_ANSWER_BYTES } from "../../shared/responses.ts";
import { serveHttp } from "./runtime_server.ts";
import { sandboxProcess, withStore } from "../sandbox/fixture.ts";
import { echoRuntime } from "./echo_runtime.ts";
import { testGateway } from "./test_gateway.ts";

const BOX = "/languages/python/sandboxes/box";

Deno.test("HEAD: has the status and every header of GET, its length too, on every route", () =>
  withStore(async (store) => {
    const gateway = testGateway({
      sandboxes: sandboxProcess(store),
      runtimes: new Map([["python", echoRuntime("python")]]),
      clock: () => 0,
    });
    await using server = serveHttp(gateway);
    const described = [OPENAPI_PATH, DOCS_PATH];
    const own = ["/languages", "/healthz", "/execute", "/nothing", ...described];
    for (const path of [...own, BOX, `${BOX}/contexts`, `${BOX}/files`, `${BOX}/nothing`]) {
      const ask = async (method: string) => {
        const answer = await fetch(server.url + path, { method });
        const { byteLength } = await answer.arrayBuffer();
        const headers = [...answer.headers].filter(([name]) => name !== "date");
        return { status: answer.status, headers, byteLength };
      };
      const [get, head] = [await ask("GET"), await ask("HEAD")];
      const length = get.headers.find(([name]) => name === "content-length");
      assertEquals(length, ["content-length", String(get.byteLength)], path);
      assertEquals(head, { ...get, byteLength: 0 }, path);
    }
  }));

Deno.test("HEAD: a large answer is dropped but keeps its length; an answer without a body has no length", async () => {
  const request = new Request("http://test/", { method: "HEAD" });
  const large = jsonTextResponse(`"${"x".repeat(LARGE_ANSWER_BYTES)}"`);
  const answer = await answeringHead(request, ({ method }) => {
    assertEquals(method, "GET");
    return large;
  });
  assertEquals(answer.headers.get("content-length"), String(LARGE_ANSWER_BYTES + 2));
  assertEquals([answer.body, large.bodyUsed], [null, true]);
  const empty = await answeringHead(request, () => new Response(null, { status: 204 }));
  assertEquals([empty.status, empty.headers.get("content-length")], [204, null]);
});
