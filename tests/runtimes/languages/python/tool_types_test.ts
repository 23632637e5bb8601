/** Declarations of tools for Python are Python. */
import { assertEquals } from "@std/assert";
import { renderTools } from "../../../../shared/tool_types/render_tools.ts";
import { printedSeed, seededBelow } from "../../../support/random.ts";
import { randomTools } from "../../../support/random_tools.ts";
import { run } from "./support.ts";

Deno.test("python: declarations of tools compile, and their types are types", async () => {
  const seed = printedSeed("declarations for Python");
  const below = seededBelow(seed);
  for (let round = 0; round < 5; round++) {
    const text = renderTools(randomTools(below, 20), "python", 1_000 + below(30_000));
    const code = `import base64, typing
names = {}
exec(base64.b64decode("${new TextEncoder().encode(text).toBase64()}").decode(), names)
def checked(owner):
    count = 0
    for one in vars(owner).values():
        if isinstance(one, staticmethod):
            typing.get_type_hints(one.__func__, names)
            count += 1
        elif isinstance(one, type):
            count += checked(one)
    return count
checked(names["tools"]) > 0`;
    const { ending } = await run(code);
    assertEquals(ending, { kind: "text", text: "True" }, `seed ${seed}, round ${round}\n${text}`);
  }
});
