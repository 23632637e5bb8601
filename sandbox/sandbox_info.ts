/**
 * Information about a sandbox, and its variables (docs/contract.md#sandbox-info).
 *
 * @module
 */
import { isoTimestamp } from "../shared/clock.ts";
import { validationFailed } from "../shared/errors.ts";
import type { EnvRequest, SandboxInfo } from "../shared/sandbox_types.ts";
import { contextDetails } from "./contexts.ts";
import { changedLayer, layerBytes, NO_VARIABLES } from "./env_layers.ts";
import type { SandboxAddress, SandboxRecord, SandboxState } from "./root_record.ts";
import type { OperationOptions } from "./operation_options.ts";

/** Status when a limit of size is exceeded. */
const TOO_LARGE = 413;

/** Body of `GET /`. A sandbox that does not exist is shown as empty and is not created. */
export async function sandboxInfo(
  options: OperationOptions,
  address: SandboxAddress,
): Promise<SandboxInfo> {
  const state = await options.changes.current(address);
  const names = await options.stored.steady(state, (at) => namesOfVariables(options, at));
  await options.changes.use(state);
  return describe(address.id, state.record, names);
}

/** Sets and unsets variables of the sandbox. 413 when they exceed the size of a layer. */
export async function changeEnv(
  options: OperationOptions,
  address: SandboxAddress,
  { envVars }: EnvRequest,
): Promise<void> {
  const { envLayerBytes } = options.limits;
  await options.changes.change(address, async (state, draft) => {
    const record = options.changes.recordOrNew(state);
    const layer = changedLayer(await options.stored.layer(record, record.env), envVars);
    if (layerBytes(layer) > envLayerBytes) {
      throw validationFailed(
        `The variables of the sandbox are larger than ${envLayerBytes} bytes`,
        TOO_LARGE,
      );
    }
    draft.update({ ...record, env: draft.keepLayer(record, record.env, layer) });
  });
}

async function namesOfVariables(
  options: OperationOptions,
  { record }: SandboxState,
): Promise<readonly string[]> {
  const layer = record === undefined
    ? NO_VARIABLES
    : await options.stored.layer(record, record.env);
  return [...layer.keys()];
}

function describe(
  id: string,
  record: SandboxRecord | undefined,
  envVars: readonly string[],
): SandboxInfo {
  const date = (time: number | undefined) => time === undefined ? null : isoTimestamp(() => time);
  return {
    id,
    createdAt: date(record?.createdAt),
    lastUsed: date(record?.lastUsed),
    envVars,
    contexts: (record?.contexts ?? []).map(contextDetails),
    workspace: { files: record?.workspace.files ?? 0, bytes: record?.workspace.bytes ?? 0 },
    expiresAt: record?.expiresAt ?? null,
  };
}
