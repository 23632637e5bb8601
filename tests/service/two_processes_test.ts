// test: long
/** Two processes over one data file. */
import { assert, assertEquals } from "@std/assert";
import { ContextCaller, withServices } from "../support/context_caller.ts";
import { count } from "../support/counts.ts";
import { GUEST_LANGUAGES, type GuestLanguage } from "../support/kill_guests.ts";
import { sweep, wrongKeys } from "../support/kill_keys.ts";

/** Long enough for a process that gets no processor for a while. */
const LEASE_MS = 10_000;
const CLIENTS = count(24, 50);

/** Adds one to a variable and a line to a file; its value is the variable. */
const ADD: Readonly<Record<GuestLanguage, string>> = {
  javascript: `globalThis.n = (globalThis.n ?? 0) + 1;
    require("fs").appendFileSync("lines", n + "\\n"); [n]`,
  python: `n = globals().get("n", 0) + 1
with open("lines", "a") as out: _ = out.write(f"{n}\\n")
[n]`,
  perl: `our $n; $n++; open(my $out, '>>', 'lines') or die; print $out "$n\\n"; close $out; [$n]`,
  ruby: "n = (n || 0) + 1; File.write('lines', \"#{n}\\n\", mode: 'a'); [n]",
};

const ONE_TO_ALL = Array.from({ length: CLIENTS }, (_, index) => index + 1);

Deno.test("two processes: dozens of clients on one new context, each counted once", () =>
  withServices(2, { LANGUAGES: GUEST_LANGUAGES.join() }, async ({ urls, kv }) => {
    for (const language of GUEST_LANGUAGES) {
      const callers = urls.map((url) => new ContextCaller(url, language, language));
      const results = await Promise.all(ONE_TO_ALL.map(async (_, index) => {
        const caller = callers[index % callers.length];
        assert(caller !== undefined);
        return await caller.result(ADD[language]);
      }));
      const numbers = (of: (index: number) => unknown) =>
        results.map((_, index) => Number(of(index))).sort((a, b) => a - b);
      assertEquals(numbers((index) => results[index]?.executionCount), ONE_TO_ALL);
      const values = results.map(({ results: [value] }) => value?.json);
      assertEquals(numbers((index) => values[index]), ONE_TO_ALL);
      for (const caller of callers) {
        assertEquals(await caller.text("lines"), ONE_TO_ALL.map((n) => `${n}\n`).join(""));
        assertEquals(await caller.executions(), CLIENTS);
      }
    }
    await sweep(kv, 1_000);
    assertEquals(await wrongKeys(kv), []);
  }, LEASE_MS));

Deno.test("two processes: files written through both all exist", () =>
  withServices(2, { LANGUAGES: "javascript" }, async ({ urls }) => {
    const callers = urls.map((url) => new ContextCaller(url, "javascript"));
    await Promise.all(ONE_TO_ALL.map(async (n) => {
      const body = { op: "write", path: `d/f${n}`, content: String(n), recursive: true };
      const answer = await callers[n % callers.length]?.send("/files", { body });
      assertEquals(answer?.status, 200, await answer?.text());
    }));
    const names = await Promise.all(
      callers.map((caller) =>
        caller.value(`require("fs").readdirSync("d").sort((a, b) => a.slice(1) - b.slice(1))`)
      ),
    );
    for (const list of names) assertEquals(list, ONE_TO_ALL.map((n) => `f${n}`));
  }));
