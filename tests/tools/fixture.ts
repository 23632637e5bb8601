/** The operator's tools over a server on this machine. */
import { assert } from "@std/assert";
import { parseConfig } from "../../shared/config_file.ts";
import type { Secrets } from "../../tools/header_values.ts";
import { ToolSets } from "../../tools/tool_sets.ts";
import { type ToolsFile, toolsFileSchema } from "../../tools/tools_file.ts";

/** The secret of the tests. */
export const SECRET = "s3cr3t-c4n4ry";
const VARIABLES: Readonly<Record<string, string>> = {
  CRM_KEY: SECRET,
  EMPTY: "",
  LINES: "a\nb",
  NOT_TEXT: "\u2603",
};

/** The variables that files may name. */
const SECRETS: Secrets = {
  value: (name) => VARIABLES[name],
  isReserved: (name) => name === "TOKENS",
};

/** The content of a file, or its faults. */
export function readTools(content: unknown) {
  const text = typeof content === "string" ? content : JSON.stringify(content);
  return parseConfig("tools.json", text, toolsFileSchema(SECRETS));
}

/** The content of a file without faults. */
export function toolsFile(content: unknown): ToolsFile {
  const read = readTools(content);
  assert("value" in read, JSON.stringify(read));
  return read.value;
}

/** Tools of a file. To be closed. */
export function toolSets(content: unknown): ToolSets {
  const tools = new ToolSets({ log: () => undefined, clock: Date.now });
  tools.replace(toolsFile(content));
  return tools;
}

/** A request that a server got. */
export interface SeenRequest {
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly headers: Headers;
  readonly body: string;
}

/** A server of operations and the requests that it got. */
export interface ToolServer extends AsyncDisposable {
  readonly url: string;
  /** `127.0.0.1:port`. */
  readonly address: string;
  readonly seen: readonly SeenRequest[];
}

/** Serves operations; `answer` gives the answer to each request. */
export function serveTools(
  answer: (request: SeenRequest) => Response | Promise<Response>,
): ToolServer {
  const seen: SeenRequest[] = [];
  const options = { hostname: "127.0.0.1", port: 0, onListen: () => undefined };
  const server = Deno.serve(options, async (request) => {
    const { method, url, headers } = request;
    const { origin } = new URL(url);
    const got = { method, target: url.slice(origin.length), headers, body: await request.text() };
    seen.push(got);
    return await answer(got);
  });
  const address = `127.0.0.1:${server.addr.port}`;
  return {
    url: `http://${address}`,
    address,
    seen,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
