/**
 * Calls that the reader answers or approves on the card of their run.
 *
 * @module
 */
import { ToolDenied, type ToolInput, type Tools } from "@belljar/client";
import type { RunCard, ShownCall } from "./run_card.ts";

/** Whether the reader approves a call, or the reason of the denial. */
export async function decisionOn(card: RunCard, call: ShownCall): Promise<boolean | string> {
  const reply = await card.approve(call);
  return "deny" in reply ? reply.deny : "approve" in reply;
}

/** Functions whose calls the reader answers on the card of their run. */
export function toolsOn(card: RunCard, names: readonly string[]): Tools {
  return Object.fromEntries(names.map((name) => [name, async (input: ToolInput) => {
    const reply = await card.call(name, input);
    if ("deny" in reply) throw new ToolDenied(reply.deny);
    return "value" in reply ? reply.value : null;
  }]));
}
