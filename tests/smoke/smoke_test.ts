/**
 * The service as users start it, on whichever Deno runs this file: it builds, listens, and
 * answers a run in each of its languages.
 */
import { assertEquals } from "@std/assert";
import { execute, startService } from "../support/service.ts";

const PROGRAMS: Readonly<Record<string, { readonly code: string; readonly value: unknown }>> = {
  javascript: {
    code: "console.log('hello'); ({ sum: [1, 2, 3].reduce((a, b) => a + b) })",
    value: { json: { sum: 6 } },
  },
  python: { code: "print('hello')\n{'sum': sum([1, 2, 3])}", value: { json: { sum: 6 } } },
  perl: {
    code: 'print "hello\\n"; my $s = 0; $s += $_ for 1 .. 3; { sum => $s }',
    value: { json: { sum: 6 } },
  },
  ruby: { code: "puts 'hello'\n{ sum: [1, 2, 3].sum }", value: { json: { sum: 6 } } },
};

interface Listing {
  readonly languages: readonly { readonly id: string; readonly enabled: boolean }[];
}

Deno.test("service: it starts, and answers a run in each enabled language", async () => {
  await using service = await startService();
  const response = await fetch(`${service.url}/languages`);
  const { languages }: Listing = await response.json();
  const enabled = languages.filter((language) => language.enabled);
  assertEquals(enabled.length > 0, true);
  for (const { id } of enabled) {
    const program = PROGRAMS[id];
    const { result } = await execute(service.url, id, program?.code ?? "");
    assertEquals([id, result.logs.stdout, result.results], [id, ["hello"], [program?.value]]);
  }
});
