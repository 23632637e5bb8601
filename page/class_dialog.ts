/**
 * Sandboxes for a class: a fork of one checkpoint for each pupil.
 *
 * @module
 */
import { type Checkpoint, type Sandbox, SandboxError } from "@belljar/client";
import { announce } from "./announcer.ts";
import { askText } from "./dialogs.ts";
import { countText } from "./format.ts";
import { pupilSandboxes } from "./pupil_names.ts";

/** Forks that are made at once. */
const AT_ONCE = 4;

/** Asks for the pupils and makes their sandboxes; whether there is a class to show now. */
export async function forkForClass(
  sandbox: Sandbox,
  { id: checkpoint }: Checkpoint,
  label: string,
): Promise<boolean> {
  const list = await askText({
    title: `A sandbox for each pupil, from ${label}`,
    label: "Names, one in a line, or a number",
    hint:
      `The sandboxes are named ${sandbox.id}.NAME. Whoever has the token of this tab can open them.`,
    verb: "Make sandboxes",
    problem: (text) => problemOf(() => pupilSandboxes(sandbox.id, text)),
  });
  if (list === undefined) return false;
  const names = pupilSandboxes(sandbox.id, list);
  let made = 0;
  const waiting = names.values();
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    for (const name of waiting) if (await fork(sandbox, name, checkpoint)) made++;
  }));
  announce(`${countText(made, "sandbox", "sandboxes")} made`);
  return true;
}

/** Whether a sandbox was made. One of that name stays as it is. */
async function fork(sandbox: Sandbox, name: string, checkpoint: string): Promise<boolean> {
  try {
    await sandbox.fork(name, { checkpoint });
    return true;
  } catch (thrown) {
    if (thrown instanceof SandboxError && thrown.code === "CONFLICT") return false;
    throw thrown;
  }
}

function problemOf(work: () => unknown): string | undefined {
  try {
    work();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}
