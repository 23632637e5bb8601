/**
 * The tools to keep a state of a sandbox, and to go back to it.
 *
 * @module
 */
import { z } from "zod";
import { CHECKPOINTS_PATH } from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import { CHECKPOINT_NAME_LENGTH } from "../../shared/limits.ts";
import { sandboxPath, segment } from "../../shared/service_calls.ts";
import { refusal, textResult } from "./results.ts";
import { defineTool, type Tool } from "./tool.ts";

const sandbox = z.string().min(1).describe("The name of the sandbox.");
const checkpoint = z.string().min(1).describe("The id that save_checkpoint returned.");

const saveInput = z.strictObject({
  sandbox,
  name: z.string().min(1).max(CHECKPOINT_NAME_LENGTH).optional()
    .describe("A note for people. The id names the checkpoint."),
});
const saveOutput = z.looseObject({
  id: z.string(),
  name: z.string().nullable(),
  createdAt: z.string(),
});

/** `save_checkpoint`. */
export function saveCheckpointTool(language: Language): Tool {
  return defineTool({
    name: "save_checkpoint",
    title: "Keep a state",
    description:
      "Keeps the state of a sandbox: the memory of its contexts, its files and variables. " +
      "Takes milliseconds whatever the size. Use it before a step that may go wrong.",
    input: saveInput,
    output: saveOutput,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: async ({ sandbox, name }, { call, signal }) => {
      const path = sandboxPath(language, sandbox, CHECKPOINTS_PATH);
      const body = name === undefined ? {} : { name };
      const answer = await call({ method: "POST", path, body }, signal);
      if (!answer.ok) return await refusal(answer);
      const saved = saveOutput.strip().parse(await answer.json());
      return textResult(`Checkpoint ${saved.id} of sandbox ${sandbox}`, saved);
    },
  });
}

const restoreInput = z.strictObject({ sandbox, checkpoint });
const restoreOutput = z.looseObject({ sandbox: z.string(), checkpoint: z.string() });

/** `restore_checkpoint`. */
export function restoreCheckpointTool(language: Language): Tool {
  return defineTool({
    name: "restore_checkpoint",
    title: "Go back to a state",
    description: "Puts a sandbox back to a checkpoint: contexts, files and variables are as they " +
      "were. What was made since then is gone, and runs in progress end. The checkpoint stays.",
    input: restoreInput,
    output: restoreOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ sandbox, checkpoint }, { call, signal }) => {
      const rest = `${CHECKPOINTS_PATH}/${segment(checkpoint)}/restore`;
      const path = sandboxPath(language, sandbox, rest);
      const answer = await call({ method: "POST", path }, signal);
      if (!answer.ok) return await refusal(answer);
      await answer.body?.cancel();
      return textResult(`Sandbox ${sandbox} is as it was at ${checkpoint}`, {
        sandbox,
        checkpoint,
      });
    },
  });
}

const deleteInput = z.strictObject({ sandbox, checkpoint });
const deleteOutput = z.looseObject({ checkpoint: z.string(), deleted: z.boolean() });

/** `delete_checkpoint`. */
export function deleteCheckpointTool(language: Language): Tool {
  return defineTool({
    name: "delete_checkpoint",
    title: "Delete a state",
    description: "Deletes a checkpoint of a sandbox. A sandbox holds at most 16.",
    input: deleteInput,
    output: deleteOutput,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    run: async ({ sandbox, checkpoint }, { call, signal }) => {
      const path = sandboxPath(language, sandbox, `${CHECKPOINTS_PATH}/${segment(checkpoint)}`);
      const answer = await call({ method: "DELETE", path }, signal);
      if (!answer.ok) return await refusal(answer);
      await answer.body?.cancel();
      return textResult(`Checkpoint ${checkpoint} is deleted`, { checkpoint, deleted: true });
    },
  });
}
