import { assert } from "@std/assert";
import config from "../deno.json" with { type: "json" };

Deno.test("notices: every pinned package is named with its version", async () => {
  const notices = await Deno.readTextFile(new URL("../THIRD_PARTY_NOTICES.md", import.meta.url));
  for (const [name, specifier] of Object.entries(config.imports)) {
    const version = /^npm:.+@(\d[^@]*)$/.exec(specifier)?.[1];
    if (specifier.startsWith("npm:")) assert(version !== undefined, `${name} is not pinned`);
    if (version === undefined) continue;
    assert(
      notices.includes(`| ${name} | ${version} |`),
      `${name} ${version} is not in the notices`,
    );
  }
});
