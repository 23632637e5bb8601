/**
 * Random kills under load: two services over one file, of which one or both are killed, at any
 * moment, again and again, while clients go on. What was answered must be there all the same.
 *
 * @module
 */
import { assertEquals } from "@std/assert";
import { openStore } from "../../store/open.ts";
import { GUEST_LANGUAGES, type GuestLanguage } from "./kill_guests.ts";
import { sweep, wrongKeys } from "./kill_keys.ts";
import { Crowd, type LoadClient, type LoadCounts, loadOf, noCounts } from "./kill_load.ts";
import { KillableService, marksOfTree, type ProcessMark, survivors } from "./kill_service.ts";
import { seeded } from "./random.ts";
import { pause } from "./wait.ts";

/** The parts of a storm. */
export interface KillStorm {
  readonly kills: number;
  readonly seed: number;
  /** Kills between two looks at everything. */
  readonly between: number;
  readonly leaseMs: number;
  /** Told after each look. */
  readonly onLook?: (kills: number, counts: LoadCounts) => void;
}

const SERVICES = 2;
const LONGEST_PAUSE_MS = 900;
const LONGEST_WAIT_MS = 5_000;
const SURVIVOR_MS = 30_000;

/** The languages that are served in one part of a storm after the other. */
const PARTS: readonly (readonly GuestLanguage[])[] = [
  ["javascript"],
  ["python"],
  ["perl"],
  GUEST_LANGUAGES,
];

/** Makes a storm; fails at the first thing that is wrong. */
export async function killStorm(storm: KillStorm): Promise<LoadCounts> {
  const random = seeded(storm.seed);
  const counts = noCounts();
  const folder = await Deno.makeTempDir();
  const options = { kvPath: `${folder}/data.sqlite3`, leaseMs: storm.leaseMs, random };
  // how often clients choose depends on the machine: kills have a sequence of their own
  const choices = seeded(storm.seed + 1);
  const fleet = new Fleet(options);
  let ids = 0;
  const newId = () => (0x10000000 + ids++).toString(16);
  const world = { url: () => fleet.url(choices), random: choices, newId };
  const clients = new Map(
    GUEST_LANGUAGES.map((language) => [language, loadOf(language, world, counts)]),
  );
  try {
    for (let done = 0, part = 0; done < storm.kills; part++) {
      const languages = PARTS[part % PARTS.length] ?? GUEST_LANGUAGES;
      const present = languages.flatMap((language) => clients.get(language) ?? []);
      await fleet.start(languages);
      const kills = Math.min(storm.kills - done, storm.between);
      done += await blow(fleet, present, { kills, random, counts });
      for (const client of present) await client.verify(fleet.url(choices));
      for (const client of present) await client.finish(fleet.url(choices));
      assertEquals(await swept(options), []);
      storm.onLook?.(done, counts);
      await fleet.close();
    }
    assertEquals(await survivors(fleet.killed, SURVIVOR_MS), []);
  } finally {
    await fleet.close();
    await Deno.remove(folder, { recursive: true });
  }
  return counts;
}

/** Kills under load; gives how many times. */
async function blow(
  fleet: Fleet,
  clients: readonly LoadClient[],
  { kills, random, counts }: {
    readonly kills: number;
    readonly random: () => number;
    readonly counts: LoadCounts;
  },
): Promise<number> {
  const crowd = new Crowd(clients);
  crowd.start();
  let done = 0;
  while (done < kills && crowd.isWell) {
    if (random() < 0.5) await moreAnswered(counts, crowd);
    await pause(random() * LONGEST_PAUSE_MS);
    done += await fleet.killSome();
  }
  await crowd.stop();
  return done;
}

/** Waits a short time until a client has been answered again. */
async function moreAnswered(counts: LoadCounts, crowd: Crowd): Promise<void> {
  const before = counts.answered;
  const until = performance.now() + LONGEST_WAIT_MS;
  while (counts.answered === before && performance.now() < until && crowd.isWell) await pause(10);
}

async function swept({ kvPath, leaseMs }: FleetOptions): Promise<readonly string[]> {
  const kv = await openStore(kvPath);
  try {
    await sweep(kv, leaseMs);
    return await wrongKeys(kv);
  } finally {
    kv.close();
  }
}

interface FleetOptions {
  readonly kvPath: string;
  readonly leaseMs: number;
  readonly random: () => number;
}

/** Services over one file. */
class Fleet {
  /** All processes that were to end. */
  readonly killed: ProcessMark[] = [];
  readonly #options: FleetOptions;
  #services: KillableService[] = [];
  #languages: readonly GuestLanguage[] = [];

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  async start(languages: readonly GuestLanguage[]): Promise<void> {
    this.#languages = languages;
    for (let index = 0; index < SERVICES; index++) this.#services.push(await this.#startOne());
  }

  /** Where one of them listens, chosen by a number from 0 up to 1. */
  url(random: () => number): string {
    return this.#services[Math.floor(random() * SERVICES)]?.url ?? "";
  }

  /** Kills one or both, and starts them again. Gives how many. */
  async killSome(): Promise<number> {
    const { random } = this.#options;
    const both = random() < 0.3;
    const first = Math.floor(random() * SERVICES);
    const tree = random() < 0.5;
    const victims = both ? [...this.#services.keys()] : [first];
    await Promise.all(victims.map((index) => this.#replace(index, tree)));
    return victims.length;
  }

  async close(): Promise<void> {
    const services = this.#services;
    this.#services = [];
    for (const service of services) await service[Symbol.asyncDispose]();
  }

  async #replace(index: number, tree: boolean): Promise<void> {
    const service = this.#services[index];
    if (service === undefined) return;
    this.killed.push(...await marksOfTree(service.pid));
    await service.kill(tree);
    this.#services[index] = await this.#startOne();
  }

  async #startOne(): Promise<KillableService> {
    const { kvPath, leaseMs } = this.#options;
    const env = { LANGUAGES: this.#languages.join() };
    return await KillableService.start({ kvPath, leaseMs, env });
  }
}
