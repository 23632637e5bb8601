/** A smaller length of an array with holes deletes all elements beyond it. */
import { assertEquals, assertThrows } from "@std/assert";
import { shortenFromTheEnd } from "../../../../runtimes/languages/javascript/build/array_length_patch.ts";
import { ModulePatch, ModulePatchError } from "../../../../wasm/metering/module_patch.ts";
import { quickJsModule } from "../../../../runtimes/languages/javascript/build/builder.ts";
import { runGuest } from "./guest/support.ts";

/** Changes of an array `a`, and the keys and the length that it then has. */
const CASES: readonly (readonly [change: string, keys: string, length: number])[] = [
  ["a = Array(2); for (let i = 0; i < 28; i++) a.push(i); a.length = 0", "", 0],
  ["a = [1, 2, 3,, 5,,]; for (let i = 0; i < 28; i++) a.push(i); a.length = 3", "0,1,2", 3],
  ["a[500] = 1; for (let i = 0; i < 300; i++) a[i] = i; a.length = 7", "0,1,2,3,4,5,6", 7],
  ["a[4294967294] = 1; for (let i = 40; i > 2; i--) a[i] = i; a.length = 4", "3", 4],
  ["a[900] = 1; for (let i = 0; i < 50; i++) a[i] = i; a.x = 1; a.length = 0; a.y = 2", "x,y", 0],
  ["a[900] = 1; for (let i = 0; i < 50; i++) a[i] = i; a.length = 0; a.push(9, 8)", "0,1", 2],
  ["a[900] = 1; for (let i = 0; i < 50; i++) a[i] = i; a.splice(1, 900)", "0", 1],
  [
    "a[900] = 1; for (let i = 0; i < 50; i++) a[i] = i; " +
    "Object.defineProperty(a, 20, { configurable: false }); a.length = 3",
    Array.from({ length: 21 }, (_, index) => index).join(),
    21,
  ],
];

Deno.test("javascript: a smaller length deletes all elements beyond it", async (t) => {
  for (const [change, keys, length] of CASES) {
    await t.step(change, async () => {
      const { stdout } = await runGuest(
        `let a = []; ${change}; console.log(JSON.stringify([Object.keys(a).join(), a.length]))`,
      );
      assertEquals(JSON.parse(stdout), [keys, length]);
    });
  }
});

Deno.test("javascript: the patch of lengths refuses a module without its place", async () => {
  const patch = new ModulePatch(await quickJsModule());
  shortenFromTheEnd(patch);
  assertThrows(() => shortenFromTheEnd(patch), ModulePatchError);
});
