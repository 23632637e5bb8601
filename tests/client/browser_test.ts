/**
 * The client in a real browser, where there is one: the page of the docs, and every kind of request
 * with a token across origins. Modules, preflights and origins are the browser's own.
 */
import { assert, assertEquals } from "@std/assert";
import { startService } from "../support/service.ts";
import { type Folder, temporaryFolder } from "./deno_command.ts";
import { bundle } from "./node_conformance.ts";

const ROOT = new URL("../../", import.meta.url);
const TOKEN = "a-token-of-the-tests";
const BROWSER = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]
  .find(exists);
/** For a browser that never says anything. */
const PATIENCE_MS = 60_000;

function exists(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** A server of pages that takes their report. */
interface PageServer extends AsyncDisposable {
  readonly origin: string;
  readonly report: Promise<unknown>;
}

function servePages(pages: ReadonlyMap<string, string>): PageServer {
  const { promise: report, resolve } = Promise.withResolvers<unknown>();
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname === "/report") resolve(JSON.parse(await request.text()));
      const type = pathname.endsWith(".mjs") ? "text/javascript" : "text/html";
      const headers = { "content-type": `${type}; charset=utf-8` };
      return new Response(pages.get(pathname) ?? "", { headers });
    },
  );
  const origin = `http://127.0.0.1:${server.addr.port}`;
  return { origin, report, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** The report of a page; the browser is ended afterwards. */
async function visit(url: string, profile: Folder, { report }: PageServer): Promise<unknown> {
  assert(BROWSER !== undefined);
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile.path}`];
  const browser = new Deno.Command(BROWSER, {
    args: [...flags, "--remote-debugging-port=0", url],
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error("The page never reported")), PATIENCE_MS);
  try {
    return await Promise.race([report, late.promise]);
  } finally {
    clearTimeout(timer);
    browser.kill("SIGTERM");
    await browser.status;
  }
}

async function text(folder: Folder, source: string): Promise<string> {
  const path = `${folder.path}/${source.replaceAll("/", "_")}.mjs`;
  await bundle(new URL(source, ROOT), path, "--platform=browser");
  return await Deno.readTextFile(path);
}

/** The page as the docs have it, with one more script that reports what is shown. */
function documentedPage(url: string): string {
  const docs = Deno.readTextFileSync(new URL("docs/client.md", ROOT));
  const [, page = ""] = /^```html\n([\s\S]*?)^```$/m.exec(docs) ?? [];
  return `${page.replaceAll("http://127.0.0.1:8000", url)}
    <script>
      new MutationObserver(([{ target }]) => {
        fetch("/report", { method: "POST", body: JSON.stringify(target.textContent) });
      }).observe(document.querySelector("output"), { childList: true });
    </script>`;
}

Deno.test({
  name: "client in a browser: the page of the docs shows its result",
  ignore: BROWSER === undefined,
  fn: async () => {
    await using folder = await temporaryFolder();
    const pages = new Map([["/belljar.mjs", await text(folder, "client/mod.ts")]]);
    await using server = servePages(pages);
    await using service = await startService({
      LANGUAGES: "javascript",
      ALLOWED_ORIGINS: server.origin,
    });
    pages.set("/page", documentedPage(service.url));
    assertEquals(await visit(`${server.origin}/page`, folder, server), "[1,4,9]");
  },
});

Deno.test({
  name: "client in a browser: every kind of request, with a token across origins",
  ignore: BROWSER === undefined,
  fn: async () => {
    await using folder = await temporaryFolder();
    const program = await text(folder, "tests/client/browser_program.ts");
    await using server = servePages(
      new Map([["/program.mjs", program], [
        "/page",
        '<script type="module" src="/program.mjs"></script>',
      ]]),
    );
    await using service = await startService({
      LANGUAGES: "javascript",
      TOKENS: `tenant:${TOKEN}`,
      ALLOWED_ORIGINS: server.origin,
    });
    const hash = encodeURIComponent(`${service.url} ${TOKEN}`);
    assertEquals(await visit(`${server.origin}/page#${hash}`, folder, server), [
      "42",
      "3",
      [0, 1, 255],
      ["from the page", "from the page"],
      [0, 255],
      2,
      ["page"],
      "SandboxError 412",
      0,
      "FileNotFoundError 404",
      "SandboxError 401",
      "TimeoutError: The call took longer than 100 ms",
      null,
    ]);
  },
});
