/** The traits that a program's top level shares with a function, as in Node. */
import { assertEquals } from "@std/assert";
import { errorOf, runGuest, valueOf } from "./support.ts";

Deno.test("scope: a program that returns has no value, and its pending work is done", async () => {
  const code = `
setTimeout(() => console.log("later"));
console.log("before");
if (true) return { value: 1 };
"never"`;
  const { ending, stdout } = await runGuest(code);
  assertEquals(ending, { kind: "none" });
  assertEquals(stdout, "before\nlater\n");
  assertEquals((await runGuest("await null; return await 5; 6")).ending, { kind: "none" });
  assertEquals(await valueOf("if (false) return; 6"), "6");
});

Deno.test("scope: a program cannot return where it would catch the throw that replaces the return", async () => {
  const { name, message, lineNumber } = await errorOf("\ntry { return } catch {}");
  assertEquals([name, message, lineNumber], ["SyntaxError", "return not in a function", 2]);
});

Deno.test("scope: functions are shown as they were written", async () => {
  assertEquals(await valueOf("String((a) => this.b + a)"), "'(a) => this.b + a'");
  assertEquals(await valueOf("this.x = 1; [this === exports, exports.x]"), "[true,1]");
});
