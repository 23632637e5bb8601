// test: slow
/** A release has one version, in every package and in the changelog (RELEASING.md). */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import config from "../deno.json" with { type: "json" };
import { PACKAGES } from "./support/packages.ts";

const ROOT = new URL("../", import.meta.url);
const manifestSchema = z.object({ name: z.string(), version: z.string().optional() });

function manifest(folder: string): z.infer<typeof manifestSchema> {
  const text = Deno.readTextFileSync(new URL(`${folder}/deno.json`, ROOT));
  return manifestSchema.parse(JSON.parse(text));
}

Deno.test("release: the published packages are those of the workspace that have a version", () => {
  const folders = config.workspace.map((path) => path.replace("./", ""));
  const versioned = folders.filter((folder) => manifest(folder).version !== undefined);
  assertEquals(versioned.sort(), [...PACKAGES].sort());
  assertEquals(
    PACKAGES.filter((folder) => !config.tasks["publish:check"].command.includes(`cd ${folder} `)),
    [],
  );
});

Deno.test("release: all packages and the newest section of the changelog have one version", () => {
  const changelog = Deno.readTextFileSync(new URL("CHANGELOG.md", ROOT));
  const [, newest = ""] = /^## (\d+\.\d+\.\d+) \(\d{4}-\d\d-\d\d\)$/m.exec(changelog) ?? [];
  assert(newest !== "", "the changelog has no version with a date");
  assertEquals(PACKAGES.map((folder) => manifest(folder).version), PACKAGES.map(() => newest));
  const python = Deno.readTextFileSync(new URL("clients/python/pyproject.toml", ROOT));
  assert(python.includes(`\nversion = "${newest}"\n`), "the Python client has another version");
});

Deno.test("release: sections of the changelog have the usual headings", () => {
  const changelog = Deno.readTextFileSync(new URL("CHANGELOG.md", ROOT));
  const allowed = /^### (?:Upgrading from [\d.]+|Added|Changed|Deprecated|Removed|Fixed|Security)$/;
  const headings = changelog.match(/^### .+$/gm) ?? [];
  assertEquals(headings.filter((heading) => !allowed.test(heading)), []);
});
