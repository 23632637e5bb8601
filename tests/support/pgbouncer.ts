/**
 * PgBouncer in transaction mode, in front of a PostgreSQL of the tests. The program is the one that
 * is installed; without it the tests are left out.
 *
 * @module
 */
import { type PostgresServer, postgresTest } from "./postgres.ts";
import { freePort } from "./program.ts";
import { until } from "./wait.ts";

const PROGRAM = "/usr/sbin/pgbouncer";
/** The program refuses to run as root. */
const USER = "postgres";
/** Connections to the server, fewer than those of the callers. */
const SERVER_CONNECTIONS = 6;

/** A test that needs PgBouncer; left out, with a line that says so, where it is not installed. */
export function poolerTest(name: string, fn: (test: Deno.TestContext) => Promise<void>): void {
  if (isThere(PROGRAM)) postgresTest(name, fn);
  else Deno.test({ name: `${name} (needs ${PROGRAM})`, ignore: true, fn });
}

function isThere(path: string): boolean {
  try {
    return Deno.statSync(path).isFile;
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return false;
    throw thrown;
  }
}

/** A pooler of a server. */
export class PgBouncer implements AsyncDisposable {
  readonly #folder: string;
  readonly #server: PostgresServer;
  readonly port: number;
  #process: Deno.ChildProcess | undefined;

  private constructor(server: PostgresServer, folder: string, port: number) {
    this.#server = server;
    this.#folder = folder;
    this.port = port;
  }

  /** Starts a pooler. */
  static async start(server: PostgresServer): Promise<PgBouncer> {
    const folder = await Deno.makeTempDir({ prefix: "belljar-pgbouncer-" });
    const pooler = new PgBouncer(server, folder, freePort());
    try {
      await Deno.chmod(folder, 0o755);
      await Deno.writeTextFile(`${folder}/users.txt`, '"belljar" ""\n');
      await Deno.writeTextFile(`${folder}/pgbouncer.ini`, pooler.#settings());
      await pooler.begin();
      return pooler;
    } catch (thrown) {
      await pooler[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** The URL for `KV_PATH`. */
  url(parameters: Readonly<Record<string, string>> = {}): string {
    const url = new URL(this.#server.url({ pooler: "1", ...parameters }));
    url.port = String(this.port);
    return url.href;
  }

  /** Starts the program, at its old port. */
  async begin(): Promise<void> {
    const command = [PROGRAM, "--quiet", `${this.#folder}/pgbouncer.ini`];
    const [program = "", ...args] = Deno.uid() === 0
      ? ["setpriv", `--reuid=${USER}`, `--regid=${USER}`, "--init-groups", ...command]
      : command;
    this.#process = new Deno.Command(program, {
      args,
      cwd: this.#folder,
      stdin: "null",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await until(() => this.#isUp());
  }

  /** Ends the program and all connections through it. */
  async stop(): Promise<void> {
    const process = this.#process;
    this.#process = undefined;
    process?.kill("SIGKILL");
    await process?.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await Deno.remove(this.#folder, { recursive: true });
  }

  async #isUp(): Promise<boolean> {
    try {
      (await Deno.connect({ hostname: "127.0.0.1", port: this.port })).close();
      return true;
    } catch (thrown) {
      if (thrown instanceof Deno.errors.ConnectionRefused) return false;
      throw thrown;
    }
  }

  #settings(): string {
    return [
      "[databases]",
      `belljar = host=127.0.0.1 port=${this.#server.port} dbname=belljar user=belljar`,
      "[pgbouncer]",
      "listen_addr = 127.0.0.1",
      `listen_port = ${this.port}`,
      "unix_socket_dir =",
      "auth_type = trust",
      `auth_file = ${this.#folder}/users.txt`,
      "pool_mode = transaction",
      `default_pool_size = ${SERVER_CONNECTIONS}`,
      "max_client_conn = 500",
      "",
    ].join("\n");
  }
}
