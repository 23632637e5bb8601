/** The bill of materials of a release (release/sbom.ts). */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { makeSbom } from "../../release/sbom.ts";

const ROOT = new URL("../../", import.meta.url);
const read = (path: string) => Deno.readTextFileSync(new URL(path, ROOT));
const INPUT = {
  version: "1.2.3",
  commit: "c".repeat(40),
  time: new Date("2026-11-28T10:00:00Z"),
  lock: read("deno.lock"),
  notices: read("THIRD_PARTY_NOTICES.md"),
  cargoLock: read("runtimes/languages/shell/module/Cargo.lock"),
};

const componentSchema = z.object({
  "bom-ref": z.string(),
  purl: z.string(),
  scope: z.enum(["required", "excluded"]),
  hashes: z.tuple([z.object({ alg: z.string(), content: z.string().regex(/^[0-9a-f]{64,128}$/) })]),
  licenses: z.array(z.object({ expression: z.string() })).optional(),
});
const billSchema = z.object({
  bomFormat: z.literal("CycloneDX"),
  specVersion: z.literal("1.6"),
  serialNumber: z.string().regex(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  ),
  metadata: z.object({ component: z.object({ "bom-ref": z.string(), version: z.string() }) }),
  components: z.array(componentSchema),
  dependencies: z.array(z.object({ ref: z.string(), dependsOn: z.array(z.string()) })),
});

const bill = billSchema.parse(JSON.parse(makeSbom(INPUT)));

Deno.test("makeSbom() names each package of deno.lock with its hash and its licence", () => {
  const lock: { readonly npm: Readonly<Record<string, { readonly integrity: string }>> } = JSON
    .parse(INPUT.lock);
  const named = new Map(bill.components.map((component) => [component.purl, component]));
  for (const [key, { integrity }] of Object.entries(lock.npm)) {
    const [, name = "", version] = /^(@?[^@]+)@([^_]+)/.exec(key) ?? [];
    const component = named.get(`pkg:npm/${name.replace("@", "%40")}@${version}`);
    assert(component !== undefined, key);
    const content = Uint8Array.fromBase64(integrity.slice("sha512-".length)).toHex();
    assertEquals([key, component.hashes[0]], [key, { alg: "SHA-512", content }]);
    assert(component.licenses !== undefined, `${key} has no licence`);
  }
});

Deno.test("makeSbom() names the crates of the shell", () => {
  const crates = INPUT.cargoLock.match(/^checksum = /gm) ?? [];
  const named = bill.components.filter(({ purl }) => purl.startsWith("pkg:cargo/"));
  assert(crates.length > 0);
  assertEquals(named.length, crates.length);
});

Deno.test("makeSbom() writes each component once, and dependencies only between components", () => {
  const refs = bill.components.map((component) => component["bom-ref"]);
  assertEquals(new Set(refs).size, refs.length);
  const known = new Set([...refs, bill.metadata.component["bom-ref"]]);
  const used = bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  assertEquals(used.filter((ref) => !known.has(ref)), []);
  const sources = bill.dependencies.map(({ ref }) => ref);
  assertEquals(new Set(sources).size, sources.length);
});

Deno.test("makeSbom() excludes the packages of tests and keeps those of the service and the engines", () => {
  const scopeOf = (start: string) =>
    bill.components.find(({ purl }) => purl.startsWith(`pkg:npm/${start}@`))?.scope;
  for (const name of ["hono", "zod", "pg", "pyodide", "quickjs-wasi", "%40ruby/4.0-wasm-wasi"]) {
    assertEquals([name, scopeOf(name)], [name, "required"]);
  }
  for (const name of ["ajv", "playwright-core", "binaryen", "quickjs-emscripten", "axe-core"]) {
    assertEquals([name, scopeOf(name)], [name, "excluded"]);
  }
});

Deno.test("makeSbom() writes the same text for the same input, and another serial number for another commit", () => {
  assertEquals(makeSbom(INPUT), makeSbom({ ...INPUT }));
  const other = billSchema.parse(JSON.parse(makeSbom({ ...INPUT, commit: "d".repeat(40) })));
  assert(other.serialNumber !== bill.serialNumber);
});
