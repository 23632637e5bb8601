// test: long
import { startService } from "../support/service.ts";
import { DocumentedService } from "./documented.ts";
import { exchange, type Send } from "./exchange.ts";
import { withGateway } from "./fixture.ts";
import { GATEWAY_REQUESTS, JAVASCRIPT_REQUESTS, sandboxRequests } from "./requests.ts";

Deno.test("openapi: answers of every route match the document", async () => {
  await withGateway({}, async ({ service, send }) => {
    await exchange(service, send, GATEWAY_REQUESTS);
    await exchange(service, send, sandboxRequests("documented"));
  });
});

Deno.test("openapi: answers of a real service match its document", async () => {
  const data = await Deno.makeTempDir();
  try {
    await using running = await startService({
      LANGUAGES: "javascript,python",
      KV_PATH: `${data}/kv.sqlite3`,
    });
    const send: Send = async (path, init) =>
      await fetch(`${running.url}${path}`, { ...init, redirect: "manual" });
    const service = new DocumentedService(await (await send("/openapi.json", {})).json());
    await exchange(service, send, GATEWAY_REQUESTS);
    await exchange(service, send, JAVASCRIPT_REQUESTS);
    await exchange(service, send, sandboxRequests("documented"));
  } finally {
    await Deno.remove(data, { recursive: true });
  }
});
