/**
 * `run_command`: a command of the shell, alone or on the files of a sandbox.
 *
 * @module
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import { z } from "zod";
import { EXECUTE_PATH, WORKSPACE } from "../../client/protocol/paths.ts";
import {
  commandProgram,
  COMMANDS_CONTEXT,
  streamText,
} from "../../client/protocol/shell_command.ts";
import { sandboxPath, type ServiceCall } from "../../shared/service_calls.ts";
import { refusal, shortened } from "./results.ts";
import { runSchema } from "./run_schemas.ts";
import { defineTool, type Tool, type ToolCall } from "./tool.ts";

const DESCRIPTION = "Runs a command of bash and returns its output and its exit code. There are " +
  "some 150 commands (grep, sed, awk, jq, find, sort, diff, tar ...), no network and no package " +
  "installer. python, node, perl and ruby run where the service has their language. Each command has a fresh shell. With `sandbox`, the files of /workspace are kept.";

const inputSchema = z.strictObject({
  command: z.string().min(1).describe("As for bash -c, at most 60 KiB."),
  sandbox: z.string().min(1).optional()
    .describe("The name of a sandbox: letters, digits, '.', '_' and '-'. A new name creates one."),
  cwd: z.string().min(1).optional().describe("Where it runs. By default in /workspace."),
  timeout: z.int().min(1).max(600_000).optional()
    .describe("Milliseconds at which the command is ended."),
  stdin: z.string().optional().describe("What the command reads from standard input."),
});
type CommandInput = z.infer<typeof inputSchema>;

const outputSchema = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exitCode: z.int().describe("137 for a command that a limit ended."),
});

const commandRunSchema = runSchema.extend({
  exitCode: z.int().optional(),
  unterminated: z.array(z.string()).optional(),
});

/** The exit code of a command that a limit ended, as of one that SIGKILL ended. */
const KILLED = 137;

/** The tool, for services that have the shell. */
export function runCommandTool(): Tool {
  return defineTool({
    name: "run_command",
    title: "Run a command",
    description: DESCRIPTION,
    input: inputSchema,
    output: outputSchema,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    run: runCommand,
  });
}

async function runCommand(input: CommandInput, call: ToolCall): Promise<CallToolResult> {
  const answer = await call.call(requestOf(input), call.signal);
  if (answer.status !== 200) return await refusal(answer);
  const run = commandRunSchema.parse(await answer.json());
  const text = (stream: "stdout" | "stderr") =>
    streamText(run.logs[stream], run.unterminated?.includes(stream) === true);
  const { error, exitCode = KILLED } = run;
  const stderr = text("stderr") + (error === undefined ? "" : `${error.name}: ${error.message}\n`);
  const result = { stdout: text("stdout"), stderr, exitCode };
  const parts = [
    result.stdout,
    stderr === "" ? "" : `[stderr]\n${stderr}`,
    exitCode === 0 ? "" : `[exit code] ${exitCode}`,
  ].filter((part) => part !== "");
  return {
    content: [{ type: "text", text: shortened(parts.join("\n") || "[no output]") }],
    structuredContent: {
      stdout: shortened(result.stdout),
      stderr: shortened(stderr),
      exitCode,
    },
    ...(error === undefined ? {} : { isError: true }),
  };
}

function requestOf({ command, sandbox, cwd, timeout, stdin }: CommandInput): ServiceCall {
  const body = {
    code: commandProgram(command, cwd ?? WORKSPACE),
    ...(stdin === undefined ? {} : { stdin }),
    ...(timeout === undefined ? {} : { limits: { wallMs: timeout } }),
  };
  if (sandbox === undefined) return { method: "POST", path: `${EXECUTE_PATH}/shell`, body };
  return {
    method: "POST",
    path: sandboxPath("shell", sandbox, EXECUTE_PATH),
    body,
    contextName: COMMANDS_CONTEXT,
  };
}
