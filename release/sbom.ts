/**
 * The bill of materials of a release in CycloneDX 1.6 (cyclonedx.org), from `deno.lock`, with the
 * licences of `THIRD_PARTY_NOTICES.md` and the crates of the shell.
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";

/** Texts that a bill is made from. */
export interface SbomInput {
  readonly version: string;
  readonly commit?: string;
  readonly time: Date;
  /** Text of `deno.lock`. */
  readonly lock: string;
  /** Text of `THIRD_PARTY_NOTICES.md`. */
  readonly notices: string;
  /** Text of the shell's `Cargo.lock`. */
  readonly cargoLock: string;
}

/** A part of the release, as CycloneDX writes it. */
interface Component {
  readonly type: "library";
  readonly "bom-ref": string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  /** `excluded`: used by tests and benchmarks only. */
  readonly scope: "required" | "excluded";
  readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
  readonly licenses?: readonly { readonly expression: string }[];
}

interface Dependency {
  readonly ref: string;
  readonly dependsOn: readonly string[];
}

const lockSchema = z.object({
  specifiers: z.record(z.string(), z.string()),
  npm: z.record(
    z.string(),
    z.object({
      integrity: z.string(),
      dependencies: z.array(z.string()).optional(),
      optionalDependencies: z.array(z.string()).optional(),
    }),
  ),
  workspace: z.object({ dependencies: z.array(z.string()) }),
});

/** A key of `deno.lock`: name, version, and after `_` the peers that it was resolved with. */
const LOCK_KEY = /^(@?[^@]+)@([^_]+)/;
const NOTICE = /^\| (\S+) \| (\d\S*) \| ([^|]+) \| ([^|]+) \|$/gm;
const TESTS_ONLY = /\btests(?: and pictures)? only\b|^benchmarks only/;
const CRATE =
  /\[\[package\]\]\nname = "([^"]+)"\nversion = "([^"]+)"\nsource = "[^"]+"\nchecksum = "([0-9a-f]{64})"/g;

/** Makes the bill, a JSON document. The same input gives the same text. */
export function makeSbom(input: SbomInput): string {
  const { version, commit, time } = input;
  const lock = lockSchema.parse(JSON.parse(input.lock));
  const notices = new Map(
    [...input.notices.matchAll(NOTICE)].map(([, name, of, licence = "", use = ""]) =>
      [`${name}@${of}`, { licence, use }] as const
    ),
  );
  const self = `pkg:generic/belljar@${version}`;
  const components = new Map<string, Component>();
  const dependencies: Dependency[] = [];
  for (const [key, { integrity, ...more }] of Object.entries(lock.npm)) {
    const [name, version] = nameAndVersion(key);
    const ref = npmPurl(name, version);
    const notice = notices.get(`${name}@${version}`);
    components.set(ref, {
      type: "library",
      "bom-ref": ref,
      name,
      version,
      purl: ref,
      scope: notice !== undefined && TESTS_ONLY.test(notice.use) ? "excluded" : "required",
      hashes: [hashOf(integrity)],
      ...(notice === undefined ? {} : { licenses: [{ expression: spdx(notice.licence) }] }),
    });
    const names = [...more.dependencies ?? [], ...more.optionalDependencies ?? []];
    dependencies.push({ ref, dependsOn: names.map((one) => refOf(one, lock.npm)).sort() });
  }
  for (const [, name = "", version = "", checksum = ""] of input.cargoLock.matchAll(CRATE)) {
    const ref = `pkg:cargo/${name}@${version}`;
    const hashes = [{ alg: "SHA-256", content: checksum }];
    const identity = { type: "library", "bom-ref": ref, name, version, purl: ref } as const;
    components.set(ref, { ...identity, scope: "required", hashes });
  }
  const direct = lock.workspace.dependencies.filter((one) => one.startsWith("npm:")).map((one) =>
    refOf(`${/^npm:(@?[^@]+)/.exec(one)?.[1]}@${lock.specifiers[one]}`, lock.npm)
  );
  const crates = [...components.keys()].filter((ref) => ref.startsWith("pkg:cargo/"));
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuidOf(`${version} ${commit ?? input.lock}`)}`,
    version: 1,
    metadata: {
      timestamp: time.toISOString(),
      component: {
        type: "application",
        "bom-ref": self,
        name: "belljar",
        version,
        purl: self,
        licenses: [{ expression: "MIT" }],
        ...(commit === undefined
          ? {}
          : { properties: [{ name: "belljar:commit", value: commit }] }),
      },
    },
    components: [...components.values()].sort((a, b) => a.purl < b.purl ? -1 : 1),
    dependencies: [
      { ref: self, dependsOn: [...new Set([...direct, ...crates])].sort() },
      ...dependencies.filter(isFirst).sort((a, b) => a.ref < b.ref ? -1 : 1),
    ],
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** A package with several sets of peers is one component. */
function isFirst({ ref }: Dependency, index: number, all: readonly Dependency[]): boolean {
  return all.findIndex((one) => one.ref === ref) === index;
}

function nameAndVersion(key: string): readonly [string, string] {
  const [, name, version] = LOCK_KEY.exec(key) ?? [];
  if (name === undefined || version === undefined) throw new TypeError(`deno.lock: ${key}`);
  return [name, version];
}

/** A dependency is named without its version where only one version is there. */
function refOf(dependency: string, packages: Readonly<Record<string, unknown>>): string {
  if (LOCK_KEY.test(dependency)) return npmPurl(...nameAndVersion(dependency));
  const key = Object.keys(packages).find((one) => one.startsWith(`${dependency}@`));
  if (key === undefined) throw new TypeError(`deno.lock has no ${dependency}`);
  return npmPurl(...nameAndVersion(key));
}

function npmPurl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** `sha512-<base64>` in hexadecimal digits. */
function hashOf(integrity: string): { readonly alg: string; readonly content: string } {
  const [, bits = "", digest = ""] = /^sha(\d+)-(.+)$/.exec(integrity) ?? [];
  return { alg: `SHA-${bits}`, content: Uint8Array.fromBase64(digest).toHex() };
}

/** An SPDX expression. */
function spdx(licence: string): string {
  return licence.trim().replaceAll(" or ", " OR ").replaceAll(" and ", " AND ");
}

/** A UUID of version 8 (RFC 9562): the start of a hash. */
function uuidOf(text: string): string {
  const bytes = new Uint8Array(createHash("sha256").update(text).digest().subarray(0, 16));
  bytes[6] = (bytes[6] ?? 0) & 0x0f | 0x80;
  bytes[8] = (bytes[8] ?? 0) & 0x3f | 0x80;
  return bytes.toHex().replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}
