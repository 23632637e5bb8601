/**
 * A store in PostgreSQL, for operators who have one or must survive the loss of a machine. This
 * folder is loaded only when `KV_PATH` is a `postgres` URL ({@link ./address.ts}).
 *
 * The server must acknowledge a commit only when it survives the failures that are to be survived:
 * of a server alone `synchronous_commit = on`, and with a standby that may take over, a synchronous
 * one. A failover that loses commits loses answered runs.
 *
 * @module
 */
import type { KvStore } from "../kv.ts";
import { readAddress } from "./address.ts";
import { Connections } from "./connections.ts";
import { about, creation, presence, SCHEMA_VERSION } from "./schema.ts";
import { PostgresStore } from "./store.ts";

/**
 * Opens the store, and creates its tables or completes those of an earlier version.
 *
 * @throws {TypeError} for a URL with a mistake
 * @throws {StoreFailure} when the database cannot be reached, or takes no writes
 */
export async function openPostgres(path: string): Promise<KvStore> {
  const address = readAddress(path);
  const connections = await Connections.open(address);
  try {
    await prepare(connections, address.schema);
    return new PostgresStore(connections, address.schema);
  } catch (thrown) {
    await connections.close();
    throw thrown;
  }
}

async function prepare(connections: Connections, schema: string): Promise<void> {
  const [present] = await connections.query<[string]>({ text: presence(schema) });
  let version = present?.[0] === "t" ? await versionOf(connections, schema) : undefined;
  if (version === undefined || version.current < SCHEMA_VERSION) {
    await connections.query({ text: creation(schema) });
    version = await versionOf(connections, schema);
  }
  if (version === undefined || version.oldest > SCHEMA_VERSION) {
    throw new Error(
      `the schema ${schema} needs a later version of Belljar: it has version ` +
        `${version?.current ?? "none"}, and this one knows version ${SCHEMA_VERSION}`,
    );
  }
}

async function versionOf(
  connections: Connections,
  schema: string,
): Promise<{ readonly current: number; readonly oldest: number } | undefined> {
  const [row] = await connections.query<[string, string]>({ text: about(schema) });
  return row && { current: Number(row[0]), oldest: Number(row[1]) };
}
