/**
 * The operations that go back and branch: forks and checkpoints (docs/contract.md#forks).
 *
 * @module
 */
import { z } from "zod";
import { SANDBOX_LIMITS } from "../../shared/limits.ts";
import {
  bodyCauses,
  callCauses,
  checkpointCauses,
  contextCauses,
  contextLimitCauses,
  forkCauses,
  quotaCauses,
  runtimeCauses,
  tooManyCheckpointsCauses,
} from "./error_causes.ts";
import { CHECKPOINT_EXAMPLES, FORK_CONTEXT_EXAMPLES, FORK_SANDBOX_EXAMPLES } from "./examples.ts";
import type { Operation } from "./operation.ts";
import type { RequestOptions } from "./request_schemas.ts";
import { SANDBOX_PATH, sandboxCommon } from "./sandbox_operations.ts";
import type { BodySchemas } from "./schemas.ts";

const CHECKPOINTS = "Checkpoints";

/** All of them. */
export function forkOperations(
  schemas: BodySchemas,
  options: RequestOptions,
): readonly Operation[] {
  const { errors: common, ...addressed } = sandboxCommon(options);
  const errors = [...common, ...callCauses()];
  const posted = { ...addressed, method: "post" } as const;
  const making = [
    ...errors,
    ...bodyCauses(options.limits.requestBytes),
    ...quotaCauses(),
    ...runtimeCauses(),
  ];
  const path = `${SANDBOX_PATH}/checkpoints`;
  const pathParameters = {
    ...addressed.pathParameters,
    checkpointId: z.string().min(1).describe("Id of the checkpoint."),
  };
  return [
    {
      ...posted,
      path: `${SANDBOX_PATH}/contexts/{contextId}/fork`,
      id: "forkContext",
      tag: "Contexts",
      summary: "Fork a context",
      description:
        "A new context with the memory, working directory, variables and count of runs " +
        "of this one as of its last commit. They share the memory: nothing is copied.",
      pathParameters: {
        ...addressed.pathParameters,
        contextId: z.string().min(1).describe("Id of the context."),
      },
      body: { schema: schemas.ForkContextRequest, examples: FORK_CONTEXT_EXAMPLES },
      success: { status: 201, description: "The new context.", schema: schemas.ContextInfo },
      errors: [...making, ...contextCauses(), ...contextLimitCauses()],
    },
    {
      ...posted,
      path: `${SANDBOX_PATH}/fork`,
      id: "forkSandbox",
      tag: "Sandbox",
      summary: "Fork a sandbox",
      description: "A new sandbox with all contexts, files and variables of this one as of one " +
        "moment. Both are independent from then on. Checkpoints and kept answers stay here.",
      body: { schema: schemas.ForkSandboxRequest, examples: FORK_SANDBOX_EXAMPLES },
      success: { status: 201, description: "The new sandbox.", schema: schemas.ForkedSandbox },
      errors: [...making, ...forkCauses()],
    },
    {
      ...posted,
      path,
      id: "createCheckpoint",
      tag: CHECKPOINTS,
      summary: "Make a checkpoint",
      description: `Keeps the sandbox as it is now. It has at most ${SANDBOX_LIMITS.checkpoints}.`,
      body: { schema: schemas.CheckpointRequest, examples: CHECKPOINT_EXAMPLES },
      success: { status: 201, description: "The checkpoint.", schema: schemas.CheckpointInfo },
      errors: [...making, ...tooManyCheckpointsCauses()],
    },
    {
      ...addressed,
      method: "get",
      path,
      id: "listCheckpoints",
      tag: CHECKPOINTS,
      summary: "List the checkpoints",
      description: "Oldest first.",
      success: { description: "The checkpoints.", schema: schemas.CheckpointList },
      errors,
    },
    {
      ...addressed,
      method: "delete",
      path: `${path}/{checkpointId}`,
      id: "deleteCheckpoint",
      tag: CHECKPOINTS,
      summary: "Delete a checkpoint",
      description: "The sandbox stays as it is.",
      pathParameters,
      success: { description: "It is deleted.", schema: schemas.Done },
      errors: [...errors, ...checkpointCauses()],
    },
    {
      ...posted,
      path: `${path}/{checkpointId}/restore`,
      id: "restoreCheckpoint",
      tag: CHECKPOINTS,
      summary: "Restore a checkpoint",
      description: "Puts contexts, files, variables and counts of runs back as they were, in one " +
        "commit. Runs under way end with 409. Kept answers and checkpoints stay.",
      pathParameters,
      success: { description: "It is restored.", schema: schemas.Done },
      errors: [...errors, ...quotaCauses(), ...runtimeCauses(), ...checkpointCauses()],
    },
  ];
}
