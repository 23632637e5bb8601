/**
 * Load on services that are killed: clients that run programs in contexts, write files through
 * the API, and make sandboxes and delete them again, each keeping count of what it was answered.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { KillBox } from "./kill_box.ts";
import type { GuestLanguage } from "./kill_guests.ts";
import { pause } from "./wait.ts";

/** The dependencies of a client. */
export interface LoadWorld {
  /** Where a service listens, or did a moment ago. */
  readonly url: () => string;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** 8 hex digits, never given again. */
  readonly newId: () => string;
}

/** How often what happened. */
export interface LoadCounts {
  answered: number;
  unknown: number;
  refused: number;
  fileCalls: number;
  deleted: number;
  /** The longest that an answered run took, in milliseconds. */
  longestMs: number;
  /** Statuses of refusals. */
  readonly statuses: Map<number, number>;
}

/** One client. */
export interface LoadClient {
  /** One thing to do. Fails when an answer cannot be right. */
  act(): Promise<void>;
  /** Looks at what is there, when nothing is going on and nothing is killed. */
  verify(url: string): Promise<void>;
  /** Removes what may be left, at the very end. */
  finish(url: string): Promise<void>;
}

/** Counts of nothing. */
export function noCounts(): LoadCounts {
  return {
    answered: 0,
    unknown: 0,
    refused: 0,
    fileCalls: 0,
    deleted: 0,
    longestMs: 0,
    statuses: new Map(),
  };
}

/** Every so many runs is a large one. */
const LARGE_EVERY = 8;
const PAUSE_MS = 100;

async function countedRun(
  box: KillBox,
  { url, random }: LoadWorld,
  counts: LoadCounts,
): Promise<void> {
  const began = performance.now();
  const outcome = await box.run(url(), random() < 1 / LARGE_EVERY);
  if (outcome === "answered") {
    counts.answered++;
    counts.longestMs = Math.max(counts.longestMs, performance.now() - began);
  } else if (outcome === "unknown") {
    counts.unknown++;
    await pause(PAUSE_MS);
  } else {
    counts.refused++;
    counts.statuses.set(outcome.refused, (counts.statuses.get(outcome.refused) ?? 0) + 1);
    await pause(PAUSE_MS);
  }
}

/** Runs in one context; several of them may share it. */
export function runner(box: KillBox, world: LoadWorld, counts: LoadCounts): LoadClient {
  return {
    act: () => countedRun(box, world, counts),
    verify: async (url) => void await box.verify(url),
    finish: () => Promise.resolve(),
  };
}

/** Writes one file of a sandbox again and again, small and large, in JSON and as bytes. */
export function fileWriter(
  box: KillBox,
  path: string,
  world: LoadWorld,
  counts: LoadCounts,
): LoadClient {
  /** The possible contents: the last answered write, and those after it whose answer was lost. */
  let possible: string[] = [""];
  const contentOf = (id: string) => id.repeat(id.endsWith("7") ? 150_000 : 10);
  return {
    act: async () => {
      const id = world.newId();
      possible.push(id);
      const body = { op: "write", path, content: contentOf(id) };
      const answer = await quietly(
        world.random() < 0.5
          ? box.send(world.url(), "/files", { body })
          : box.send(world.url(), `/files/${path}`, { method: "PUT", bytes: contentOf(id) }),
      );
      if (answer === undefined) return await pause(PAUSE_MS);
      if (answer.status < 300) possible = [id];
      else assert(answer.status >= 429, `${answer.status} ${answer.text}`);
      counts.fileCalls++;
    },
    verify: async (url) => {
      const body = { op: "read", path };
      const answer = await quietly(box.send(url, "/files", { body }));
      const content = answer?.status === 404 ? "" : JSON.parse(answer?.text ?? "{}").content;
      const found = possible.find((id) => (id === "" ? "" : contentOf(id)) === content);
      assert(found !== undefined, `${path}: neither the last write nor one whose answer was lost`);
      possible = [found];
    },
    finish: () => Promise.resolve(),
  };
}

/** Makes sandboxes, runs in them, and deletes them, or a second context. */
export function comer(
  language: GuestLanguage,
  world: LoadWorld,
  counts: LoadCounts,
): LoadClient {
  const { random, newId } = world;
  let left: KillBox[] = [];
  const remove = async (box: KillBox, url: string) => {
    const answer = await quietly(box.send(url, "/", { method: "DELETE" }));
    if (answer?.status !== 200) return false;
    left = left.filter((other) => other !== box);
    counts.deleted++;
    return true;
  };
  return {
    act: async () => {
      const box = new KillBox({ name: `comer-${newId()}`, language, newId });
      left.push(box);
      const body = { binding: language.toUpperCase(), envVars: { A: "1" } };
      const made = await quietly(box.send(world.url(), "/contexts", { body }));
      const runs = [countedRun(box, world, counts)];
      if (made?.status === 201 && random() < 0.5) {
        const { id } = JSON.parse(made.text);
        await quietly(box.send(world.url(), `/contexts/${id}`, { method: "DELETE" }));
      }
      if (random() < 0.5) await Promise.all(runs);
      for (const old of [...left]) await remove(old, world.url());
      await Promise.all(runs);
    },
    verify: () => Promise.resolve(),
    finish: async (url) => {
      for (const box of [...left]) assert(await remove(box, url), "a sandbox was not deleted");
    },
  };
}

/** Clients of one language in sandboxes that all languages share. */
export function loadOf(
  language: GuestLanguage,
  world: LoadWorld,
  counts: LoadCounts,
): readonly LoadClient[] {
  const clients: LoadClient[] = [];
  for (const name of ["ada", "grace"]) {
    const box = new KillBox({ name, language, newId: world.newId });
    // two in one context
    clients.push(runner(box, world, counts), runner(box, world, counts));
    clients.push(fileWriter(box, `${name}-${language}.bin`, world, counts));
  }
  clients.push(comer(language, world, counts));
  return clients;
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Undefined when the connection broke. */
async function quietly(request: Promise<Response>): Promise<Answer | undefined> {
  try {
    const answer = await request;
    return { status: answer.status, text: await answer.text() };
  } catch (thrown) {
    if (thrown instanceof TypeError || thrown instanceof Deno.errors.Http) return undefined;
    throw thrown;
  }
}

/** All clients act until they are stopped; calls under way end. Rejects with the first failure. */
export class Crowd {
  readonly #clients: readonly LoadClient[];
  #going = false;
  #loops: Promise<void>[] = [];

  constructor(clients: readonly LoadClient[]) {
    this.#clients = clients;
  }

  start(): void {
    this.#going = true;
    this.#loops = this.#clients.map(async (client) => {
      while (this.#going) await client.act();
    });
    for (const loop of this.#loops) loop.catch(() => this.#going = false);
  }

  /** Whether nothing has failed. */
  get isWell(): boolean {
    return this.#going;
  }

  async stop(): Promise<void> {
    this.#going = false;
    const ends = await Promise.allSettled(this.#loops);
    const failed = ends.find((end) => end.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    assertEquals(ends.length, this.#clients.length);
  }
}
