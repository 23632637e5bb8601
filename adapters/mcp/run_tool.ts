/**
 * `run_code`: a stateless run, or one in a sandbox.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { EXECUTE_PATH } from "../../client/protocol/paths.ts";
import type { Language } from "../../client/protocol/types.ts";
import { parseExactJson } from "../../shared/exact_json.ts";
import { languageNamed } from "../../shared/languages.ts";
import { CONTEXT_NAME_LENGTH } from "../../shared/limits.ts";
import { type LineListener, lineListener, type RunListener } from "../../shared/run_listener.ts";
import { LineProgress } from "./line_progress.ts";
import { errorText, refusal } from "./results.ts";
import { OutputRecorder, storeOutput } from "./output_file.ts";
import { cutsOutput, runResult } from "./run_result.ts";
import { runSchema } from "./run_schemas.ts";
import { sandboxPath, type ServiceCall } from "../../shared/service_calls.ts";
import { THREAD } from "../../shared/slices.ts";
import { defineTool, type Tool, type ToolCall } from "./tool.ts";

/** Characters of a result from which on its conversion takes turns with other work. */
const LONG_TEXT = 64 * 1024;
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
  });
}

type RunInput = z.infer<ReturnType<typeof inputSchema>>;

/** The tool. `packages` says which packages there are, besides standard libraries. */
export function runCodeTool(languages: readonly Language[], packages: string): Tool {
  return defineTool({
    name: "run_code",
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

async function runCode(input: RunInput, call: ToolCall): Promise<CallToolResult> {
  if (input.context !== undefined && input.sandbox === undefined) {
    return errorText("context names a memory in a sandbox: give `sandbox` too");
  }
  const lines = progressOf(call);
  const recorder = input.sandbox === undefined ? undefined : new OutputRecorder();
  try {
    const request = { ...requestOf(input), listener: both(lines?.listener, recorder) };
    const answer = await call.call(request, call.signal);
    if (answer.status !== 200) return await refusal(answer);
    const text = await answer.text();
    const isLong = text.length > LONG_TEXT;
    // each of these steps takes long for a long result
    if (isLong) await THREAD.next(call.tenant);
    const execution = parseExactJson(text);
    if (isLong) await THREAD.next(call.tenant);
    return await resultOf(input, execution, { recorder, call });
  } finally {
    lines?.end();
  }
}

/** Reports the lines of a run to a caller that asks for progress. */
function progressOf({ progress: send }: ToolCall): LineListener | undefined {
  if (send === undefined) return undefined;
  const progress = new LineProgress(send);
  const lines = lineListener((event) => {
    if (event.type === "stdout" || event.type === "stderr") progress.line(event.text);
  });
  return {
    ...lines,
    end: () => {
      lines.end();
      progress.end();
    },
  };
}

/** The language of a path. */
function pathLanguage(language: RunInput["language"]): string {
  return language === TYPESCRIPT ? "javascript" : language;
}

/** A listener for two. */
function both(
  one: RunListener | undefined,
  other: RunListener | undefined,
): RunListener | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    start: () => {
      one.start();
      other.start();
    },
    output: (stream, bytes) => {
      one.output(stream, bytes);
      other.output(stream, bytes);
    },
    display: (display) => {
      one.display(display);
      other.display(display);
    },
    mayRestart: one.mayRestart === true && other.mayRestart === true,
  };
}

function requestOf({ language, code, sandbox, context, stdin }: RunInput): ServiceCall {
  const path = pathLanguage(language);
  const fields = { code, repr: true, ...(stdin === undefined ? {} : { stdin }) };
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
  execution: unknown,
  { recorder, call }: {
    readonly recorder: OutputRecorder | undefined;
    readonly call: ToolCall;
  },
): Promise<CallToolResult> {
  const run = runSchema.parse(execution);
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
