/**
 * The listing of sandboxes, seen through `fetch`. The tenant may have sandboxes of other tests.
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { printedSeed, seededBelow } from "../support/random.ts";
import { assertError, assertJsonHeaders } from "./assertions.ts";
import { type Body, type SandboxTarget, sandboxTarget, shareService } from "./sandbox_target.ts";

shareService();

interface ListedPage {
  readonly sandboxes: readonly Body[];
  readonly cursor?: string;
  readonly usage: Body;
}

async function pageOf(target: SandboxTarget, query: string): Promise<ListedPage> {
  const answer = await target.call(`/sandboxes${query}`);
  assertJsonHeaders(answer);
  const text = await answer.text();
  assertEquals(answer.status, 200, text);
  return JSON.parse(text);
}

/** Reads all pages; `between` is called before each of them but the first. */
async function pagesOf(
  target: SandboxTarget,
  limit: number,
  between: () => Promise<void> = () => Promise.resolve(),
): Promise<readonly ListedPage[]> {
  const pages = [await pageOf(target, `?limit=${limit}`)];
  for (;;) {
    const cursor = pages.at(-1)?.cursor;
    if (cursor === undefined) return pages;
    await between();
    pages.push(await pageOf(target, `?limit=${limit}&cursor=${encodeURIComponent(cursor)}`));
  }
}

function idsOf(pages: readonly ListedPage[]): string[] {
  return pages.flatMap(({ sandboxes }) => sandboxes.map(({ id }) => String(id)));
}

Deno.test("contract of the listing of sandboxes", async (t) => {
  await using target = sandboxTarget();
  const mark = crypto.randomUUID().slice(0, 8);
  let made = 0;
  const box = (name = `l${made++}`) => target.sandbox(`${mark}-${name}`);
  const create = async (name?: string) => {
    const sandbox = box(name);
    await sandbox.file("mkdir", "d");
    return sandbox;
  };

  await t.step("an entry agrees with the sandbox's own route", async () => {
    const sandbox = box("entry");
    await sandbox.file("write", "a", { content: "12345" });
    await sandbox.file("write", "d/b", { content: "é", recursive: true });
    await sandbox.context("python");
    const info = await sandbox.ok("GET", "");
    const pages = await pagesOf(target, 100);
    const entry = pages.flatMap(({ sandboxes }) => sandboxes).find(({ id }) => id === sandbox.id);
    assertEquals(entry, {
      id: sandbox.id,
      createdAt: info["createdAt"],
      lastUsed: info["lastUsed"],
      expiresAt: info["expiresAt"],
      contexts: 1,
      files: 2,
      bytes: 7,
    });
    await target.sandbox(`${mark}-never-used`).ok("GET", "");
    assert(!idsOf(await pagesOf(target, 100)).includes(`${mark}-never-used`));
    await sandbox.delete();
    assert(!idsOf(await pagesOf(target, 100)).includes(sandbox.id));
  });

  await t.step("usage counts sandboxes and bytes beside the quotas", async () => {
    const before = (await pageOf(target, "?limit=1")).usage;
    assertEquals(Object.keys(before), ["sandboxes", "maxSandboxes", "bytes", "maxBytes"]);
    assert(Object.values(before).every((value) => Number.isSafeInteger(value)));
    if (Deno.env.get("CONTRACT_URL") !== undefined) return; // others use the tenant meanwhile
    const sandbox = box("usage");
    await sandbox.file("write", "f", { content: "x".repeat(1_000) });
    const { usage } = await pageOf(target, "?limit=1");
    assertEquals(usage, {
      ...before,
      sandboxes: Number(before["sandboxes"]) + 1,
      bytes: Number(before["bytes"]) + 1_000,
    });
    await sandbox.delete();
    assertEquals((await pageOf(target, "?limit=1")).usage, before);
  });

  await t.step("pages are sorted by id and have the requested length", async () => {
    for (const name of ["a", "A", "a.", "a_", "a0", "aa", "Z", "_", "a-b", "a.b"]) {
      await create(name);
    }
    const own = (ids: readonly string[]) => ids.filter((id) => id.startsWith(mark));
    const whole = idsOf(await pagesOf(target, 100));
    assertEquals(whole, [...whole].sort());
    for (const limit of [1, 2, 3, 7, 10, 11]) {
      const pages = await pagesOf(target, limit);
      assertEquals(own(idsOf(pages)), own(whole));
      assert(pages.slice(0, -1).every(({ sandboxes }) => sandboxes.length === limit));
    }
    assertEquals(idsOf([await pageOf(target, "")]), whole.slice(0, 50));
    assertEquals(idsOf([await pageOf(target, "?other=1&limit=2")]), whole.slice(0, 2));
    const head = await target.call("/sandboxes?limit=1", { method: "HEAD" });
    assertEquals([head.status, await head.text()], [200, ""]);
  });

  await t.step("a bad parameter is refused by name", async () => {
    const { cursor } = await pageOf(target, "?limit=1");
    assert(cursor !== undefined);
    const other = cursor.at(-1) === "A" ? "B" : "A";
    const limits = ["0", "101", "-1", "1.5", "1e1", "01", "x", "", "+5", "5&limit=5", "%31%00"];
    const cursors = [
      "",
      "x",
      "a".repeat(10_000),
      `${cursor}=`,
      `${cursor}A`,
      cursor.slice(1),
      `${cursor.slice(0, -1)}${other}`,
      btoa(`${mark}-a`),
      `${cursor}&cursor=${cursor}`,
      "%FF",
    ];
    const bad = [
      ...limits.map((value) => ["limit", value]),
      ...cursors.map((value) => ["cursor", value]),
    ];
    for (const [name, value] of bad) {
      const answer = await target.call(`/sandboxes?${name}=${value}`);
      const { message } = await assertError(answer, 400, "VALIDATION_FAILED");
      assertMatch(message, new RegExp(`^${name} `), `${name}=${value}`);
    }
    const posted = await target.call("/sandboxes", { method: "POST" });
    assertEquals(posted.headers.get("allow"), "GET, HEAD, OPTIONS");
    await assertError(posted, 405, "VALIDATION_FAILED");
  });

  await t.step("a sandbox is listed once while others are created and deleted", async () => {
    const seed = printedSeed("listing");
    const below = seededBelow(seed);
    const stay = await Promise.all(Array.from({ length: 12 }, (_, n) => create(`s${n * 7 % 12}`)));
    const wanted = stay.map(({ id }) => id).sort();
    for (let round = 0; round < 4; round++) {
      const passing = await Promise.all([create(), create(), create()]);
      const pages = await pagesOf(target, 1 + below(5), async () => {
        const next = passing[below(passing.length)];
        if (below(2) === 0 && next !== undefined) await next.delete();
        else passing.push(await create(`p${below(1_000)}-${made++}`));
      });
      const listed = idsOf(pages);
      assertEquals(new Set(listed).size, listed.length, `SEED=${seed}`);
      assertEquals(listed.filter((id) => wanted.includes(id)), wanted, `SEED=${seed}`);
    }
  });
});
