// test: slow
/**
 * The Python client as the service serves it. pip reads a wheel's name in the URL before it sends
 * anything, so it installs the wheel from the path to which `/client.whl` leads.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { startService } from "../../support/service.ts";
import { clientTest, PYTHON } from "../../support/test_clients.ts";
import { run, temporaryFolder } from "../deno_command.ts";

const TOKEN = "a-token-of-the-tests";
const ENVIRONMENT = { TOKENS: `tenant:${TOKEN}`, LANGUAGES: "javascript" };

Deno.test("client.whl: leads to the wheel of the service's version, without a token", async () => {
  await using service = await startService(ENVIRONMENT);
  const { version } = await (await fetch(`${service.url}/healthz`)).json();
  const path = `/belljar-${version}-py3-none-any.whl`;
  for (const method of ["GET", "HEAD"]) {
    const answer = await fetch(`${service.url}/client.whl`, { method, redirect: "manual" });
    assertEquals([answer.status, answer.headers.get("location")], [302, path]);
    await answer.body?.cancel();
  }
  const answer = await fetch(`${service.url}/client.whl`);
  const bytes = await answer.bytes();
  const { headers } = answer;
  assertEquals([answer.status, new URL(answer.url).pathname], [200, path]);
  assertEquals(headers.get("content-length"), String(bytes.length));
  assertEquals(headers.get("x-content-type-options"), "nosniff");
  assertMatch(headers.get("etag") ?? "", /^"[0-9a-f]{64}"$/);

  const head = await fetch(service.url + path, { method: "HEAD" });
  assertEquals([head.status, head.headers.get("etag")], [200, headers.get("etag")]);
  assertEquals(head.headers.get("content-length"), String(bytes.length));
  const known = { "if-none-match": `"other", ${headers.get("etag")}` };
  const unchanged = await fetch(service.url + path, { headers: known });
  assertEquals([unchanged.status, await unchanged.text()], [304, ""]);
  const posted = await fetch(service.url + path, { method: "POST" });
  await posted.body?.cancel();
  assertEquals([posted.status, posted.headers.get("allow")], [405, "GET, HEAD, OPTIONS"]);
  const other = await fetch(`${service.url}/belljar-9.9.9-py3-none-any.whl`);
  await other.body?.cancel();
  assertEquals(other.status, 401);
});

clientTest(
  "client.whl: pip installs the wheel, and it runs a program",
  "Python packages",
  async () => {
    await using folder = await temporaryFolder();
    await using service = await startService(ENVIRONMENT);
    // httpx is in the environment already
    const options = ["--quiet", "--no-deps", "--no-index", "--target", folder.path];
    const { url, body } = await fetch(`${service.url}/client.whl`);
    await body?.cancel();
    const pip = await run(PYTHON, "-m", "pip", "install", ...options, url);
    assertEquals(pip.code, 0, pip.output);
    const program = `import importlib.metadata, belljar
box = belljar.connect(${JSON.stringify(service.url)}, ${JSON.stringify(TOKEN)})
print(belljar.__file__, importlib.metadata.version("belljar"), box.run_code("js", "6 * 7").value)`;
    const ran = await run("env", `PYTHONPATH=${folder.path}`, PYTHON, "-c", program);
    const { version } = await (await fetch(`${service.url}/healthz`)).json();
    assert(ran.output.startsWith(`${folder.path}/belljar/`), ran.output);
    assertEquals(ran.output.trim().split(" ").slice(1), [version, "42"]);
  },
);
