/**
 * The tables of the store in PostgreSQL, the function that commits, and the statements.
 *
 * A commit takes a lock for each of its keys before it looks at any of them. Locks are taken in
 * order, so commits with a key in common follow each other, and none deadlock. They are advisory
 * locks, not locks of rows, because a commit may require that a key does not exist. Each statement of
 * the function sees everything that was committed before the statement began (`READ COMMITTED`), so
 * those behind the locks see the current state. The version is drawn under the locks: versions of a
 * key grow with each commit. It begins with the timeline of the server, which grows when a standby
 * takes over: a standby that lacks commits draws their numbers again.
 *
 * A counter has several rows, chosen by backend, so that commits that add to it do not wait for each
 * other's write to the disk. They share its lock, so its version is the count of its changes.
 *
 * @module
 */

/**
 * The version of this schema. A later one adds functions and columns under new names, so services of
 * both versions can share it. `oldest` in the table `about` is raised when they cannot.
 */
export const SCHEMA_VERSION = 1;

/** Rows of one counter. */
const SHARDS = 16;
/** The timeline of the server, in the upper bits of a version. */
const TIMELINE =
  "(('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint << 40)";

/** Finds out whether the schema exists. Gives `t` or `f`. */
export function presence(schema: string): string {
  return `SELECT to_regclass('${schema}.about') IS NOT NULL`;
}

/** Reads the version of the schema, and the oldest one that may use it. */
export function about(schema: string): string {
  return `SELECT version, oldest FROM ${schema}.about`;
}

/** Statements that create everything, as one transaction. `schema`: a name that needs no quotes. */
export function creation(schema: string): string {
  return `
BEGIN;
SELECT pg_advisory_xact_lock(hashtext('${schema}.create'));
CREATE SCHEMA IF NOT EXISTS ${schema};
CREATE TABLE IF NOT EXISTS ${schema}.about (version int NOT NULL, oldest int NOT NULL);
CREATE TABLE IF NOT EXISTS ${schema}.entries (
  key bytea PRIMARY KEY,
  version bigint NOT NULL,
  value bytea NOT NULL,
  expires_at timestamptz
) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.05,
        toast.autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE ${schema}.entries ALTER value SET STORAGE EXTERNAL; -- most values are compressed
CREATE INDEX IF NOT EXISTS entries_expiry ON ${schema}.entries (expires_at)
  WHERE expires_at IS NOT NULL;
CREATE TABLE IF NOT EXISTS ${schema}.counters (
  key bytea, shard smallint, changes bigint NOT NULL, count bigint NOT NULL,
  PRIMARY KEY (key, shard)
) WITH (fillfactor = 50);
CREATE SEQUENCE IF NOT EXISTS ${schema}.versions;
${commitFunction(schema)}
INSERT INTO ${schema}.about SELECT 0, 1 WHERE NOT EXISTS (SELECT FROM ${schema}.about);
UPDATE ${schema}.about SET version = greatest(version, ${SCHEMA_VERSION});
COMMIT;`;
}

/**
 * Returns null when a check fails. An odd lock is the one before it, shared. Another isolation level
 * would show the state before the locks.
 */
function commitFunction(schema: string): string {
  return `
CREATE OR REPLACE FUNCTION ${schema}.commit_1(
  locks bigint[], check_keys bytea[], check_versions bigint[], set_keys bytea[],
  set_values bytea[], expiry timestamptz, gone_keys bytea[], sum_keys bytea[], sum_counts bigint[]
) RETURNS bigint LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  lock bigint;
  revision bigint;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE 'the isolation level must be read committed' USING ERRCODE = '25001';
  END IF;
  FOREACH lock IN ARRAY locks LOOP
    IF lock & 1 = 0 THEN PERFORM pg_advisory_xact_lock(lock);
    ELSE PERFORM pg_advisory_xact_lock_shared(lock - 1);
    END IF;
  END LOOP;
  IF EXISTS (
    SELECT FROM unnest(check_keys, check_versions) AS wanted (key, version)
    WHERE version IS DISTINCT FROM coalesce(
      (SELECT e.version FROM ${schema}.entries e WHERE e.key = wanted.key),
      (SELECT ${TIMELINE} + sum(changes)::bigint FROM ${schema}.counters c
       WHERE c.key = wanted.key))
  ) THEN RETURN NULL;
  END IF;
  revision := ${TIMELINE} + nextval('${schema}.versions');
  IF cardinality(gone_keys) > 0 THEN
    DELETE FROM ${schema}.entries WHERE key = ANY (gone_keys);
    DELETE FROM ${schema}.counters WHERE key = ANY (gone_keys);
  END IF;
  IF cardinality(set_keys) > 0 THEN
    INSERT INTO ${schema}.entries (key, version, value, expires_at)
    SELECT k, revision, v, expiry FROM unnest(set_keys, set_values) AS s (k, v)
    ON CONFLICT (key) DO UPDATE SET
      version = excluded.version, value = excluded.value, expires_at = excluded.expires_at;
  END IF;
  IF cardinality(sum_keys) > 0 THEN
    INSERT INTO ${schema}.counters AS c (key, shard, changes, count)
    SELECT k, pg_backend_pid() % ${SHARDS}, 1, n FROM unnest(sum_keys, sum_counts) AS s (k, n)
    ON CONFLICT (key, shard) DO UPDATE SET
      changes = c.changes + 1, count = c.count + excluded.count;
  END IF;
  RETURN revision;
END $$;`;
}

/** A row of a read: key, version, value, and the count of a counter. All but the last two are set. */
export type Row = readonly [string, string, string | null, string | null];

/** The statements of the store, by operation. Those that read give {@link Row}s. */
export interface Statements {
  readonly read: string;
  readonly list: string;
  readonly commit: string;
  readonly expire: string;
}

/** The statements over one schema. */
export function statements(schema: string): Statements {
  const entries = `SELECT key, version, value, NULL AS count FROM ${schema}.entries`;
  const counters = `SELECT key, ${TIMELINE} + sum(changes)::bigint, NULL, sum(count)::bigint
      FROM ${schema}.counters`;
  const range = "WHERE key >= $1 AND key < $2";
  return {
    read: `${entries} WHERE key = ANY ($1)
      UNION ALL ${counters} WHERE key = ANY ($1) GROUP BY key`,
    list: `(${entries} ${range} ORDER BY key LIMIT $3)
      UNION ALL (${counters} ${range} GROUP BY key ORDER BY key LIMIT $3) ORDER BY 1 LIMIT $3`,
    commit: `SELECT ${schema}.commit_1($1, $2, $3, $4, $5,
      now() + $6::float8 * interval '1 ms', $7, $8, $9)`,
    expire: `DELETE FROM ${schema}.entries WHERE key IN (
      SELECT key FROM ${schema}.entries WHERE expires_at < now() LIMIT 500 FOR UPDATE SKIP LOCKED)`,
  };
}
