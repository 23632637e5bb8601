/**
 * An npm registry: which versions a package has, and their tarballs. The registry is npm's own, or
 * the one that npm's configuration names (`NPM_CONFIG_REGISTRY`, `.npmrc`).
 *
 * @module
 */
import { createHash } from "node:crypto";
import { z } from "zod";
import { type Access, accessTo, Downloads, type Patience } from "../command/download.ts";
import { CommandRefused } from "../command/refusal.ts";

/** npm's configuration. */
export interface RegistrySettings {
  /** Value of NPM_CONFIG_REGISTRY. */
  readonly registryUrl: string | undefined;
  /** Texts of `.npmrc` files, the more important first. */
  readonly configurations: readonly string[];
  /** Environment variables that these texts may name. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly patience?: Patience | undefined;
}

const MIB = 1024 * 1024;
const MAX_LISTING = 64 * MIB;
/** Maximum size of a tarball in bytes. */
const MAX_TARBALL = 64 * MIB;
const NPM = "https://registry.npmjs.org/";
const VARIABLE = "NPM_CONFIG_REGISTRY";
const ACCEPT = "application/vnd.npm.install-v1+json; q=1.0, application/json; q=0.8";
const MAX_VERSIONS = 50_000;
/** Maximum length of an `.npmrc` in characters. */
const MAX_CONFIGURATION = 64 * 1024;

const ranges = z.record(z.string(), z.string()).nullish().catch(undefined);

const versionSchema = z.object({
  version: z.string(),
  dependencies: ranges,
  optionalDependencies: ranges,
  peerDependencies: ranges,
  peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() }))
    .nullish().catch(undefined),
  os: z.unknown().optional(),
  cpu: z.unknown().optional(),
  dist: z.object({
    tarball: z.url(),
    integrity: z.string().max(1024).optional(),
    shasum: z.string().regex(/^[0-9a-f]{40}$/).optional(),
  }),
});

const listingSchema = z.object({
  "dist-tags": z.record(z.string(), z.string()).default({}),
  versions: z.record(z.string(), z.unknown()),
});

/** One version of a package, as a registry describes it. */
export type Manifest = z.infer<typeof versionSchema>;

/** The versions of a package. */
export interface Listing {
  readonly tags: ReadonlyMap<string, string>;
  readonly versions: readonly string[];
  /** Throws a CommandRefused when the registry describes the version in another form. */
  manifest(version: string): Manifest;
}

/** Values of the operator that name a registry. */
export interface RegistryVariables {
  /** Value of NPM_CONFIG_REGISTRY. */
  readonly registryUrl: string | undefined;
  /** The environment: `.npmrc` may name its variables; HOME has the user's `.npmrc`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly patience?: Patience;
}

/** npm's configuration, from these values and from the `.npmrc` of the folder and of the user. */
export async function readRegistrySettings(
  { registryUrl, env, patience }: RegistryVariables,
): Promise<RegistrySettings> {
  const { HOME: home, npm_config_registry: ofNpm } = env;
  const paths = [".npmrc", ...(home === undefined ? [] : [`${home}/.npmrc`])];
  const configurations = await Promise.all(paths.map(async (path) => {
    const text = await Deno.readTextFile(path).catch(() => "");
    return text.length > MAX_CONFIGURATION ? "" : text;
  }));
  return { registryUrl: registryUrl ?? ofNpm, configurations, env, patience };
}

/** The registry of one command. */
export class Registry {
  readonly #downloads: Downloads;
  readonly #config: ReadonlyMap<string, string>;
  readonly #default: string;
  readonly #listings = new Map<string, Promise<Listing | undefined>>();

  constructor({ registryUrl, configurations, env, patience }: RegistrySettings) {
    this.#downloads = new Downloads(patience);
    this.#config = readConfigurations(configurations, env);
    this.#default = registryUrl ?? this.#config.get("registry") ?? NPM;
  }

  /** The versions of a package; undefined if there is no such package. Throws a CommandRefused. */
  listing(name: string): Promise<Listing | undefined> {
    let known = this.#listings.get(name);
    if (known === undefined) this.#listings.set(name, known = this.#fetchListing(name));
    return known;
  }

  /** Downloads a tarball and checks its hash. Throws a CommandRefused. */
  async tarball(
    name: string,
    { version, dist }: Manifest,
    onBytes: (done: number, total: number | undefined) => void,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const access = this.#accessFor(name);
    const bytes = await this.#downloads.bytes(new URL(dist.tarball), access, {
      maxBytes: MAX_TARBALL,
      onBytes,
    });
    if (bytes === undefined) {
      throw new CommandRefused(`The registry has no tarball of ${name} ${version}`);
    }
    if (!isIntact(bytes, integrityOf(name, version, dist))) {
      throw new CommandRefused(
        `The tarball of ${name} ${version} is not the one that was announced: its hash differs. ` +
          "Nothing was installed; try again, and distrust the registry if it stays so",
      );
    }
    return bytes;
  }

  async #fetchListing(name: string): Promise<Listing | undefined> {
    const access = this.#accessFor(name);
    const url = new URL(name.replace("/", "%2f"), access.base);
    const answer = await this.#downloads.text(url, access, {
      accept: ACCEPT,
      maxBytes: MAX_LISTING,
    });
    if (answer === undefined) return undefined;
    return readListing(name, answer.text);
  }

  #accessFor(name: string): Access {
    const scope = /^@[^/]+/.exec(name)?.[0];
    const own = scope === undefined ? undefined : this.#config.get(`${scope}:registry`);
    const access = accessTo(own ?? this.#default, VARIABLE);
    if (access === undefined) throw new CommandRefused(`${VARIABLE} must be a URL such as ${NPM}`);
    return { ...access, authorization: access.authorization ?? this.#authorization(access.base) };
  }

  /** The token that `.npmrc` gives for a registry. */
  #authorization({ host, pathname }: URL): string | undefined {
    for (let path = pathname; path !== ""; path = path.replace(/[^/]*\/?$/, "")) {
      const at = `//${host}${path}`;
      for (const place of [at, at.replace(/\/$/, "")]) {
        const token = this.#config.get(`${place}:_authToken`);
        if (token !== undefined) return `Bearer ${token}`;
        const pair = this.#config.get(`${place}:_auth`);
        if (pair !== undefined) return `Basic ${pair}`;
      }
    }
    return undefined;
  }
}

/** The hash of a tarball in the form of SRI. */
export function integrityOf(name: string, version: string, dist: Manifest["dist"]): string {
  if (dist.integrity !== undefined) return dist.integrity;
  if (dist.shasum !== undefined) return `sha1-${Uint8Array.fromHex(dist.shasum).toBase64()}`;
  throw new CommandRefused(`The registry gives no hash of ${name} ${version}`);
}

/** Whether bytes have the strongest of the hashes. */
function isIntact(bytes: Uint8Array, integrity: string): boolean {
  const hashes = integrity.split(/\s+/);
  for (const algorithm of ["sha512", "sha384", "sha256", "sha1"]) {
    const expected = hashes.filter((hash) => hash.startsWith(`${algorithm}-`))
      .map((hash) => hash.slice(algorithm.length + 1).split("?", 1)[0]);
    if (expected.length === 0) continue;
    return expected.includes(createHash(algorithm).update(bytes).digest("base64"));
  }
  return false;
}

function readListing(name: string, text: string): Listing {
  const { data } = listingSchema.safeParse(parsed(text));
  const versions = Object.keys(data?.versions ?? {});
  if (data === undefined || versions.length > MAX_VERSIONS) {
    throw new CommandRefused(`The registry describes ${name} in a form that is not npm's`);
  }
  const byVersion = new Map(Object.entries(data.versions));
  return {
    versions,
    tags: new Map(Object.entries(data["dist-tags"])),
    manifest(version) {
      const manifest = versionSchema.safeParse(byVersion.get(version)).data;
      if (manifest !== undefined && manifest.version === version) return manifest;
      throw new CommandRefused(
        `The registry describes ${name} ${version} in a form that is not npm's`,
      );
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Keys and values of `.npmrc` files. `${NAME}` stands for a variable of the environment. */
function readConfigurations(
  texts: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const line of texts.flatMap((text) => text.split("\n"))) {
    const equals = line.indexOf("=");
    const [key, value] = [line.slice(0, Math.max(equals, 0)).trim(), line.slice(equals + 1).trim()];
    if (key === "" || key.startsWith("#") || key.startsWith(";") || found.has(key)) continue;
    const plain = value.replace(/^"(.*)"$/, "$1");
    found.set(key, plain.replaceAll(/\$\{([^${}]+)\}/g, (all, name: string) => env[name] ?? all));
  }
  return found;
}
