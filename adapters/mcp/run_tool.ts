/**
 * `run_code`: a stateless run, or one in a sandbox.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { EXECUTE_PATH } from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import { languageNamed } from "../../shared/languages.ts";
import { CONTEXT_NAME_LENGTH } from "../../shared/limits.ts";
import { followRun } from "./followed_run.ts";
import { errorText } from "./results.ts";
import { OutputRecorder, storeOutput } from "./output_file.ts";
import { cutsOutput, runResult } from "./run_result.ts";
import { type Run, runSchema } from "./run_schemas.ts";
import { sandboxPath, type ServiceCall } from "../../shared/service_calls.ts";
import { defineTool, type Tool, type ToolCall, type ToolResult } from "./tool.ts";

/** The name of the tool. */
export const RUN_CODE = "run_code";

const TYPESCRIPT = "typescript";
/** Characters that names of contexts must not contain: control characters and lone surrogates. */
const BAD_IN_NAME = /[\p{Cc}\p{Cs}]/u;

const DESCRIPTION =
  "Runs a program and returns its output, the value of its last expression, and " +
  "images that it displays. There is no network, no shell and no package installer. Without " +
  "`sandbox` every run starts empty and nothing is kept. With `sandbox`, the files of /workspace " +
  "are kept, and variables, functions and imports stay for later runs in the same language, as in " +
  "a notebook. A program has some 20 seconds of computing.";

const CONTEXT_DESCRIPTION =
  "The name of a context: a separate memory in the sandbox, for one language. The first use " +
  "creates it. Without a name, the language's default context is used. All contexts share the " +
  "files. A sandbox has at most 8 contexts.";

/** The name of a language for one of its aliases in any case; other values as they are. */
function languageName(value: unknown): unknown {
  const named = typeof value === "string" ? languageNamed(value) : undefined;
  if (named === undefined) return value;
  return named.typescript ? TYPESCRIPT : named.language;
}

const toolSchema = z.looseObject({
  name: z.string().describe("Identifiers joined by dots."),
  description: z.string().optional(),
  inputSchema: z.looseObject({}).optional().describe("JSON Schema of the arguments."),
});

function inputSchema(languages: readonly Language[]) {
  const names = languages.includes("javascript") ? [...languages, TYPESCRIPT] : languages;
  return z.strictObject({
    language: z.preprocess(languageName, z.enum(names)),
    code: z.string().min(1).describe("The whole program, at most 64 KiB."),
    sandbox: z.string().min(1).optional()
      .describe(
        "The name of a sandbox: letters, digits, '.', '_' and '-'. A new name creates one.",
      ),
    context: z.string().min(1).max(CONTEXT_NAME_LENGTH)
      .refine((name) => !BAD_IN_NAME.test(name), "must not contain control characters")
      .optional().describe(CONTEXT_DESCRIPTION),
    stdin: z.string().optional().describe("What the program reads from standard input."),
    interactive: z.boolean().optional().describe(
      "true: a read past the end of `stdin` asks for a line. Where the client can, it asks the " +
        "user; otherwise the result says how answer_run gives the line.",
    ),
    tools: z.array(toolSchema).optional().describe(
      "Functions that the program may call: `tools.name(x=1)`. The result shows the calls, and " +
        "answer_run gives their results.",
    ),
  });
}

type RunInput = z.infer<ReturnType<typeof inputSchema>>;

/** The tool. `packages` says which packages there are, besides standard libraries. */
export function runCodeTool(languages: readonly Language[], packages: string): Tool {
  return defineTool({
    name: RUN_CODE,
    title: "Run code",
    description: descriptionFor(languages) + packages,
    input: inputSchema(languages),
    output: runSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: runCode,
  });
}

function descriptionFor(languages: readonly Language[]): string {
  return languages.includes("shell") ? DESCRIPTION.replace(", no shell", "") : DESCRIPTION;
}

async function runCode(input: RunInput, call: ToolCall): Promise<ToolResult> {
  if (input.context !== undefined && input.sandbox === undefined) {
    return errorText("context names a memory in a sandbox: give `sandbox` too");
  }
  // the lines of a run that waits can come in several calls
  const mayWait = canWait(input) || call.hasTools;
  const recorder = input.sandbox === undefined || mayWait ? undefined : new OutputRecorder();
  const { tools = [] } = input;
  const asked = call.hasTools ? { ...input, tools: ["*", ...tools] } : input;
  return await followRun(requestOf(asked), call, {
    recorder,
    resultOf: (run) => resultOf(input, run, { recorder, call }),
  });
}

function canWait({ tools, interactive }: RunInput): boolean {
  return tools !== undefined || interactive === true;
}

/** The language of a path. */
function pathLanguage(language: RunInput["language"]): string {
  return language === TYPESCRIPT ? "javascript" : language;
}

function requestOf(
  { language, code, sandbox, context, ...others }: Omit<RunInput, "tools"> & {
    readonly tools?: readonly unknown[] | undefined;
  },
): ServiceCall {
  const path = pathLanguage(language);
  const given = Object.entries(others).filter(([, value]) => value !== undefined);
  const fields = { code, repr: true, ...Object.fromEntries(given) };
  if (sandbox === undefined) {
    return { method: "POST", path: `${EXECUTE_PATH}/${path}`, body: { language, ...fields } };
  }
  return {
    method: "POST",
    path: sandboxPath(path, sandbox, EXECUTE_PATH),
    body: fields,
    contextName: context,
  };
}

async function resultOf(
  { sandbox, language }: RunInput,
  run: Run,
  { recorder, call }: {
    readonly recorder: OutputRecorder | undefined;
    readonly call: ToolCall;
  },
): Promise<CallToolResult> {
  const { context } = run;
  if (sandbox === undefined || recorder === undefined) return runResult(run);
  if (context === undefined) {
    const note =
      `${language} has no contexts here: the run was stateless, with an empty /workspace of its own.`;
    return runResult(run, { note });
  }
  if (!cutsOutput(run)) return runResult(run);
  const owner = { language: pathLanguage(language), sandbox, context };
  return runResult(run, { output: await storeOutput(recorder.bytes(), owner, call) });
}
