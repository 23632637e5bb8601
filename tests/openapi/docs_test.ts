// test: slow
import { assert, assertEquals, assertFalse, assertStringIncludes } from "@std/assert";
import { createHash } from "node:crypto";
import { docsPage } from "../../gateway/docs/page.ts";
import { gatewayDocument } from "../../gateway/openapi/document.ts";
import { sandboxDescriptions } from "../../gateway/sandbox_path.ts";
import { BUNDLED_LANGUAGES as LANGUAGES } from "../../shared/languages.ts";
import { WORKSPACE_LIMITS } from "../../shared/limits.ts";
import { withGateway } from "./fixture.ts";

const LIMITS = {
  codeBytes: 10,
  requestBytes: 20,
  stdinBytes: 15,
  envLayerBytes: 30,
  fileRequestBytes: 40,
  workspace: WORKSPACE_LIMITS,
  fuel: { javascript: 50, python: 60, perl: 70, ruby: 80, shell: 90 },
  wallMs: 90,
};

Deno.test("docs: the page names every operation and schema of the document", async () => {
  await withGateway({}, async ({ service, send }) => {
    const answer = await send("/docs", {});
    assertEquals(answer.headers.get("content-type"), "text/html; charset=utf-8");
    const page = await answer.text();
    for (const { path, operation } of service.operations) {
      assertStringIncludes(page, `id="${operation["operationId"]}"`);
      assertStringIncludes(page, `<code>${path}</code>`);
    }
    const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target = ""]) => target);
    assert(links.length > 100);
    for (const target of links) assertStringIncludes(page, `id="${target}"`);
    assertFalse(/\bundefined\b/.test(page));
    assertFalse(page.includes("[object"));
  });
});

Deno.test("docs: the page loads nothing and runs nothing, and its policy says so", async () => {
  await withGateway({}, async ({ send }) => {
    const answer = await send("/docs", {});
    const page = await answer.text();
    const style = /<style>([^]*?)<\/style>/.exec(page)?.[1] ?? "";
    const hash = createHash("sha256").update(style).digest("base64");
    assertEquals(
      answer.headers.get("content-security-policy"),
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; ` +
        "frame-ancestors 'none'",
    );
    assertFalse(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|\sstyle=/i.test(page));
    const targets = [...page.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, target = ""]) => target);
    assertEquals(targets.filter((target) => !target.startsWith("#")), ["openapi.json"]);
  });
});

Deno.test("docs: texts of the document cannot become markup", async () => {
  const document = gatewayDocument({
    limits: LIMITS,
    languages: LANGUAGES,
    routes: sandboxDescriptions(LANGUAGES),
    open: false,
  });
  const hostile = `<script>"'&\`<b>\``;
  const { body } = await docsPage({
    ...document,
    info: { ...document.info, title: hostile, description: hostile },
    tags: [{ name: "Service", description: hostile }],
    components: {
      ...document.components,
      schemas: { [hostile]: { type: "string", description: hostile, pattern: hostile } },
    },
  });
  assertFalse(body.includes("<script"));
  assertFalse(body.includes("<b>\`"));
  assertStringIncludes(body, "&lt;script&gt;");
});
