/** `GET /` and the files of the page: for browsers, without a token, and nothing else changes. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createAuthenticator } from "../../gateway/authentication.ts";
import { BodyBudget } from "../../gateway/body_budget.ts";
import { createHostCheck } from "../../gateway/host_check.ts";
import { BODY_BUDGET } from "../../shared/limits.ts";
import type { PageFile } from "../../shared/page_file.ts";
import { testGateway } from "./test_gateway.ts";

const HTML = "text/html; charset=utf-8";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const LARGE = 300_000;

function file(path: string, type: string, text: string): PageFile {
  const bytes = new TextEncoder().encode(text);
  return { path, type, bytes, gzip: new TextEncoder().encode(`packed ${text}`) };
}

const FILES = [
  file("", HTML, "<!DOCTYPE html><title>page</title>"),
  file("page/frame-1.html", HTML, "<!DOCTYPE html><title>frame</title>"),
  file("page/app-1.js", "text/javascript", "1"),
  file("page/large-1.js", "text/javascript", "x".repeat(LARGE)),
];

const authenticate = createAuthenticator([{ tenant: "a", token: "alpha" }]);
const page = () => Promise.resolve(FILES);

function get(path: string, headers: Record<string, string> = {}, method = "GET"): Request {
  return new Request(`http://localhost:8000${path}`, { method, headers });
}

/** All that a caller can see, but for the time. */
async function seen(response: Response): Promise<unknown> {
  const text = (await response.text()).replace(/"timestamp":"[^"]*"/, "");
  return [response.status, [...response.headers], text];
}

Deno.test("page: a browser gets it without a token, under a policy without exceptions", async () => {
  const gateway = testGateway({ authenticate, page });
  const response = await gateway(get("/", { accept: BROWSER }));
  assertEquals([response.status, response.headers.get("content-type")], [200, HTML]);
  assertEquals(response.headers.get("cache-control"), "no-cache");
  assertEquals(response.headers.get("vary"), "Accept, Accept-Encoding");
  const policy = response.headers.get("content-security-policy") ?? "";
  assertStringIncludes(policy, "default-src 'none'");
  assertStringIncludes(policy, "frame-ancestors 'none'");
  assert(!/unsafe|\*|http|blob/.test(policy), policy);
  assertEquals(await response.text(), "<!DOCTYPE html><title>page</title>");
});

Deno.test("page: every form of the answer says whether calls need a token", async () => {
  const html = (access: string) => `<!DOCTYPE html><body data-access="${access}">`;
  const files = () => Promise.resolve([file("", HTML, html("open")), ...FILES.slice(1)]);
  const open = testGateway({ page: files });
  assertEquals(await (await open(get("/", { accept: BROWSER }))).text(), html("open"));
  const closed = testGateway({ authenticate, page: files });
  const plain = await closed(get("/", { accept: BROWSER }));
  assertEquals(await plain.text(), html("token"));
  const packed = await closed(get("/", { accept: BROWSER, "accept-encoding": "gzip" }));
  const unpacked = packed.body?.pipeThrough(new DecompressionStream("gzip"));
  assertEquals(await new Response(unpacked).text(), html("token"));
  assertEquals(packed.headers.get("etag"), plain.headers.get("etag"));
  assertEquals(await (await closed(get("/page/app-1.js"))).text(), "1");
});

Deno.test("page: the frame of displays has its own policy, without script and requests", async () => {
  const response = await testGateway({ page })(get("/page/frame-1.html"));
  assertEquals(
    response.headers.get("content-security-policy"),
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; " +
      "form-action 'none'; frame-ancestors 'self'",
  );
  await response.body?.cancel();
});

Deno.test("page: named origins may show it in a frame, and nothing else of the policies changes", async () => {
  const embedOrigins = ["https://a.example", "http://localhost:3000"];
  const [plain, named] = [testGateway({ page }), testGateway({ page, embedOrigins })];
  const rules = async (gateway: typeof plain, path: string) => {
    const response = await gateway(get(path, { accept: BROWSER }));
    await response.body?.cancel();
    return response.headers.get("content-security-policy")?.split("; ") ?? [];
  };
  for (
    const [path, ancestors] of [
      ["/", "frame-ancestors https://a.example http://localhost:3000"],
      ["/page/frame-1.html", "frame-ancestors 'self' https://a.example http://localhost:3000"],
    ] as const
  ) {
    const others = (all: readonly string[]) => all.filter((rule) => !rule.startsWith("frame-anc"));
    const [before, after] = [await rules(plain, path), await rules(named, path)];
    assertEquals(others(after), others(before));
    assertEquals(after.filter((rule) => rule.startsWith("frame-anc")), [ancestors]);
  }
});

Deno.test("page: other requests have the answers of a service without the page", async () => {
  const requests = () => [
    get("/"),
    get("/", { accept: "*/*" }),
    get("/", { accept: "application/json" }),
    get("/", { accept: "text/html;q=0, */*" }),
    get("/", { accept: "text/*" }),
    get("/", { accept: BROWSER }, "POST"),
    get("/", { accept: BROWSER }, "OPTIONS"),
    get("/page", { accept: BROWSER }),
    get("/page/", { accept: BROWSER }),
    get("/page/other.js", { accept: BROWSER }),
    get("/page/../languages", { accept: BROWSER }),
    get("//", { accept: BROWSER }),
    get("/languages", { accept: BROWSER }),
    get("/healthz", { accept: BROWSER }),
    get("/page/app-1.js", {}, "POST"),
  ];
  for (const options of [{}, { authenticate }]) {
    const [without, withPage] = [testGateway(options), testGateway({ ...options, page })];
    const pairs = requests().map((request, index) => [request, requests()[index]] as const);
    for (const [one, other = one] of pairs) {
      assertEquals(await seen(await withPage(one)), await seen(await without(other)), one.url);
    }
  }
});

Deno.test("page: files with a hash are kept forever, the page is asked for again", async () => {
  const gateway = testGateway({ page });
  const asset = await gateway(get("/page/app-1.js"));
  assertEquals(asset.headers.get("cache-control"), "public, max-age=31536000, immutable");
  assertEquals(await asset.text(), "1");
  const first = await gateway(get("/", { accept: "text/html" }));
  await first.body?.cancel();
  const etag = first.headers.get("etag") ?? "";
  const again = await gateway(get("/", { accept: "text/html", "if-none-match": `"x", ${etag}` }));
  assertEquals([again.status, again.body], [304, null]);
});

Deno.test("page: a caller that accepts gzip gets gzip, with its length", async () => {
  const gateway = testGateway({ page });
  const cases = [
    ["gzip, deflate, br", "gzip"],
    ["*", "gzip"],
    ["gzip;q=0, *", null],
    ["identity", null],
    ["br", null],
  ] as const;
  for (const [accepted, coding] of cases) {
    const response = await gateway(get("/page/app-1.js", { "accept-encoding": accepted }));
    assertEquals([accepted, response.headers.get("content-encoding")], [accepted, coding]);
    const text = await response.text();
    assertEquals(text, coding === null ? "1" : "packed 1");
    assertEquals(response.headers.get("content-length"), String(text.length));
  }
});

Deno.test("page: HEAD tells the length and sends nothing", async () => {
  const gateway = testGateway({ authenticate, page });
  const response = await gateway(get("/page/large-1.js", {}, "HEAD"));
  assertEquals([response.status, response.headers.get("content-length")], [200, String(LARGE)]);
  assertEquals(response.body, null);
});

Deno.test("page: unread files have a share of their own", async () => {
  const bodies = new BodyBudget({ ...BODY_BUDGET, bodyBytesPerTenant: LARGE + 1 });
  const gateway = testGateway({ bodies, page });
  const unread = await gateway(get("/page/large-1.js"));
  assertEquals(bodies.bytesInUse, LARGE);
  bodies.check("default");
  assertEquals((await gateway(get("/page/large-1.js"))).status, 429);
  assertEquals((await gateway(get("/", { accept: "text/html" }))).status, 200);
  await unread.body?.cancel();
  assertEquals(bodies.bytesInUse, 0);
  const read = await gateway(get("/page/large-1.js"));
  assertEquals((await read.text()).length, LARGE);
});

Deno.test("page: a Host that is not served gets no page", async () => {
  const gateway = testGateway({ hostCheck: createHostCheck([]), page });
  const headers = { accept: "text/html", host: "evil.example" };
  assertEquals((await gateway(get("/", headers))).status, 403);
});

Deno.test("page: the first request loads the files once, also after a failure", async () => {
  let loads = 0;
  const logged: string[] = [];
  const gateway = testGateway({
    page: () => {
      loads++;
      return Promise.reject(new Error("no files"));
    },
    log: (_level, event) => logged.push(event),
  });
  await gateway(get("/healthz"));
  assertEquals(loads, 0);
  for (let times = 0; times < 3; times++) {
    assertEquals((await gateway(get("/", { accept: "text/html" }))).status, 404);
  }
  assertEquals([loads, logged], [1, ["the page cannot be loaded"]]);
});
