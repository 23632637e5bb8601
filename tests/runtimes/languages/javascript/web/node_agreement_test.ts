import { assert, assertEquals } from "@std/assert";
import { ENCODING_CASES } from "./encoding_cases.ts";
import { CLONE_CASES, EVENT_CASES, PLATFORM_CASES } from "./events_cases.ts";
import { nodeMajor, outcomesInGuest, outcomesInNode } from "./guest.ts";
import { INSPECT_CASES } from "./inspect_cases.ts";
import { DATE_CASES, NUMBER_CASES, SERVICE_CASES } from "./intl_cases.ts";
import { BUFFER_CASES, CRYPTO_CASES } from "./node_cases.ts";
import { URL_CASES } from "./url_cases.ts";

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "encoding, Base64 and blobs": ENCODING_CASES,
  "URLs and query strings": URL_CASES,
  "events and aborting": EVENT_CASES,
  "structured clones": CLONE_CASES,
  "clocks and web cryptography": PLATFORM_CASES,
  "buffers": BUFFER_CASES,
  "node's crypto": CRYPTO_CASES,
  "what a console shows": INSPECT_CASES,
  "numbers of Intl": NUMBER_CASES,
  "dates of Intl": DATE_CASES,
  "other services of Intl": SERVICE_CASES,
};

const ignore = nodeMajor() !== 20;

for (const [name, sources] of Object.entries(GROUPS)) {
  Deno.test({
    name: `guest web: ${name} end as in Node 20 (${sources.length} expressions)`,
    ignore,
    async fn() {
      const [expected, actual] = [await outcomesInNode(sources), await outcomesInGuest(sources)];
      assert(Array.isArray(expected) && Array.isArray(actual));
      assertEquals(actual.length, sources.length);
      for (const [index, source] of sources.entries()) {
        assertEquals([source, actual[index]], [source, expected[index]]);
      }
    },
  });
}
