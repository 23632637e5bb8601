/**
 * Schemas of the answers of a sandbox, except for runs and files (docs/contract.md#sandbox-routes).
 *
 * @module
 */
import { z } from "zod";
import type { SnapshotInfo, TenantUsage } from "../../client/protocol/sandbox_types.ts";
import type { CheckpointInfo } from "../../client/protocol/types.ts";
import type { SandboxAnswers } from "../../sandbox/route.ts";
import { LISTING_LIMITS } from "../../shared/limits.ts";
import type {
  ContextDetails,
  ContextInfo,
  ContextVariable,
  InspectedName,
  SandboxInfo,
  SandboxList,
  SandboxSummary,
} from "../../shared/sandbox_types.ts";
import {
  countSchema,
  epochSchema,
  type Fields,
  textSchema,
  textsSchema,
  timestampSchema,
} from "./fields.ts";

/** The schemas, by the names they have in the document: those of answers, and their parts. */
export interface SandboxSchemas
  extends Readonly<{ [S in keyof SandboxAnswers]: z.ZodType<SandboxAnswers[S]> }> {
  readonly ContextDetails: z.ZodType<ContextDetails>;
  readonly SnapshotInfo: z.ZodType<SnapshotInfo>;
  readonly SandboxList: z.ZodType<SandboxList>;
  readonly SandboxSummary: z.ZodType<SandboxSummary>;
  readonly TenantUsage: z.ZodType<TenantUsage>;
  readonly VariableList: z.ZodType;
  readonly InspectedName: z.ZodType<InspectedName>;
}

/** Creates the schemas. */
export function sandboxSchemas(): SandboxSchemas {
  const info = contextInfoSchema();
  const snapshot = snapshotSchema();
  const details = contextDetailsSchema(snapshot);
  const listed = summarySchema();
  const checkpoint: z.ZodType<CheckpointInfo> = z.strictObject(
    {
      id: textSchema("Minted by the sandbox."),
      name: textSchema("What its maker calls it; null: nothing.").nullable(),
      createdAt: timestampSchema("When it was made."),
    } satisfies Fields<CheckpointInfo>,
  ).describe("A checkpoint of a sandbox.");
  const usage = usageSchema();
  return {
    ...inspectionSchemas(),
    ContextInfo: info,
    ContextList: z.strictObject({ contexts: z.array(info) })
      .describe("The contexts of a sandbox, across all languages."),
    ContextDetails: details,
    SnapshotInfo: snapshot,
    SandboxInfo: sandboxInfoSchema(details),
    SandboxList: sandboxListSchema(listed, usage),
    SandboxSummary: listed,
    TenantUsage: usage,
    CheckpointInfo: checkpoint,
    CheckpointList: z.strictObject({ checkpoints: z.array(checkpoint) })
      .describe("The checkpoints of a sandbox, oldest first."),
    ForkedSandbox: z.strictObject({ id: textSchema("Name of the new sandbox.") })
      .describe("A sandbox that was made."),
    Done: z.strictObject({ success: z.literal(true) }).describe("The operation succeeded."),
  };
}

function contextFields() {
  return {
    id: textSchema("Minted by the sandbox."),
    binding: textSchema("Name of the binding it was created against, for example `PYTHON`."),
    language: textSchema("Language of that binding's runtime."),
    cwd: textSchema("Working directory, absolute, under `/workspace`."),
    createdAt: timestampSchema("When it was created."),
    lastUsed: timestampSchema("When code last ran in it."),
  } satisfies Fields<ContextInfo>;
}

function contextInfoSchema(): z.ZodType<ContextInfo> {
  return z.strictObject(contextFields()).describe("A code context.");
}

function contextDetailsSchema(snapshot: z.ZodType<SnapshotInfo>): z.ZodType<ContextDetails> {
  return z.strictObject(
    {
      ...contextFields(),
      engine: textSchema("Name and version of the engine."),
      executions: countSchema("Runs so far."),
      snapshot: snapshot.nullable(),
    } satisfies Fields<ContextDetails>,
  ).describe("A code context and its stored state.");
}

function snapshotSchema(): z.ZodType<SnapshotInfo> {
  return z.strictObject(
    {
      build: textSchema("Identifies the built engine and baseline."),
      pages: countSchema("Pages of 4 KiB that differ from the baseline."),
      bytes: countSchema("Those pages in bytes."),
      storedBytes: countSchema("Bytes kept in the store."),
      takenAt: epochSchema("When it was taken, in epoch milliseconds."),
    } satisfies Fields<SnapshotInfo>,
  ).describe("A stored memory snapshot.");
}

function sandboxInfoSchema(details: z.ZodType<ContextDetails>): z.ZodType<SandboxInfo> {
  const workspace: z.ZodType<SandboxInfo["workspace"]> = z.strictObject(
    {
      files: countSchema("Number of files."),
      bytes: countSchema("Length of all files."),
    } satisfies Fields<SandboxInfo["workspace"]>,
  );
  return z.strictObject(
    {
      id: textSchema("Id of the sandbox."),
      createdAt: timestampSchema("When it was created.").nullable(),
      lastUsed: timestampSchema("When it was last used.").nullable(),
      envVars: textsSchema("Names of the sandbox's own variables, never values."),
      contexts: z.array(details),
      workspace,
      expiresAt: epochSchema("Epoch milliseconds; null: never, or no such sandbox.").nullable(),
    } satisfies Fields<SandboxInfo>,
  ).describe("A sandbox. One that does not exist has null dates and no contents.");
}

function sandboxListSchema(
  listed: z.ZodType<SandboxSummary>,
  usage: z.ZodType<TenantUsage>,
): z.ZodType<SandboxList> {
  return z.strictObject(
    {
      sandboxes: z.array(listed).max(LISTING_LIMITS.maxPageSize)
        .describe("Sorted by id, without expired sandboxes."),
      cursor: z.string().exactOptional()
        .describe("Requests the next page; absent on the last one."),
      usage,
    } satisfies Fields<SandboxList>,
  ).describe("A page of the tenant's sandboxes.");
}

function summarySchema(): z.ZodType<SandboxSummary> {
  return z.strictObject(
    {
      id: textSchema("Id of the sandbox."),
      createdAt: timestampSchema("When it was created."),
      lastUsed: timestampSchema("When it was last used."),
      expiresAt: epochSchema("Epoch milliseconds; null: never.").nullable(),
      contexts: countSchema("Number of contexts."),
      files: countSchema("Number of files."),
      bytes: countSchema("Length of all files."),
    } satisfies Fields<SandboxSummary>,
  ).describe("A sandbox in a listing.");
}

function usageSchema(): z.ZodType<TenantUsage> {
  return z.strictObject(
    {
      sandboxes: countSchema("Number of sandboxes."),
      maxSandboxes: countSchema("Maximum number of sandboxes."),
      bytes: countSchema(
        "Stored bytes of files, variables, snapshots, kept answers, checkpoints, labels and names.",
      ),
      maxBytes: countSchema("Maximum number of stored bytes."),
    } satisfies Fields<TenantUsage>,
  ).describe("The tenant's usage and its quotas.");
}

function inspectionSchemas(): Pick<SandboxSchemas, "VariableList" | "InspectedName"> {
  const variable: z.ZodType<ContextVariable> = z.strictObject(
    {
      name: textSchema("Its name."),
      type: textSchema("The class of its value; `function` and `class` for those."),
      size: z.exactOptional(textSchema("The number of its elements, or its shape.")),
      preview: textSchema("The beginning of the value's own form."),
    } satisfies Fields<ContextVariable>,
  );
  const name: z.ZodType<InspectedName> = z.strictObject(
    {
      name: textSchema("The name, with those before its dots. Empty: there was none."),
      matches: z.array(z.strictObject({ name: z.string(), type: z.string() }))
        .describe("The names that begin with its last part, and the classes of their values."),
      text: z.exactOptional(
        textSchema("Signature and documentation, or type and value; absent for an unknown name."),
      ),
    } satisfies Fields<InspectedName>,
  ).describe("What a context knows of a name.");
  return {
    VariableList: z.strictObject({ variables: z.array(variable) })
      .describe("The variables of a context, the latest ones last."),
    InspectedName: name,
  };
}
