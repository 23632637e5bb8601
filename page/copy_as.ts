/**
 * A run as a call from elsewhere: a command of curl, or a program for one of the clients.
 *
 * @module
 */
import type { Language } from "@belljar/client";
import { optionsOf, type RunFields } from "./run_request.ts";

/** A context of a sandbox. */
export interface CopiedContext {
  readonly sandbox: string;
  readonly contextId: string;
}

/** A run to copy. */
export interface CopiedRun {
  /** The address of the service, with a slash at its end. */
  readonly url: string;
  /** Whether calls need a token. The token itself stands in no copy. */
  readonly needsToken: boolean;
  readonly language: Language;
  readonly code: string;
  readonly fields: RunFields;
  /** Absent: a stateless run. */
  readonly context?: CopiedContext | undefined;
}

/** The forms of a copy. */
export const COPY_FORMS = {
  curl: asCurl,
  TypeScript: asTypeScript,
  Python: asPython,
} as const;

/** The variable of the environment that the copies read the token from. */
const TOKEN = "BELLJAR_TOKEN";

function asCurl({ url, needsToken, language, code, fields, context }: CopiedRun): string {
  const { operatorTools, ...options } = optionsOf(fields);
  const body = {
    code,
    ...(context === undefined ? {} : { contextId: context.contextId }),
    ...options,
    ...(operatorTools === undefined ? {} : { tools: operatorTools }),
  };
  const path = context === undefined
    ? `execute/${language}`
    : `languages/${language}/sandboxes/${encodeURIComponent(context.sandbox)}/execute`;
  return [
    `curl -s ${quoted(url + path)}`,
    ...(needsToken ? [`-H "authorization: Bearer $${TOKEN}"`] : []),
    "-H 'content-type: application/json'",
    `--data-raw ${quoted(JSON.stringify(body))}`,
  ].join(" \\\n  ") + "\n";
}

function asTypeScript(run: CopiedRun): string {
  const { url, needsToken, language, code, fields, context } = run;
  const options = Object.entries(optionsOf(fields))
    .map(([name, value]) => `  ${name}: ${JSON.stringify(value)},`);
  const token = needsToken ? `, { token: process.env.${TOKEN} }` : "";
  const imported = context === undefined ? "connect, runCode" : "connect, getSandbox";
  return [
    `// npm install ${url}client.tgz`,
    ...(needsToken ? ['import process from "node:process";'] : []),
    `import { ${imported} } from "@belljar/client";`,
    "",
    `const env = connect(${JSON.stringify(url)}${token});`,
    "const program = [",
    ...code.split("\n").map((line) => `  ${JSON.stringify(line)},`),
    '].join("\\n");',
    ...(context === undefined
      ? [`const result = await runCode(env.${language.toUpperCase()}, program, {`]
      : [
        `const sandbox = getSandbox(env.Sandbox, ${JSON.stringify(context.sandbox)});`,
        "const contexts = await sandbox.interpreter.listCodeContexts();",
        `const context = contexts.find(({ id }) => id === ${JSON.stringify(context.contextId)});`,
        'if (context === undefined) throw new Error("The context is not there");',
        "const result = await sandbox.interpreter.runCode(program, {",
        "  context,",
      ]),
    ...options,
    "});",
    'console.log(result.logs.stdout.join("\\n"));',
    "console.log(result.error ?? result.results[0]);",
    "",
  ].join("\n");
}

function asPython(run: CopiedRun): string {
  const { url, needsToken, language, code, fields, context } = run;
  const { stdin, envVars, limits, seed, clock, operatorTools } = optionsOf(fields);
  const named = {
    context: context?.contextId,
    stdin,
    env_vars: envVars,
    limits: limits && { fuel: limits.fuel, wall_ms: limits.wallMs },
    seed,
    clock,
    operator_tools: operatorTools,
  };
  const options = Object.entries(named).filter(([, value]) => value !== undefined)
    .map(([name, value]) => `    ${name}=${JSON.stringify(value)},`);
  const token = needsToken ? `, os.environ["${TOKEN}"]` : "";
  const runner = context === undefined
    ? "client"
    : `client.sandbox(${JSON.stringify(context.sandbox)})`;
  return [
    `# pip install "$(curl -sw '%{redirect_url}' ${url}client.whl)"`,
    ...(needsToken ? ["import os", ""] : []),
    "from belljar import connect",
    "",
    `client = connect(${JSON.stringify(url)}${token})`,
    "program = (",
    ...code.split("\n").map((line, index, lines) =>
      `    ${JSON.stringify(index + 1 < lines.length ? `${line}\n` : line)}`
    ),
    ")",
    `result = ${runner}.run_code(`,
    `    "${language}",`,
    "    program,",
    ...options,
    ")",
    'print(result.stdout, end="")',
    "print(result.error or result.value)",
    "",
  ].join("\n");
}

/** A text in quotes of a shell, where nothing in it has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
