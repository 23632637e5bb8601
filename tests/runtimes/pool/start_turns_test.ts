import { assertEquals, assertRejects } from "@std/assert";
import type { Isolate } from "../../../runtimes/pool/isolate.ts";
import { IsolatePool } from "../../../runtimes/pool/pool.ts";
import { StartTurns } from "../../../runtimes/pool/start_turns.ts";
import { ServiceError } from "../../../shared/errors.ts";
import { FakeIsolate, requestOf } from "./fake_isolate.ts";

const CALLER = { tenant: "a" };
const NAMES = ["first", "second", "third", "fourth"];

/** Pools that share their turns, with starts that end when the test says so. */
class Service implements AsyncDisposable {
  /** Names of the pools whose starts began, in order. */
  readonly began: string[] = [];
  readonly failures: string[] = [];
  readonly #starting: { readonly name: string; end(isolate: Isolate | undefined): void }[] = [];
  readonly #turns = new StartTurns();
  readonly #pools = new Map(NAMES.map((name) => [name, this.#pool(name)]));

  #pool(name: string): IsolatePool {
    return new IsolatePool({
      start: () => {
        this.began.push(name);
        const { promise, resolve, reject } = Promise.withResolvers<Isolate>();
        const end = (isolate: Isolate | undefined) =>
          isolate === undefined ? reject(new Error("no isolate")) : resolve(isolate);
        this.#starting.push({ name, end });
        return promise;
      },
      turns: this.#turns,
      maxIsolates: 1,
      idleMs: 60_000,
      cancelGraceMs: 5,
      isolatePerTenant: false,
      maxWaiting: 100,
      maxWaitMs: 10_000,
      monotonic: () => performance.now(),
      // calls back at once what is to be done ahead; nothing else of a pool matters here
      timers: {
        after: (ms, task) => {
          if (ms === 0) task();
          return () => undefined;
        },
      },
      onStartFailure: () => this.failures.push(name),
    });
  }

  pool(name: string): IsolatePool {
    const pool = this.#pools.get(name);
    if (pool === undefined) throw new Error(`no pool ${name}`);
    return pool;
  }

  startAhead(): void {
    for (const pool of this.#pools.values()) pool.startAhead(0);
  }

  /** Starts in progress. */
  get starting(): readonly string[] {
    return this.#starting.map(({ name }) => name);
  }

  /** Ends the start of a pool, by default the oldest one's. */
  async end(name = this.starting[0], works = true): Promise<void> {
    const index = this.#starting.findIndex((start) => start.name === name);
    const [start] = this.#starting.splice(index, 1);
    start?.end(works ? new FakeIsolate() : undefined);
    await settle();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = Promise.all([...this.#pools.values()].map((pool) => pool.close()));
    while (this.#starting.length > 0) await this.end();
    await closed;
  }
}

async function settle(): Promise<void> {
  for (let i = 0; i < 50; i++) await Promise.resolve();
}

Deno.test("starts: ahead of need they take turns, in the order of the languages", async () => {
  await using service = new Service();
  service.startAhead();
  for (const name of NAMES) {
    assertEquals(service.starting, [name]);
    await service.end();
  }
  assertEquals(service.began, NAMES);
});

Deno.test("starts: a start that a request waits for goes first", async () => {
  await using service = new Service();
  service.startAhead();
  const run = service.pool("third").run(requestOf("1"), CALLER);
  await settle();
  assertEquals(service.starting, ["first", "third"]);
  await service.end("first");
  assertEquals(service.starting, ["third"], "no other start while a request waits");
  await service.end("third");
  assertEquals((await run).end, "answered");
  await service.end("second");
  assertEquals(service.began, ["first", "third", "second", "fourth"]);
});

Deno.test("starts: requests for all languages at once start all, each one time", async () => {
  await using service = new Service();
  const bursts = NAMES.flatMap((name) =>
    Array.from({ length: 12 }, () => service.pool(name).run(requestOf("1"), CALLER))
  );
  service.startAhead();
  await settle();
  assertEquals(service.starting, NAMES);
  for (const name of NAMES.toReversed()) await service.end(name);
  assertEquals((await Promise.all(bursts)).map(({ end }) => end), Array(48).fill("answered"));
  assertEquals(service.began, NAMES);
});

Deno.test("starts: a failed start ahead of need is reported; other starts continue", async () => {
  await using service = new Service();
  service.startAhead();
  await service.end("first", false);
  assertEquals(service.failures, ["first"]);
  assertEquals(service.pool("first").health().state, "failing");
  assertEquals(service.starting, ["second"]);
  const run = service.pool("first").run(requestOf("1"), CALLER);
  await settle();
  await service.end("first");
  assertEquals((await run).end, "answered");
  assertEquals(service.pool("first").health().state, "ready");
});

Deno.test("starts: a caller that leaves does not take its language's start with it", async () => {
  await using service = new Service();
  service.startAhead();
  const leaving = new AbortController();
  const left = service.pool("fourth").run(requestOf("1"), { ...CALLER, signal: leaving.signal });
  await settle();
  leaving.abort(new Error("left"));
  await assertRejects(() => left, Error, "left");
  await service.end("fourth");
  assertEquals(service.pool("fourth").health(), { state: "ready", isolates: 1 });
});

Deno.test("starts: a service that closes begins none of those that wait", async () => {
  const service = new Service();
  service.startAhead();
  const run = service.pool("second").run(requestOf("1"), CALLER);
  await settle();
  const refused = assertRejects(() => run, ServiceError);
  await service[Symbol.asyncDispose]();
  await refused;
  assertEquals(service.began, ["first", "second"]);
  assertEquals(service.failures, []);
});
