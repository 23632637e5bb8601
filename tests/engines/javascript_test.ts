import { createJavaScriptEngine } from "../../runtimes/languages/javascript/create.ts";
import { builtIsolate, TEST_STACK_BYTES } from "../support/built.ts";
import { MEMORY_BYTES } from "../../shared/limits.ts";
import { testEngine } from "./conformance.ts";

testEngine({
  language: "javascript",
  makeEngine: async () => {
    const { artifact } = await builtIsolate("javascript");
    return await createJavaScriptEngine({
      ...artifact,
      memoryBytes: MEMORY_BYTES.javascript,
      stackBytes: TEST_STACK_BYTES,
    });
  },
  programs: {
    bothStreams: "console.log('out'); console.error('err')",
    noNewline: "process.stdout.write('no newline')",
    endlessOutput: "console.log('first'); for (;;) console.log('x')",
    number: "6 * 7",
    container: "({ a: 1, b: [1, 'x'] })",
    nothing: "const x = 1;",
    longText: "'x'.repeat(5000)",
    exception: { code: "\n\nthrow new TypeError('bad thing')", name: "TypeError" },
    syntaxError: { code: "let a = 1;\nlet b = ;\n", name: "SyntaxError" },
    endlessLoop: "for (;;);",
    endlessCatch: "for (;;) { try { for (;;); } catch { continue } finally { for (;;); } }",
    memoryHog: "const held = []; for (;;) held.push(new Uint8Array(1 << 20).fill(1))",
    deepRecursion: "function f() { return f() + 1 } f()",
    sleep: "await new Promise((resolve) => setTimeout(resolve, 5000)); 1",
    longSleep: "await new Promise((resolve) => setTimeout(resolve, 3600e3)); 1",
    random: "Math.random()",
    environment: "console.log(process.env.BELLJAR_TEST ?? 'none')",
    define: "var kept = 'yes'",
    isUndefined: "typeof kept === 'undefined' ? 1 : 0",
    exitZero: "process.exit(0); console.log('after')",
    exitThree: "process.exit(3)",
    work: "const o = {}; for (let i = 0; i < 500; i++) o['k' + i] = [i]; JSON.stringify(o).length",
  },
});
