/**
 * One tenant attacks, another makes trivial runs: what those take while nothing else goes on and
 * beside each attack. By itself: `deno run --allow-all bench/tenants.ts [seconds] [part of a name]`.
 *
 * @module
 */
import { treeMemory } from "../tests/support/process.ts";
import { KILLS_WITHOUT_END, SERVICE_LIMITS } from "../tests/support/run_limits.ts";
import { type Service, startService } from "../tests/support/service.ts";
import {
  BIG_BOX,
  FILL,
  LARGE_OUTPUT,
  LIST,
  post,
  sendUnread,
  TWO_TENANTS,
} from "../tests/support/two_tenants.ts";
import { pause } from "../tests/support/wait.ts";
import {
  BUNDLED_LANGUAGES as LANGUAGES,
  type BundledLanguage as Language,
} from "../shared/languages.ts";
import { ENDLESS_LOOPS } from "./endless_loops.ts";
import { ms, quantile, table } from "./stats.ts";

const SECONDS = 20;
/** Time for an attack to be under way. */
const LEAD_MS = 1_000;
const UNREAD = 14;
const CONNECTIONS = 8;
const LOOPS = 4;
const TRIVIAL = { code: "6 * 7" };
const CHANGE_ONE = {
  code: 'require("fs").writeFileSync("/workspace/one", String(Math.random()))',
};

/** Sends a request and reads nothing, until the attack is over. */
async function unread(
  service: Service,
  path: string,
  body: unknown,
  over: AbortSignal,
): Promise<void> {
  using _connection = await sendUnread(service, path, body);
  while (!over.aborted) await pause(50);
}

/** Sends requests one after the other, and reads the answers. */
async function again(
  service: Service,
  path: string,
  body: unknown,
  over: AbortSignal,
): Promise<void> {
  while (!over.aborted) {
    try {
      await (await post(service, "alpha", path, body, { signal: over })).body?.pipeTo(
        new WritableStream(),
      );
    } catch (thrown) {
      if (!over.aborted) throw thrown;
    }
  }
}

interface Attack {
  readonly name: string;
  /** In which the other tenant's trivial runs are. */
  readonly language: Language;
  readonly begin: (service: Service, over: AbortSignal) => readonly Promise<void>[];
}

function many(count: number, begin: () => Promise<void>): readonly Promise<void>[] {
  return Array.from({ length: count }, begin);
}

const ATTACKS: readonly Attack[] = [
  {
    name: `${UNREAD} large lists that are not read`,
    language: "javascript",
    begin: (service, over) => many(UNREAD, () => unread(service, `${BIG_BOX}/files`, LIST, over)),
  },
  {
    name: `${UNREAD} large answers of runs that are not read`,
    language: "javascript",
    begin: (service, over) => many(UNREAD, () => unread(service, "/execute", LARGE_OUTPUT, over)),
  },
  {
    name: `large lists without end, ${CONNECTIONS} connections`,
    language: "javascript",
    begin: (service, over) =>
      many(CONNECTIONS, () => again(service, `${BIG_BOX}/files`, LIST, over)),
  },
  {
    name: `runs that change one of 4,000 paths, ${CONNECTIONS} connections`,
    language: "javascript",
    begin: (service, over) =>
      many(CONNECTIONS, () => again(service, `${BIG_BOX}/execute`, CHANGE_ONE, over)),
  },
  ...LANGUAGES.map((language) => ({
    name: `${LOOPS} full-fuel loops in ${language}`,
    language,
    begin: (service: Service, over: AbortSignal) =>
      many(
        LOOPS,
        () => again(service, `/execute/${language}`, { code: ENDLESS_LOOPS[language] }, over),
      ),
  })),
];

interface Calm {
  readonly times: readonly number[];
  readonly refused: number;
  readonly mostMiB: number;
}

/** Trivial runs of the tenant that does no harm, one after the other. */
async function calm(service: Service, language: Language, milliseconds: number): Promise<Calm> {
  const times: number[] = [];
  let refused = 0;
  let mostMiB = 0;
  const end = performance.now() + milliseconds;
  const watching = (async () => {
    while (performance.now() < end) {
      mostMiB = Math.max(mostMiB, await treeMemory(service.pid));
      await pause(500);
    }
  })();
  while (performance.now() < end) {
    const began = performance.now();
    const answer = await post(service, "beta", `/execute/${language}`, TRIVIAL);
    await answer.body?.cancel();
    times.push(performance.now() - began);
    if (answer.status !== 200) refused++;
    await pause(5);
  }
  await watching;
  return { times, refused, mostMiB };
}

/** A service of its own in which both tenants were active before. */
async function rowsOf(attack: Attack, seconds: number): Promise<(string | number)[][]> {
  const { name, language } = attack;
  await using service = await startService({
    ...SERVICE_LIMITS,
    ...KILLS_WITHOUT_END,
    LANGUAGES: [...new Set<Language>(["javascript", language])].join(),
    ISOLATES: "2",
    ...TWO_TENANTS,
  });
  await (await post(service, "alpha", `${BIG_BOX}/execute`, { code: FILL })).body?.cancel();
  const warm = (["alpha", "beta", "alpha", "beta"] as const).map((token) =>
    post(service, token, `/execute/${language}`, TRIVIAL)
  );
  for (const answer of await Promise.all(warm)) await answer.body?.cancel();
  await pause(2 * LEAD_MS);
  const quiet = await calm(service, language, seconds * 1000 / 2);
  const over = new AbortController();
  const attacking = attack.begin(service, over.signal);
  await pause(LEAD_MS);
  const beside = await calm(service, language, seconds * 1000);
  over.abort();
  await Promise.all(attacking);
  const cells = ({ times, refused, mostMiB }: Calm) => [
    times.length,
    ms(quantile(times, 0.5)),
    ms(quantile(times, 0.99)),
    ms(Math.max(...times)),
    refused,
    Math.round(mostMiB),
  ];
  return [[`quiet (${language})`, ...cells(quiet)], [name, ...cells(beside)]];
}

/** A table of attacks whose names hold `part`. */
export async function tenantsTable(seconds = SECONDS, part = ""): Promise<string> {
  const rows: (string | number)[][] = [];
  for (const attack of ATTACKS.filter(({ name }) => name.includes(part))) {
    rows.push(...await rowsOf(attack, seconds));
  }
  return table([
    "the other tenant",
    "runs",
    "p50, ms",
    "p99, ms",
    "most, ms",
    "not 200",
    "most memory of the tree, MiB",
  ], rows);
}

if (import.meta.main) {
  const [seconds = SECONDS, part] = Deno.args;
  const text = await tenantsTable(Number(seconds), part);
  await Deno.stdout.write(new TextEncoder().encode(`${text}\n`));
}
