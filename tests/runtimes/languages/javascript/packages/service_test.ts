// test: long
/**
 * The operator's npm packages in a running service: programs, contexts, errors, listings.
 */
import { assert, assertEquals, assertLess, assertStringIncludes } from "@std/assert";
import type { ExecutionResult } from "../../../../../client/protocol/types.ts";
import { execute, startService } from "../../../../support/service.ts";
import { BUNDLES, FakeRegistry } from "../../../builder/packages/fake_registry.ts";

const PACKAGES = [
  {
    is: "tools 1.2.3",
    files: {
      "index.js": "let n = 0; exports.next = () => ++n; exports.where = __filename;" +
        "exports.table = Array.from({ length: 50000 }, (_, i) => i * i)",
    },
  },
  {
    is: "modern 2.0.0",
    files: {
      "index.js": "export default class Modern {}; export let n = 0; export const add = () => ++n;",
      "sub.js": "export const sub = 'sub'",
    },
    manifest: { type: "module", exports: { ".": "./index.js", "./sub": "./sub.js" } },
  },
  {
    is: "waits 1.0.0",
    files: { "index.mjs": "export const a = await 7" },
    manifest: { exports: "./index.mjs" },
  },
  { is: "@scope/part 0.1.0", files: { "index.js": "module.exports = require('http')" } },
  { is: "punycode 9.0.0", files: { "index.js": "exports.isPackage = true" } },
];

async function registryWithAll(): Promise<FakeRegistry> {
  const registry = await FakeRegistry.start(PACKAGES);
  const { code, said } = await registry.run("add tools modern waits @scope/part punycode");
  assertEquals(code, 0, said);
  await addByHand(registry.folder, "fs", "exports.isFake = true");
  return registry;
}

/** Adds a package that the command refuses. */
async function addByHand(folder: string, name: string, text: string): Promise<void> {
  const path = `${folder}/packages.lock.json`;
  const lock = JSON.parse(await Deno.readTextFile(path));
  const file = `${name}/index.js`;
  await Deno.mkdir(`${folder}/${name}`);
  await Deno.writeTextFile(`${folder}/${file}`, text);
  const bytes = new TextEncoder().encode(text);
  const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
  const files = [{ file, sha256, size: bytes.length }];
  lock.packages.push({ name, version: "1.0.0", requested: "", entries: [], files, parts: [] });
  await Deno.writeTextFile(path, JSON.stringify(lock));
}

function environment({ folder }: FakeRegistry): Record<string, string> {
  return {
    LANGUAGES: "javascript",
    JAVASCRIPT_PACKAGES: folder,
    CACHE_DIR: `${folder}/.cache`,
    KV_PATH: `${folder}/.data.sqlite3`,
  };
}

Deno.test(
  "npm packages: import, import(), require and TypeScript find them; built-ins win",
  BUNDLES,
  async () => {
    await using registry = await registryWithAll();
    await using service = await startService(environment(registry));
    const run = async (code: string, language = "javascript") => {
      const response = await fetch(`${service.url}/execute/javascript`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code, language }),
      });
      const result: ExecutionResult = await response.json();
      return result.error?.message ?? result.results[0]?.json ?? result.results[0]?.text;
    };
    assertEquals(
      await run("import t from 'tools'; import { next } from 'tools'; next(); t.next()"),
      "2",
    );
    assertEquals(await run("require('tools').where"), "'/node_modules/tools/index.cjs'");
    assertEquals(await run("(await import('tools')).default === require('tools')"), "true");
    const modern = "import Modern, * as all from 'modern'; const before = all.n; all.add();" +
      "[new Modern().constructor.name, before, all.n, require('modern') === all, 'add' in all]";
    assertEquals(await run(modern), ["Modern", 0, 1, true, true]);
    assertEquals(
      await run("import { sub } from 'modern/sub'; const s: string = sub; s", "typescript"),
      "'sub'",
    );
    assertEquals(await run("(await import('waits')).a"), "7");
    assertEquals(await run("import fs from 'fs'; [fs.isFake, require('fs').isFake].join()"), "','");
    assertEquals(await run("require('punycode').isPackage"), "true");
    assertStringIncludes(
      String(await run("require('@scope/part').request('x')")),
      "Cannot find module 'node:http': the network is not available here",
    );
    assertEquals(
      await run("import x from 'left-pad'"),
      "Cannot find package 'left-pad' imported from /workspace/main.js\nPackages here: @scope/part, fs, " +
        "modern, punycode, tools, waits. The operator of the service adds packages: deno task packages add left-pad",
    );
    assertStringIncludes(String(await run("require('modern/nope')")), "packages add modern/nope");
    assertStringIncludes(
      String(await run("require('fs').writeFileSync('/node_modules/tools/index.cjs', '')")),
      "EROFS",
    );
    const own =
      "const fs = require('fs'); fs.mkdirSync('node_modules/tools', { recursive: true });" +
      "fs.writeFileSync('node_modules/tools/index.js', 'module.exports = \"own\"'); require('tools')";
    assertEquals(await run(own), "'own'");
    const tools = await fetch(`${service.url}/mcp`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-06-18",
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    assertStringIncludes(
      await tools.text(),
      "Packages for JavaScript: @scope/part 0.1.0, fs 1.0.0, modern 2.0.0",
    );
    const { languages } = await (await fetch(`${service.url}/languages`)).json();
    const [{ packages }] = languages.filter(({ id }: { id: string }) => id === "javascript");
    assertEquals(
      packages.map(({ name, version }: Record<string, string>) => `${name} ${version}`),
      [
        ...[
          "@scope/part 0.1.0",
          "fs 1.0.0",
          "modern 2.0.0",
          "punycode 9.0.0",
          "tools 1.2.3",
          "waits 1.0.0",
        ],
      ],
    );
  },
);

Deno.test(
  "npm packages: a context that imported one continues after a restart",
  BUNDLES,
  async () => {
    await using registry = await registryWithAll();
    const env = environment(registry);
    const run = async (url: string, code: string) => {
      const response = await fetch(`${url}/languages/javascript/sandboxes/box/execute`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ code }),
      });
      const result = await response.json();
      return result.error?.message ?? result.results?.[0]?.text ?? JSON.stringify(result);
    };
    {
      await using service = await startService(env);
      assertEquals(await run(service.url, "import { next } from 'tools'; next()"), "1");
    }
    await registry.run("remove fs"); // another build, whose baseline is the same
    await using service = await startService(env);
    assertEquals(await run(service.url, "[next(), require('tools').next()].join()"), "'2,3'");
    assertEquals(await run(service.url, "import M from 'modern'; typeof M"), "'function'");
  },
);

Deno.test(
  "npm packages: what is preloaded costs hardly any fuel, and others cost nothing",
  BUNDLES,
  async () => {
    await using registry = await registryWithAll();
    const env = environment(registry);
    const fuel = async (url: string, code: string) => {
      const { result } = await execute(url, "javascript", code);
      assertEquals(result.error, undefined);
      return result.usage?.fuelConsumed ?? NaN;
    };
    await using lazy = await startService(env);
    await using loaded = await startService({ ...env, JAVASCRIPT_PRELOAD: "tools,modern/sub" });
    await using plain = await startService({ LANGUAGES: "javascript" });
    const use = "require('tools').table.length";
    assertLess(await fuel(loaded.url, use) * 4, await fuel(lazy.url, use));
    const [there, without] = [await fuel(lazy.url, "1"), await fuel(plain.url, "1")];
    assert(there <= without * 1.01, `${there} against ${without}`);
  },
);

Deno.test(
  "npm packages: one that cannot be loaded stops the start with one line",
  BUNDLES,
  async () => {
    await using registry = await FakeRegistry.start([
      { is: "fails 1.0.0", files: { "index.js": "throw new TypeError('no\\nway')" } },
    ]);
    await registry.run("add fails");
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "--quiet", "--allow-all"],
        new URL("../../../../../main.ts", import.meta.url).href,
      ],
      env: { ...environment(registry), PORT: "0", JAVASCRIPT_PRELOAD: "fails" },
      stdin: "null",
    }).output();
    assertEquals(code, 1);
    assertEquals(
      new TextDecoder().decode(stderr).replaceAll(/^Building .*\n/gm, ""),
      "Belljar cannot start:\n  JAVASCRIPT_PRELOAD: fails cannot be loaded: TypeError: no\n",
    );
  },
);
