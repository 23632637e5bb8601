/**
 * The routes that go back and branch: forks of a sandbox, and checkpoints (docs/contract.md#forks).
 *
 * @module
 */
import { z } from "zod";
import { CHECKPOINTS_PATH, FORK_PATH } from "../client/protocol/paths.ts";
import { SANDBOX_LIMITS } from "../shared/limits.ts";
import { forkCheckpoint } from "./checkpoint_fork.ts";
import { checkpointInfos, createCheckpoint, deleteCheckpoint } from "./checkpoints.ts";
import { forkSandbox } from "./fork.ts";
import { restoreCheckpoint } from "./restore.ts";
import { bodyRoute, route, type SandboxRoute } from "./route.ts";

const CHECKPOINT_ID = { checkpointId: z.string().min(1).describe("Id of the checkpoint.") };

/** The routes, in the order of the document. */
export const CHECKPOINT_ROUTES: readonly SandboxRoute[] = [
  bodyRoute({
    method: "post",
    path: FORK_PATH,
    id: "forkSandbox",
    tag: "Sandbox",
    summary: "Fork a sandbox",
    description: "A new sandbox with all contexts, files and variables of this one as of one " +
      "moment, or of a checkpoint. Both are independent from then on. Checkpoints and kept " +
      "answers stay here.",
    body: "ForkSandboxRequest",
    success: { status: 201, description: "The new sandbox.", schema: "ForkedSandbox" },
    errors: ["call", "body", "quota", "runtime", "fork", "checkpoint"],
    work: ({ options, address }, { to, checkpoint }) =>
      checkpoint === undefined
        ? forkSandbox(options, address, to)
        : forkCheckpoint(options, address, { to, checkpoint }),
  }),
  bodyRoute({
    method: "post",
    path: CHECKPOINTS_PATH,
    id: "createCheckpoint",
    tag: "Checkpoints",
    summary: "Make a checkpoint",
    description: `Keeps the sandbox as it is now. It has at most ${SANDBOX_LIMITS.checkpoints}.`,
    body: "CheckpointRequest",
    success: { status: 201, description: "The checkpoint.", schema: "CheckpointInfo" },
    errors: ["call", "body", "quota", "runtime", "checkpointLimit"],
    work: ({ options, address }, { name }) => createCheckpoint(options, address, name),
  }),
  route({
    method: "get",
    path: CHECKPOINTS_PATH,
    id: "listCheckpoints",
    tag: "Checkpoints",
    summary: "List the checkpoints",
    description: "Oldest first.",
    success: { description: "The checkpoints.", schema: "CheckpointList" },
    errors: ["call"],
    work: async ({ options, address }) => ({
      checkpoints: await checkpointInfos(options, address),
    }),
  }),
  route({
    method: "delete",
    path: `${CHECKPOINTS_PATH}/{checkpointId}`,
    id: "deleteCheckpoint",
    tag: "Checkpoints",
    summary: "Delete a checkpoint",
    description: "The sandbox stays as it is.",
    pathParameters: CHECKPOINT_ID,
    success: { description: "It is deleted.", schema: "Done" },
    errors: ["call", "checkpoint"],
    work: async ({ options, address, param }) => {
      await deleteCheckpoint(options, address, param("checkpointId"));
      return { success: true };
    },
  }),
  route({
    method: "post",
    path: `${CHECKPOINTS_PATH}/{checkpointId}/restore`,
    id: "restoreCheckpoint",
    tag: "Checkpoints",
    summary: "Restore a checkpoint",
    description: "Puts contexts, files, variables and counts of runs back as they were, in one " +
      "commit. Runs under way end with 409. Kept answers and checkpoints stay.",
    pathParameters: CHECKPOINT_ID,
    success: { description: "It is restored.", schema: "Done" },
    errors: ["call", "quota", "runtime", "checkpoint"],
    work: async ({ options, address, param }) => {
      await restoreCheckpoint(options, address, param("checkpointId"));
      return { success: true };
    },
  }),
];
