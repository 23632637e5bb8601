/** A sandbox of `/e2b` has a domain where no host can be. */
import { assertEquals } from "@std/assert";
import { startService } from "../../support/service.ts";

Deno.test("e2b: the domain of a sandbox cannot exist, and names the variable that is missing", async () => {
  await using service = await startService({ LANGUAGES: "javascript" });
  const ask = async (method: string, path: string, body?: string) => {
    const headers = { "content-type": "application/json" };
    const url = `${service.url}/e2b${path}`;
    const init = body === undefined ? { method } : { method, headers, body };
    return await (await fetch(url, init)).json();
  };
  const created = await ask("POST", "/v2/sandboxes", "{}");
  const path = `/sandboxes/${created.sandboxID}`;
  const answers = [
    created,
    await ask("POST", `/v2${path}/connect`, "{}"),
    await ask("GET", path),
  ];
  assertEquals(answers.map(({ domain }) => domain), Array(3).fill("set-e2b-sandbox-url.invalid"));
});
