/**
 * PostgreSQL servers of the tests: each in a temporary folder, on a free port of loopback. The
 * programs are those that are installed; without them the tests are left out.
 *
 * @module
 */
import { until } from "./wait.ts";
import { type ServerProgram, serverProgram } from "./postgres_program.ts";

const PROGRAM = serverProgram();
/** Attempts to get a port that was free a moment ago. */
const START_ATTEMPTS = 5;
/** The user and the database. */
const NAME = "belljar";

/** The settings of each server; their values need no quotes. */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: "127.0.0.1",
  max_connections: "200",
  shared_buffers: "32MB",
};

/** A test that needs a server; left out, with a line that says so, where there is no PostgreSQL. */
export function postgresTest(name: string, fn: (test: Deno.TestContext) => Promise<void>): void {
  const ignore = PROGRAM === undefined;
  Deno.test({ name: ignore ? `${name} (needs PostgreSQL: initdb, pg_ctl)` : name, ignore, fn });
}

/** How a server ends. `immediate`: as by a crash. */
type StopMode = "fast" | "immediate";

/** A server, or a standby of one. */
export class PostgresServer implements AsyncDisposable {
  readonly #program: ServerProgram;
  readonly folder: string;
  port = 0;
  #isRunning = false;

  private constructor(program: ServerProgram, folder: string) {
    this.#program = program;
    this.folder = folder;
  }

  /** A new server with an empty database. */
  static async start(settings: Readonly<Record<string, string>> = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#create();
    try {
      const options = ["--no-sync", "--encoding=UTF8", "--locale=C", "--auth=trust"];
      await server.#run("initdb", [...options, `--username=${NAME}`, `--pgdata=${server.data}`]);
      await server.begin(settings);
      await server.sql(`CREATE DATABASE ${NAME}`, "postgres");
      return server;
    } catch (thrown) {
      await server[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** A standby of this server, which follows it. `name`: for `synchronous_standby_names`. */
  async standby(name: string): Promise<PostgresServer> {
    const standby = await PostgresServer.#create();
    try {
      const from = `host=127.0.0.1 port=${this.port} user=${NAME} application_name=${name}`;
      await standby.#run("pg_basebackup", [
        `--pgdata=${standby.data}`,
        "--write-recovery-conf",
        "--checkpoint=fast",
        `--dbname=${from}`,
      ]);
      await standby.begin();
      return standby;
    } catch (thrown) {
      await standby[Symbol.asyncDispose]();
      throw thrown;
    }
  }

  /** A server that is not yet made, in a folder that its user may use. */
  static async #create(): Promise<PostgresServer> {
    if (PROGRAM === undefined) throw new Error("PostgreSQL is not installed");
    const folder = await Deno.makeTempDir({ prefix: "belljar-postgres-" });
    if (PROGRAM.owner !== undefined) await Deno.chown(folder, PROGRAM.owner, null);
    return new PostgresServer(PROGRAM, folder);
  }

  /** The folder of the server's data. */
  get data(): string {
    return `${this.folder}/data`;
  }

  /** The URL for `KV_PATH`. */
  url(parameters: Readonly<Record<string, string>> = {}): string {
    const search = new URLSearchParams(parameters);
    return `postgres://${NAME}@127.0.0.1:${this.port}/${NAME}?${search}`;
  }

  /** Starts the server, at its old port if it had one. */
  async begin(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const all = { ...SETTINGS, unix_socket_directories: this.folder, ...settings };
    const options = Object.entries(all).map(([name, value]) => `-c ${name}=${value}`).join(" ");
    for (let attempt = 1;; attempt++) {
      const port = this.port === 0 ? freePort() : this.port;
      try {
        const log = `--log=${this.folder}/log`;
        const timing = ["--wait", "--timeout=60"];
        const order = ["start", `--options=${options} -c port=${port}`];
        await this.#run("pg_ctl", [`--pgdata=${this.data}`, log, ...timing, ...order]);
        this.port = port;
        this.#isRunning = true;
        return;
      } catch (thrown) {
        if (this.port !== 0 || attempt === START_ATTEMPTS) throw thrown;
      }
    }
  }

  /** Stops the server; it can begin again. */
  async stop(mode: StopMode): Promise<void> {
    this.#isRunning = false;
    await this.#run("pg_ctl", [`--pgdata=${this.data}`, "--wait", `--mode=${mode}`, "stop"]);
  }

  /** Makes a standby the primary. */
  async promote(): Promise<void> {
    await this.#run("pg_ctl", [`--pgdata=${this.data}`, "--wait", "promote"]);
  }

  /** Waits until the server answers again: the end of one of its processes ends all connections. */
  async answers(): Promise<void> {
    const isUp = () => this.sql("SELECT 1").then(() => true, () => false);
    await until(isUp);
  }

  /** Runs statements as a client of the server; gives what they print. */
  async sql(text: string, database = NAME): Promise<string> {
    const where = ["--host=127.0.0.1", `--port=${this.port}`, `--dbname=${database}`];
    const form = ["--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1"];
    return await this.#run("psql", [...where, ...form, `--username=${NAME}`, `--command=${text}`]);
  }

  /** Stops the server and removes everything. */
  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#isRunning) await this.stop("immediate");
    await Deno.remove(this.folder, { recursive: true });
  }

  async #run(program: string, args: readonly string[]): Promise<string> {
    const [command = "", ...first] = this.#program.commandOf(program);
    const output = await new Deno.Command(command, {
      args: [...first, ...args],
      cwd: this.folder,
      env: { LC_ALL: "C" },
      stdin: "null",
    }).output();
    const text = new TextDecoder();
    if (output.success) return text.decode(output.stdout).trim();
    const log = await Deno.readTextFile(`${this.folder}/log`).catch(() => "");
    throw new Error(`${program}: ${text.decode(output.stderr)}\n${log.slice(-2_000)}`);
  }
}

function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}
