// test: long
/**
 * Tenants and contexts take turns on one isolate of each language. What waits for a run in
 * progress.
 */
import { assert, assertEquals, assertLess } from "@std/assert";
import { ContextCaller, withServices } from "../support/context_caller.ts";
import { median } from "../support/figures.ts";
import { GUEST_LANGUAGES, type GuestLanguage } from "../support/kill_guests.ts";

const TURNS = 14;

interface Spy {
  /** Keeps a secret in every possible way. */
  readonly keep: (secret: string) => string;
  /**
   * Searches for another's secret in every possible way; its value is what it found, and its own
   * secret.
   */
  readonly look: (other: string) => string;
}

const SPIES: Readonly<Record<GuestLanguage, Spy>> = {
  javascript: {
    keep: (secret) =>
      `globalThis.secret = "${secret}"; globalThis.${secret} = 1; process.env.S = secret;
      Array.prototype.${secret} = 1; require("fs").${secret} = 1;
      require("fs").writeFileSync("${secret}", secret);
      globalThis.block = new Uint8Array(4_000_000).fill(85); 0`,
    look: (other) =>
      `[[...Object.getOwnPropertyNames(globalThis), ...Object.keys(Array.prototype),
      ...Object.keys(require("fs")), ...Object.values(process.env),
      ...require("fs").readdirSync(".")].filter((text) => String(text).includes("${other}")).length,
      new Uint8Array(300_000).some((byte) => byte !== 0), globalThis.secret ?? null]`,
  },
  python: {
    keep: (secret) =>
      `import os, sys, builtins, gc
secret = "${secret}"; ${secret} = [secret] * 10; os.environ["S"] = secret
builtins.${secret} = secret; sys.${secret} = secret
with open(secret, "w") as out: _ = out.write(secret)
block = b"U" * 4_000_000`,
    look: (other) =>
      `import os, sys, builtins, gc
_other = "".join(["${other.slice(0, 4)}", "${other.slice(4)}"])
_texts = [*globals(), *dir(builtins), *dir(sys), *os.listdir("."), *os.environ.values()]
_held = [o for o in gc.get_objects() if type(o) in (dict, list, tuple, set)]
_deep = [x for o in _held for x in (list(o.keys()) + list(o.values()) if type(o) is dict else o) if type(x) is str]
[sum(t == _other for t in _texts + _deep), any(bytearray(4_000_000)), globals().get("secret")]`,
  },
  perl: {
    keep: (secret) =>
      `our $secret = '${secret}'; our $${secret} = 1; $ENV{S} = $secret; $INC{$secret} = 1;
      push @INC, $secret; open(my $o, '>', $secret); print $o $secret; close $o;
      our $block = 'U' x 4_000_000; 0;`,
    look: (other) =>
      `opendir(my $d, '.'); my @n = readdir $d; closedir $d;
      [scalar(grep { index($_, '${other}') >= 0 } keys %main::, @n, @INC, keys %INC, values %ENV),
        0, $main::secret]`,
  },
  ruby: {
    keep: (secret) =>
      `$secret = "${secret}"; ${secret} = [$secret] * 10; ENV["S"] = $secret
      String.class_eval { def ${secret} = 1 }; $LOAD_PATH << $secret; @kept = $secret.to_sym
      File.write($secret, $secret); $block = "U" * 4_000_000; 0`,
    look: (other) =>
      `found = -> {
        other = "${other.slice(0, 4)}" + "${other.slice(4)}"
        texts = [*binding.local_variables, *String.instance_methods, *Dir.children("."), *ENV.values, *$LOAD_PATH]
        texts += ObjectSpace.each_object(String).reject { |text| text.equal?(other) }
        texts.count { |text| text.to_s == other }
      }
      GC.start
      [found.(), 0, $secret]`,
  },
};

for (const language of GUEST_LANGUAGES) {
  Deno.test(`context isolation: two tenants, one name, one isolate of ${language}`, () =>
    withServices(1, {
      LANGUAGES: language,
      ISOLATES: "1",
      TOKENS: "a:alpha,b:beta",
    }, async ({ urls: [url = ""] }) => {
      const { keep, look } = SPIES[language];
      const [a, b] = ["alpha", "beta"].map((token) => ({
        secret: `s3cr3t${token}`,
        caller: new ContextCaller(url, language, "box", token),
      }));
      assert(a !== undefined && b !== undefined);
      assertEquals((await a.caller.result(keep(a.secret))).error, undefined);
      const before = await b.caller.info();
      assertEquals([before.createdAt, before.contexts, before.workspace.files], [null, [], 0]);
      const first = await b.caller.value(look(a.secret));
      assertEquals(JSON.stringify(first).replace("false", "0"), "[0,0,null]");
      assertEquals((await b.caller.result(keep(b.secret))).error, undefined);
      for (let turn = 0; turn < TURNS; turn++) {
        const [me, other] = turn % 2 === 0 ? [a, b] : [b, a];
        const seen = await me.caller.value(look(other.secret));
        assertEquals(
          JSON.stringify(seen).replace("false", "0"),
          `[0,0,"${me.secret}"]`,
          `turn ${turn}`,
        );
        assertEquals(await me.caller.text(other.secret), undefined);
      }
      const { contexts: [theirs] } = await b.caller.info();
      const foreign = await a.caller.run("1", { contextId: theirs?.id ?? "" });
      assertEquals(foreign.status, 404);
      assertEquals(await a.caller.remove(), 200);
      assertEquals(await b.caller.text(b.secret), b.secret);
    }));
}

/** Keeps an isolate busy for the given number of milliseconds. */
const busy = (ms: number) => `{ const end = Date.now() + ${ms}; while (Date.now() < end); } 1`;

/** Far longer than all other calls take together. */
const LONG_MS = 60_000;
const ROUNDS = 12;
/**
 * The promise is a median of 50 ms. A test machine may hardly have a core to spare, so the shortest
 * call of each kind counts.
 */
const BOUND_MS = 250;

Deno.test("context isolation: only calls of the same context wait for a run in progress", () =>
  withServices(1, {
    LANGUAGES: "javascript",
    ISOLATES: "2",
    FUEL_JAVASCRIPT: String(2 ** 50),
    WALL_MS: String(2 * LONG_MS),
  }, async ({ urls: [url = ""] }) => {
    const caller = new ContextCaller(url, "javascript");
    const spare = new ContextCaller(url, "javascript", "spare");
    await caller.result("globalThis.n = 0");
    const answer = await caller.send("/contexts", { body: { binding: "JAVASCRIPT" } });
    const { id }: { id: string } = await answer.json();
    const files = (body: unknown) => caller.send("/files", { body });
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      info: () => caller.info(),
      contexts: async () => await (await caller.send("/contexts", { method: "GET" })).json(),
      write: async () => await (await files({ op: "write", path: "f", content: "x" })).json(),
      read: () => caller.text("f"),
      list: async () => await (await files({ op: "list", path: "." })).json(),
      "another context": () => caller.result("1", id),
      "another sandbox": () => spare.result("1"),
      "deletion of another sandbox": () => spare.remove(),
    };
    const idle = await timesOf(calls);
    let isGoing = true;
    const going = caller.result(busy(LONG_MS)).finally(() => isGoing = false);
    const meanwhile = await timesOf(calls, () => assert(isGoing, "a call waited for the run"));
    const lines = Object.keys(calls).map((name) => {
      const [before = [], after = []] = [idle.get(name), meanwhile.get(name)];
      assertLess(Math.min(...after) - Math.min(...before), BOUND_MS, name);
      return `${name} ${median(before).toFixed(1)} → ${median(after).toFixed(1)} ms`;
    });
    if (Deno.env.has("FIGURES")) {
      Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
    }
    assertEquals(await caller.remove(), 200);
    assert(isGoing, "deleting waited for the run");
    assertEquals(
      await going.then(() => 200, (thrown) => JSON.parse(thrown.message).httpStatus),
      409,
    );
  }));

/** Times in milliseconds; `each` is called after each call. */
async function timesOf(
  calls: Readonly<Record<string, () => Promise<unknown>>>,
  each: () => void = () => undefined,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const times = new Map<string, number[]>(Object.keys(calls).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [name, call] of Object.entries(calls)) {
      const began = performance.now();
      await call();
      times.get(name)?.push(performance.now() - began);
      each();
    }
  }
  return times;
}
