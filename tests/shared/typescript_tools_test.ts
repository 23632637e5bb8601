/** Declarations of tools for TypeScript are TypeScript. */
import { assert } from "@std/assert";
import { renderTools } from "../../shared/tool_types/render_tools.ts";
import { printedSeed, seededBelow } from "../support/random.ts";
import { randomTools } from "../support/random_tools.ts";

Deno.test("tool types: declarations for TypeScript have no type errors", async () => {
  const below = seededBelow(printedSeed("declarations for TypeScript"));
  const texts = Array.from({ length: 20 }, (_, index) => {
    const text = renderTools(randomTools(below, 12), "typescript", 500 + below(30_000));
    return `namespace Set${index} {\n${text}\nexport const all = tools;\n}\n`;
  });
  const file = await Deno.makeTempFile({ suffix: ".ts" });
  try {
    await Deno.writeTextFile(file, texts.join(""));
    const command = new Deno.Command(Deno.execPath(), {
      args: ["check", "--no-config", file],
      env: { NO_COLOR: "1" },
    });
    const { success, stderr } = await command.output();
    assert(success, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(file);
  }
});
