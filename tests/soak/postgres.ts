/**
 * A soak on PostgreSQL: `deno task soak:postgres [minutes] [seed]`. Two services on one server run
 * steps whose outcome is checked, while connections, processes of the server, the server and the
 * services are killed. Ends with 1 when a run was lost, or done twice.
 *
 * @module
 */
import { PostgresServer } from "../support/postgres.ts";
import { failuresOf } from "../support/postgres_events.ts";
import { postgresStorm, type StormServices } from "../support/postgres_storm.ts";
import { seededBelow } from "../support/random.ts";

const MINUTE_MS = 60_000;
/** Failures of a round; each round begins with new services. */
const FAILURES = 12;

/** The figures of all rounds so far. */
export interface SoakReport {
  rounds: number;
  answered: number;
  failures: number;
  slowestMs: number;
  readonly wrong: string[];
}

/** Runs rounds until the time is over. At least one. */
export async function soakPostgres(
  ms: number,
  seed: number,
  failures: number = FAILURES,
  onRound: (report: SoakReport) => void = () => undefined,
): Promise<SoakReport> {
  const below = seededBelow(seed);
  const report: SoakReport = { rounds: 0, answered: 0, failures: 0, slowestMs: 0, wrong: [] };
  const end = performance.now() + ms;
  await using server = await PostgresServer.start();
  const { terminate, kill, restart } = failuresOf(server);
  const killService = async (services: StormServices) => {
    const at = below(services.count);
    await services.kill(at);
    await services.replace(at);
  };
  const kinds = [terminate, kill, restart, killService];
  do {
    // each kind in turn, from a random one on
    const first = below(kinds.length);
    const events = Array.from({ length: failures }, (_, n) => {
      return kinds[(first + n) % kinds.length] ?? terminate;
    });
    const storm = { url: server.url(), below, events, repeats: true };
    const { answered, slowestMs, wrong } = await postgresStorm(storm);
    report.rounds++;
    report.answered += answered;
    report.failures += events.length;
    report.slowestMs = Math.max(report.slowestMs, slowestMs);
    report.wrong.push(...wrong);
    onRound(report);
  } while (performance.now() < end && report.wrong.length === 0);
  return report;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}

if (import.meta.main) {
  const minutes = Number(Deno.args[0] ?? 5);
  const seed = Number(Deno.args[1] ?? Date.now() % 2 ** 32);
  print(`Soak on PostgreSQL for ${minutes} minutes, seed ${seed}`);
  const show = (report: SoakReport) => print(JSON.stringify(report));
  const { wrong } = await soakPostgres(minutes * MINUTE_MS, seed, FAILURES, show);
  print(wrong.length === 0 ? "Clean" : "NOT CLEAN");
  Deno.exit(wrong.length === 0 ? 0 : 1);
}
