/**
 * Links side modules into a module:
 * `deno run --allow-read --allow-write examples/link.ts main.wasm out.wasm side.so[=entry] …`.
 * Prints the exports to call once, in order, and the table index of each entry function.
 *
 * @module
 */
import { link } from "../mod.ts";

/** Bytes of memory that the linked module may have. */
const MEMORY_BYTES = 2 ** 28;

const [main, target, ...names] = Deno.args;
if (main === undefined || target === undefined || names.length === 0) {
  throw new Error("Usage: link.ts main.wasm out.wasm side.so[=entry] …");
}
const sides = names.map((argument) => {
  const [path = "", entry = "init"] = argument.split("=");
  const library = path.slice(path.lastIndexOf("/") + 1);
  return { label: library, library, group: "example", entry, bytes: Deno.readFileSync(path) };
});
const linked = link(Deno.readFileSync(main), sides, { memoryBytes: MEMORY_BYTES });
Deno.writeFileSync(target, linked.bytes);
const lines = linked.sides.map(({ module, boot, entry }) =>
  `${module.library}: call ${boot.join(", ")}; ${module.entry} is ${entry ?? "absent"}`
);
Deno.stdout.writeSync(new TextEncoder().encode(`${lines.join("\n")}\n`));
