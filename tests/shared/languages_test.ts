import { assert, assertEquals } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { languageListing } from "../../shared/language_listing.ts";
import {
  BUNDLED_LANGUAGES,
  LANGUAGE_INFO,
  languageNamed,
  LANGUAGES,
} from "../../shared/languages.ts";
import { bodyBudget, sandboxLimits } from "../../shared/limit_rules.ts";
import {
  ADMISSION_CEILINGS,
  ADMISSION_LIMITS,
  BODY_BUDGET,
  limitsByLanguage,
  SANDBOX_LIMITS,
  SHARED_CEILINGS,
  SHARED_LIMITS,
} from "../../shared/limits.ts";

Deno.test("languages: versions shown are the ones that are pinned", () => {
  const pinned: Readonly<Record<string, string>> = denoConfig.imports;
  for (const language of BUNDLED_LANGUAGES) {
    const { package: name, version, engine } = LANGUAGE_INFO[language];
    assertEquals(pinned[name], `npm:${name}@${version}`);
    assert(engine.includes(version), engine);
  }
  const { version, engine } = LANGUAGE_INFO.shell;
  const manifest = new URL("../../runtimes/languages/shell/module/Cargo.toml", import.meta.url);
  assert(Deno.readTextFileSync(manifest).includes(`bashkit = { version = "=${version}"`));
  assert(engine.includes(version), engine);
});

Deno.test("languages: each name belongs to one language", () => {
  const names = LANGUAGES.flatMap((id) => [id, ...LANGUAGE_INFO[id].aliases]);
  assertEquals(new Set(names).size, names.length);
  for (const name of names) assert(languageNamed(name) !== undefined);
});

Deno.test("languages: property names of objects are no languages", () => {
  for (const name of ["", "toString", "__proto__", "constructor", "javascript "]) {
    assertEquals(languageNamed(name), undefined);
  }
});

Deno.test("languages: contexts are a capability of languages that have them", () => {
  const limits = limitsByLanguage().perl;
  const without = languageListing("perl", { enabled: true, contexts: false, limits });
  assertEquals(without.capabilities.includes("contexts"), false);
  const having = languageListing("perl", { enabled: true, contexts: true, limits });
  assertEquals(having.capabilities, [...without.capabilities, "contexts"]);
  assertEquals("tracebackBytes" in having.limits, false);
});

Deno.test("limits: the defaults are the contract's numbers", () => {
  const { codeBytes, requestBytes, stdinBytes, fileBytes, workspaceBytes } = SHARED_LIMITS;
  assertEquals([codeBytes, requestBytes, stdinBytes], [65_536, 98_304, 65_536]);
  assertEquals([fileBytes, workspaceBytes], [2 ** 22, 2 ** 24]);
  assertEquals(SHARED_LIMITS.snapshotBytes, 2 ** 25);
  assertEquals(sandboxLimits(SHARED_LIMITS), SANDBOX_LIMITS);
  assertEquals(bodyBudget(limitsByLanguage()), BODY_BUDGET);
});

Deno.test("limits: sandboxes and requests in flight follow larger files and requests", () => {
  const large = { ...SHARED_LIMITS, ...SHARED_CEILINGS };
  const { fileRequestBytes, workspace } = sandboxLimits(large);
  assertEquals([workspace.fileBytes, workspace.totalBytes], [2 ** 28, 2 ** 30]);
  assertEquals(fileRequestBytes, 2 ** 26); // larger files are sent as bytes
  const some = sandboxLimits({ ...SHARED_LIMITS, fileBytes: 2 ** 23 });
  assert(some.fileRequestBytes > 2 ** 23 * 4 / 3);
  const { bodyBytes, bodyBytesPerTenant } = bodyBudget(limitsByLanguage(large));
  assertEquals([bodyBytesPerTenant, bodyBytes], [2 ** 28, 2 ** 29]);
});

Deno.test("limits: no default is above its ceiling", () => {
  const ceilings: Readonly<Record<string, number>> = { ...SHARED_CEILINGS, ...ADMISSION_CEILINGS };
  for (const [name, value] of Object.entries({ ...SHARED_LIMITS, ...ADMISSION_LIMITS })) {
    assert(value <= (ceilings[name] ?? 0), name);
  }
});
