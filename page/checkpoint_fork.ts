/**
 * A fork of a checkpoint: a question for its name.
 *
 * @module
 */
import type { Checkpoint, Sandbox } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askSandboxName } from "./dialogs.ts";

/** Asks for a name, and forks the checkpoint; the name of the fork, or undefined without an answer. */
export async function forkAt(
  sandbox: Sandbox,
  { id: checkpoint }: Checkpoint,
  label: string,
): Promise<string | undefined> {
  const name = await askSandboxName(`Fork ${label}`, "Fork");
  if (name === undefined) return undefined;
  const { id } = await sandbox.fork(name, { checkpoint });
  announce(`The sandbox ${id} has the state of ${label}`);
  return id;
}
