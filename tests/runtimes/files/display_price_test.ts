/** The price of a display, wherever a program cuts it into writes. */
import { assertEquals, assertGreater } from "@std/assert";
import { displayDevice, displayFuel } from "../../../runtimes/files/devices.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

Deno.test("display price: keys, arrays and objects cost more than bytes", () => {
  const flat = displayFuel(bytesOf("1,".repeat(1_000)));
  assertGreater(displayFuel(bytesOf("[]".repeat(1_000))), flat + 10_000_000);
  assertGreater(displayFuel(bytesOf('"a":{}'.repeat(300))), flat);
});

Deno.test("display price: no way to cut a display makes it cheaper", () => {
  const device = displayDevice({ output: () => undefined });
  const json = bytesOf(`{"data":{"a/b":{"key":[${"[],".repeat(50)}{"a\\"":1}]}}}`);
  const workOf = (bytes: Uint8Array) => device.writeWork?.(bytes) ?? 0;
  const fixed = workOf(new Uint8Array());
  for (let cut = 0; cut <= json.length; cut++) {
    const parts = [json.subarray(0, cut), json.subarray(cut)];
    const work = parts.reduce((sum, part) => sum + workOf(part) - fixed, 0);
    assertEquals(work, workOf(json) - fixed);
  }
});
