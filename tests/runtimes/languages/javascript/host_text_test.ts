import { assertEquals, assertGreater, assertLess } from "@std/assert";
import type { HostArguments } from "../../../../runtimes/languages/javascript/host/host_calls.ts";
import { TEXT_SERVICE } from "../../../../runtimes/languages/javascript/host/host_text.ts";
import { leastWorkMs } from "../../../support/figures.ts";

/** Fuel for a nanosecond of the host's time. */
const FUEL_PER_NS = 12;

function ask(request: string, data: Uint8Array<ArrayBuffer>, fuel = Infinity) {
  let paid = 0;
  const args: HostArguments = {
    count: 3,
    text: () => request,
    utf8: () => data,
    bytes: () => data,
    data: () => data,
  };
  const reply = TEXT_SERVICE.serve(args, (units) => {
    paid += units;
    return paid <= fuel;
  });
  return { paid, reply };
}

Deno.test("texts: bytes convert to Base64 and back, and broken UTF-8 is repaired", () => {
  const bytes = new Uint8Array(300).map((_, index) => index * 7);
  const { reply } = ask("to base64", bytes);
  assertEquals(reply, bytes.toBase64());
  assertEquals(ask("from base64", new TextEncoder().encode(String(reply))).reply, bytes);
  const broken = new Uint8Array([0xef, 0xbb, 0xbf, 0x61, 0, 0xe2, 0x82, 0xff]);
  const repaired = new TextEncoder().encode("\ufeffa\0\ufffd\ufffd");
  assertEquals(ask("repair", broken).reply, repaired);
});

Deno.test("texts: operations that are not listed, or not paid for, are not done", () => {
  const bytes = new Uint8Array(1 << 20);
  for (const request of ["", "to", "to hex", "__proto__", "constructor"]) {
    assertEquals(ask(request, bytes), { paid: 0, reply: undefined });
  }
  for (const request of ["to base64", "from base64", "repair"]) {
    assertEquals(ask(request, bytes, 1_000_000).reply, undefined);
  }
});

Deno.test("texts: the price covers the host's time", async () => {
  const bytes = new Uint8Array(4 << 20).map((_, index) => index);
  const base64 = new TextEncoder().encode(bytes.toBase64());
  for (
    const [request, data] of [
      ["to base64", bytes],
      ["from base64", base64],
      ["repair", bytes],
    ] as const
  ) {
    let paid = 0;
    const least = await leastWorkMs(() => ({ paid } = ask(request, data)));
    assertGreater(paid, data.length);
    // machines differ, and caches are shared
    assertLess(least * 1e6 * FUEL_PER_NS, 10 * paid, request);
  }
});
