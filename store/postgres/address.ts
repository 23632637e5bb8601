/**
 * The URL of a database: `postgres://user:password@host:port/database?parameter=value`.
 *
 * | parameter | meaning | default |
 * |---|---|---|
 * | `schema` | schema of the tables | `belljar` |
 * | `pool` | connections of this process, 1 to 100 | 8 |
 * | `pooler` | `1` behind a pooler in transaction mode (PgBouncer): nothing stays in a session | `0` |
 * | `sslmode` | `verify-full`: TLS, with the name of the host checked; `disable`: none | `disable` |
 * | `sslrootcert` | file with the certificates of the authorities to trust | those of the system |
 * | `sslcert`, `sslkey` | files with the certificate of this client and its key | none |
 * | `host` | folder of a Unix socket, in place of the host of the URL | |
 *
 * The driver takes user, password, host, port and database from PostgreSQL's usual variables
 * (`PGPASSWORD` and others) and from `~/.pgpass` when the URL has none.
 *
 * @module
 */

/** Location of a database, and the manner of its use. */
export interface Address {
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly host: string | undefined;
  readonly port: number | undefined;
  readonly database: string | undefined;
  /** Files for TLS, or none for a connection in clear text. */
  readonly tls: TlsFiles | undefined;
  readonly schema: string;
  /** Connections of this process. */
  readonly connections: number;
  /** Whether statements are prepared once for each connection. */
  readonly prepares: boolean;
}

/** Paths of files in PEM. */
export interface TlsFiles {
  readonly authorities: string | undefined;
  readonly certificate: string | undefined;
  readonly key: string | undefined;
}

const PARAMETERS: ReadonlySet<string> = new Set(
  ["schema", "pool", "pooler", "sslmode", "sslrootcert", "sslcert", "sslkey", "host"],
);
const DEFAULT_SCHEMA = "belljar";
const DEFAULT_CONNECTIONS = 8;
const MAX_CONNECTIONS = 100;
/** A name that needs no quotes, of the length that PostgreSQL keeps. */
const PLAIN_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

/**
 * Reads a URL.
 *
 * @throws {TypeError} that names what is wrong, without the URL, because it holds a password
 */
export function readAddress(text: string): Address {
  const url = URL.parse(text);
  if (url === null) throw new TypeError("not a URL");
  const { searchParams } = url;
  for (const name of searchParams.keys()) {
    if (!PARAMETERS.has(name)) {
      const known = [...PARAMETERS].join(", ");
      throw new TypeError(`unknown parameter ${JSON.stringify(name)}; there are ${known}`);
    }
  }
  const schema = searchParams.get("schema") ?? DEFAULT_SCHEMA;
  if (!PLAIN_NAME.test(schema)) {
    throw new TypeError("schema must be a name of lower-case letters, digits and underscores");
  }
  const connections = Number(searchParams.get("pool") ?? DEFAULT_CONNECTIONS);
  if (!Number.isInteger(connections) || connections < 1 || connections > MAX_CONNECTIONS) {
    throw new TypeError(`pool must be a whole number from 1 to ${MAX_CONNECTIONS}`);
  }
  return {
    user: textOf(url.username, "user"),
    password: textOf(url.password, "password"),
    host: searchParams.get("host") ?? textOf(url.hostname.replace(/^\[(.*)\]$/, "$1"), "host"),
    port: url.port === "" ? undefined : Number(url.port),
    database: textOf(url.pathname.slice(1), "database"),
    tls: tlsOf(searchParams),
    schema,
    connections,
    prepares: !choice(searchParams, "pooler", ["0", "1"], "0").endsWith("1"),
  };
}

function tlsOf(parameters: URLSearchParams): TlsFiles | undefined {
  const file = (name: string) => parameters.get(name) ?? undefined;
  const files = {
    authorities: file("sslrootcert"),
    certificate: file("sslcert"),
    key: file("sslkey"),
  };
  const mode = choice(parameters, "sslmode", ["disable", "verify-full"], "disable");
  if (mode === "verify-full") return files;
  if (Object.values(files).some((path) => path !== undefined)) {
    throw new TypeError("certificates need sslmode=verify-full");
  }
  return undefined;
}

function choice(
  parameters: URLSearchParams,
  name: string,
  choices: readonly string[],
  standard: string,
): string {
  const value = parameters.get(name) ?? standard;
  if (!choices.includes(value)) throw new TypeError(`${name} must be ${choices.join(" or ")}`);
  return value;
}

/** A part of the URL; undefined when it is empty. */
function textOf(part: string, name: string): string | undefined {
  if (part === "") return undefined;
  try {
    return decodeURIComponent(part);
  } catch {
    throw new TypeError(`the ${name} is not correctly percent-encoded`);
  }
}
