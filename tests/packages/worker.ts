/**
 * Carries out orders, one after the other: each is a line of JSON on standard input, its outcomes are
 * lines of JSON on standard output. Arguments: the side, the folder of wheels, modules that are
 * imported before.
 *
 * @module
 */
import { engineHere, runHere } from "./here.ts";
import { runStock, wheelsIn } from "./stock.ts";
import type { Order } from "./suite.ts";

function write(bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) at += Deno.stdout.writeSync(bytes.subarray(at));
}

/** A function that carries out an order and tells how it ended. */
async function runner(
  side: string,
  folder: string,
  preload: readonly string[],
): Promise<(order: Order) => string | Promise<string>> {
  if (side === "here") {
    const engine = await engineHere(folder, preload);
    return (order) => runHere(engine, order, write);
  }
  const wheels = wheelsIn(folder);
  return (order) => runStock({ wheels, preload }, order, write);
}

async function* orders(): AsyncGenerator<Order> {
  let text = "";
  for await (const part of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    text += part;
    const lines = text.split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) yield JSON.parse(line);
  }
}

if (import.meta.main) {
  const [side = "", folder = "", ...preload] = Deno.args;
  const run = await runner(side, folder, preload);
  for await (const order of orders()) {
    const ended = await run(order);
    write(new TextEncoder().encode(`\n${JSON.stringify({ ended })}\n`));
  }
}
