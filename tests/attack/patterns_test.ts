// test: long
/** No regular expression of the host takes more than linear time, whatever text it is given. */
import { assertEquals } from "@std/assert";
import { repeats, slowText } from "./pattern_work.ts";
import { patternsIn } from "./source_patterns.ts";

/** All of the product but the page and the client, which run on the caller's machine. */
const FOLDERS = [
  "client/protocol/",
  "adapters/e2b/",
  "gateway/",
  "adapters/mcp/",
  "runtimes/",
  "sandbox/",
  "service/",
  "store/",
  "telemetry/",
  "shared/",
];
/** Programs that run inside of a guest, which pays for them. */
const GUESTS = ["runtimes/languages/javascript/guest/"];

/** Patterns that never see text on which they are slow, with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "runtimes/languages/perl/host/source/scan.ts: /^\\s*[\\w:]*\\s*=[ \\t]*\\r?\\n/":
    "at most 300 characters",
  "runtimes/languages/perl/host/source/scan.ts: /^\\s+([\\w:']+)[^;{]*;/": "at most 300 characters",
  "gateway/disconnects.ts: /^(.*:)([^:]*\\..*)$/": "an address as Deno writes it",
};

Deno.test("patterns: the test finds the slow ones", () => {
  const slow = [
    /[ \t]*(?:(W\/)?("[^"]*"))?[ \t]*(?:,|$)/y,
    /(a+)+$/,
    /\s+$/,
    /<[^>]*.*\/[^>]*>/,
    /\bopen\b[\s\S]*\$0/,
    /"(?:\\.|[^"])*"!/,
  ];
  const linear = [/^[a-z]+$/, /a{1,9}b/, /[^\x20-\x7e]/g, /^(?:a|b)*c/, /^"(?:\\.|[^"\\])*"!/];
  assertEquals(slow.filter((pattern) => slowText(pattern) === undefined), []);
  assertEquals(linear.filter((pattern) => slowText(pattern) !== undefined), []);
});

Deno.test("patterns: each one in the sources takes linear time", () => {
  const { literals } = patternsIn(FOLDERS, GUESTS);
  const seen = new Set<string>();
  const slow: string[] = [];
  for (const { path, pattern } of literals) {
    const name = `${path}: ${pattern}`;
    if (seen.has(name) || !repeats(pattern)) continue;
    seen.add(name);
    const text = slowText(pattern);
    if (text !== undefined && !(name in EXCEPTIONS)) slow.push(`${name} on ${text}`);
  }
  assertEquals(slow, []);
  assertEquals(Object.keys(EXCEPTIONS).filter((name) => !seen.has(name)), []);
});
