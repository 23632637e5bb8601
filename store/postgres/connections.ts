/**
 * Connections to one database: a fixed number, opened at the start, because opening one takes
 * several round trips. Every statement is one round trip.
 *
 * @module
 */
// @ts-types="@types/pg"
import pg from "pg";
import { STORE_WRITE_MS } from "../../shared/limits.ts";
import { StoreFailure } from "../store_failures.ts";
import type { Address, TlsFiles } from "./address.ts";
import { failureOf } from "./failures.ts";

/** Time limit of a statement, in milliseconds. Nobody waits longer for its answer. */
const STATEMENT_MS = STORE_WRITE_MS + 2_000;
const CONNECT_MS = 5_000;

/** A statement. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  /** Prepared under this name where statements are prepared. */
  readonly name?: string;
}

/** The connections of one process to a database. */
export class Connections {
  readonly #pool: pg.Pool;
  readonly #prepares: boolean;
  /** All that are open, busy or idle. */
  readonly #open = new Set<pg.PoolClient>();
  /** Number of further statements that may be under way. */
  #free: number;
  /** Statements that wait until another one has ended. */
  readonly #waiting: (() => void)[] = [];
  #closed: Promise<void> | undefined;

  private constructor(config: pg.PoolConfig, prepares: boolean) {
    this.#prepares = prepares;
    this.#free = config.max ?? 1;
    this.#pool = new pg.Pool(config);
    this.#pool.on("error", ignore); // an idle connection ended; the next operation opens another
    this.#pool.on("connect", (client) => {
      this.#open.add(client);
      client.on("error", ignore); // its statement fails, too; without a listener the process ends
    });
    this.#pool.on("remove", (client) => this.#open.delete(client));
  }

  /**
   * Opens the connections; at least one must come about.
   *
   * @throws {StoreFailure} when the database cannot be reached, or must not be used
   */
  static async open(address: Address): Promise<Connections> {
    const opened = new Connections(await configOf(address), address.prepares);
    const { connections } = address;
    const clients = Array.from({ length: connections }, () => opened.#pool.connect());
    const settled = await Promise.allSettled(clients);
    for (const one of settled) if (one.status === "fulfilled") one.value.release();
    const refused = settled.find((one) => one.status === "rejected");
    if (refused === undefined || settled.some(({ status }) => status === "fulfilled")) {
      return opened;
    }
    await opened.close();
    throw failureOf(refused.reason, "undone");
  }

  /**
   * Sends a statement and gives its rows, as text. A connection whose statement failed is closed,
   * because of what may still arrive on it.
   *
   * @throws {StoreFailure} when the database failed
   */
  async query<Row extends readonly unknown[]>(statement: Statement): Promise<Row[]> {
    const client = await this.#connect();
    let failure: Error | undefined;
    // a commit whose wait for a standby was cancelled is answered as done, with a warning
    const onNotice = ({ severity, message = "a warning" }: Notice) => {
      if (severity === "WARNING") failure = new StoreFailure("unknown", message);
    };
    client.on("notice", onNotice);
    try {
      const { rows } = await client.query<Row>(this.#configOf(statement));
      if (failure !== undefined) throw failure;
      return rows;
    } catch (thrown) {
      failure = failureOf(thrown, "unknown");
      throw failure;
    } finally {
      client.off("notice", onNotice);
      client.release(failure);
      this.#next();
    }
  }

  /** The time limit of the pool is that of opening a connection: the wait for a free one is not part of it. */
  async #connect(): Promise<pg.PoolClient> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await this.#pool.connect();
    } catch (thrown) {
      this.#next();
      throw failureOf(thrown, "undone");
    }
  }

  /** A statement has ended. */
  #next(): void {
    const begin = this.#waiting.shift();
    if (begin === undefined) this.#free++;
    else begin();
  }

  /** Closes everything. Statements in flight fail. */
  close(): Promise<void> {
    if (this.#closed !== undefined) return this.#closed;
    const ended = this.#pool.end();
    const busy = [...this.#open].map((client) => client.end());
    return this.#closed = Promise.allSettled([ended, ...busy]).then(ignore);
  }

  #configOf({ text, values, name }: Statement): pg.QueryArrayConfig {
    return {
      text,
      rowMode: "array",
      ...(values === undefined ? {} : { values: [...values] }),
      ...(this.#prepares && name !== undefined ? { name } : {}),
    };
  }
}

/** The fields of a notice that are read. */
interface Notice {
  readonly severity?: string | undefined;
  readonly message?: string | undefined;
}

async function configOf(address: Address): Promise<pg.PoolConfig> {
  const { user, password, host, port, database, tls, connections, prepares } = address;
  return {
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(host === undefined ? {} : { host }),
    ...(port === undefined ? {} : { port }),
    ...(database === undefined ? {} : { database }),
    ssl: tls === undefined ? false : await tlsConfigOf(tls),
    fallback_application_name: "belljar",
    max: connections,
    idleTimeoutMillis: 0, // none is closed for being idle
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    query_timeout: STATEMENT_MS,
    // A plan that is kept has to fit the table to come, not the small one of today. A pooler refuses
    // settings of a session, and keeps no plans.
    ...(prepares ? { statement_timeout: STATEMENT_MS, options: "-c enable_seqscan=off" } : {}),
    types: { getTypeParser: () => (text: string) => text },
    onConnect: refuseUnsafe,
  };
}

async function tlsConfigOf({ authorities, certificate, key }: TlsFiles) {
  const read = async (name: string, path: string | undefined) => {
    if (path === undefined) return undefined;
    return await Deno.readTextFile(path).catch(() => {
      throw new TypeError(`${name} cannot be read`);
    });
  };
  const [ca, cert, pem] = await Promise.all([
    read("sslrootcert", authorities),
    read("sslcert", certificate),
    read("sslkey", key),
  ]);
  return {
    rejectUnauthorized: true,
    ...(ca === undefined ? {} : { ca }),
    ...(cert === undefined ? {} : { cert }),
    ...(pem === undefined ? {} : { key: pem }),
  };
}

/**
 * Refuses a server or role with which answered commits could be lost or undone: a standby (its
 * answers may be old), commits that are acknowledged before they are on disk, and an isolation level
 * that hides what was committed during a wait.
 */
async function refuseUnsafe(client: pg.ClientBase): Promise<void> {
  const { rows: [row] } = await client.query<[string, string, string]>({
    text: `SELECT pg_is_in_recovery(), current_setting('synchronous_commit'),
      current_setting('transaction_isolation')`,
    rowMode: "array",
  });
  const [standby, durability, isolation] = row ?? [];
  if (standby !== "f") throw new StoreFailure("undone", "the database is a standby");
  if (durability === "off") throw new StoreFailure("undone", "synchronous_commit is off");
  if (isolation !== "read committed") {
    throw new StoreFailure("undone", "default_transaction_isolation is not read committed");
  }
}

function ignore(): void {}
