import { assert, assertEquals } from "@std/assert";
import denoConfig from "../../deno.json" with { type: "json" };
import { languageListing } from "../../shared/language_listing.ts";
import { LANGUAGE_INFO, languageNamed, LANGUAGES } from "../../shared/languages.ts";
import {
  ADMISSION_CEILINGS,
  ADMISSION_LIMITS,
  limitsByLanguage,
  SHARED_CEILINGS,
  SHARED_LIMITS,
} from "../../shared/limits.ts";

Deno.test("languages: versions shown are the ones that are pinned", () => {
  const pinned: Readonly<Record<string, string>> = denoConfig.imports;
  for (const language of LANGUAGES) {
    const { package: name, version, engine } = LANGUAGE_INFO[language];
    assertEquals(pinned[name], `npm:${name}@${version}`);
    assert(engine.includes(version), engine);
  }
});

Deno.test("languages: no name means two languages", () => {
  const names = LANGUAGES.flatMap((id) => [id, ...LANGUAGE_INFO[id].aliases]);
  assertEquals(new Set(names).size, names.length);
  for (const name of names) assert(languageNamed(name) !== undefined);
});

Deno.test("languages: names that objects have are no languages", () => {
  for (const name of ["", "toString", "__proto__", "constructor", "javascript "]) {
    assertEquals(languageNamed(name), undefined);
  }
});

Deno.test("languages: contexts are a capability where they are there", () => {
  const limits = limitsByLanguage().perl;
  const without = languageListing("perl", { enabled: true, contexts: false, limits });
  assertEquals(without.capabilities.includes("contexts"), false);
  const having = languageListing("perl", { enabled: true, contexts: true, limits });
  assertEquals(having.capabilities, [...without.capabilities, "contexts"]);
  assertEquals("tracebackBytes" in having.limits, false);
});

Deno.test("limits: the contract's own numbers are their own ceilings", () => {
  assertEquals(SHARED_LIMITS.codeBytes, 65_536);
  assertEquals(SHARED_LIMITS.requestBytes, 98_304);
  assertEquals(SHARED_CEILINGS.codeBytes, SHARED_LIMITS.codeBytes);
  assertEquals(SHARED_CEILINGS.requestBytes, SHARED_LIMITS.requestBytes);
});

Deno.test("limits: no default is above its ceiling", () => {
  const ceilings: Readonly<Record<string, number>> = { ...SHARED_CEILINGS, ...ADMISSION_CEILINGS };
  for (const [name, value] of Object.entries({ ...SHARED_LIMITS, ...ADMISSION_LIMITS })) {
    assert(value <= (ceilings[name] ?? 0), name);
  }
});
