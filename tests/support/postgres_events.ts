/**
 * Failures of a PostgreSQL under services.
 *
 * @module
 */
import type { PostgresServer } from "./postgres.ts";
import { pause } from "./wait.ts";

/** The condition of the services' own connections in `pg_stat_activity`. */
export const OURS = "application_name = 'belljar'";
/** How long a server is down. */
const DOWN_MS = 200;

/** The failures of one server. */
export interface PostgresFailures {
  /** Ends all connections of the services. */
  readonly terminate: () => Promise<unknown>;
  /** Ends one process of the server, at which the server ends all connections. */
  readonly kill: () => Promise<void>;
  /** Ends the server as by a crash, and starts it again. */
  readonly restart: () => Promise<void>;
}

/** The failures of a server. */
export function failuresOf(server: PostgresServer): PostgresFailures {
  return {
    terminate: () =>
      server.sql(`SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE ${OURS}`),
    kill: async () => {
      const pid = await server.sql(
        `SELECT pid FROM pg_stat_activity WHERE ${OURS} ORDER BY (state = 'active') DESC LIMIT 1`,
      );
      if (pid === "") return;
      try {
        Deno.kill(Number(pid), "SIGKILL");
      } catch (thrown) {
        if (!(thrown instanceof Deno.errors.NotFound)) throw thrown;
      }
      await server.answers();
    },
    restart: async () => {
      await server.stop("immediate");
      await pause(DOWN_MS);
      await server.begin();
    },
  };
}
