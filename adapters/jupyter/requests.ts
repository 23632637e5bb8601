/**
 * Requests of clients to a kernel, and their replies (Jupyter's message protocol 5.4).
 *
 * @module
 */
import { z } from "zod";
import { LANGUAGE_INFO } from "../../shared/languages.ts";
import { ServiceError } from "../../shared/errors.ts";
import { cancelRuns, findKernel, removeKernel, restartKernel } from "./kernels.ts";
import { languageInfo } from "../../shared/notebook_languages.ts";
import type { Connection, LiveKernel } from "./live_kernel.ts";
import { codeBefore, codeToName, completions } from "./completion.ts";
import { type ClientMessage, PROTOCOL_VERSION } from "./messages.ts";
import type { JupyterPorts } from "./ports.ts";

const executeSchema = z.object({
  code: z.string("code must be a string"),
  silent: z.boolean().default(false),
  store_history: z.boolean().default(true),
  allow_stdin: z.boolean().default(false),
  stop_on_error: z.boolean().default(true),
  user_expressions: z.record(z.string(), z.unknown()).nullish(),
});
const cursorSchema = z.object({ code: z.string(), cursor_pos: z.int().min(0) });
const inputSchema = z.object({ value: z.string() });
const shutdownSchema = z.object({ restart: z.boolean().default(false) });
const commSchema = z.object({ comm_id: z.string().max(256) });

/** The version of this kernel, as banners show it. */
const IMPLEMENTATION = "belljar";

/** A kernel in use, and who asks it. */
export interface Asked {
  readonly id: string;
  readonly kernel: LiveKernel;
  readonly from: Connection;
  readonly ports: JupyterPorts;
}

/** Does what a message asks for. Throws `VALIDATION_FAILED` for content that is not acceptable. */
export async function answerMessage(message: ClientMessage, asked: Asked): Promise<void> {
  const { header: { msg_type: type }, content, header } = message;
  const { kernel, from } = asked;
  if (type === "input_reply") return await kernel.answer(inputSchema.parse(content).value);
  if (type === "execute_request") return execute(message, asked);
  kernel.publishStatus("busy", header);
  try {
    if (type === "comm_open") {
      const { comm_id } = commSchema.parse(content);
      return kernel.publish("comm_close", header, { comm_id, data: {} });
    }
    if (!type.endsWith("_request")) return;
    const reply = await replyTo(message, asked);
    kernel.reply(from, {
      channel: message.channel === "control" ? "control" : "shell",
      type: type.replace(/_request$/, "_reply"),
      parent: header,
      content: reply,
    });
  } finally {
    kernel.publishStatus("idle", header);
  }
}

function execute(message: ClientMessage, { kernel, from }: Asked): void {
  const read = executeSchema.safeParse(message.content);
  const fault = read.success
    ? undefined
    : read.error.issues[0]?.message ?? "The content is not acceptable";
  const queued = read.success && kernel.execute(from, message, {
    code: read.data.code,
    silent: read.data.silent,
    storeHistory: read.data.store_history,
    allowStdin: read.data.allow_stdin,
    stopOnError: read.data.stop_on_error,
    expressions: Object.keys(read.data.user_expressions ?? {}),
  });
  if (queued) return;
  const { header: parent } = message;
  const content = errorContent("Refused", fault ?? "Too many cells wait in this kernel");
  kernel.publishStatus("busy", parent);
  kernel.publish("error", parent, content);
  kernel.reply(from, { channel: "shell", type: "execute_reply", parent, content });
  kernel.publishStatus("idle", parent);
}

async function replyTo({ header, content }: ClientMessage, asked: Asked): Promise<unknown> {
  const { kernel, id, ports } = asked;
  switch (header.msg_type) {
    case "kernel_info_request":
      return kernelInfo(kernel);
    case "interrupt_request":
      await interruptKernel(id, kernel, ports);
      return { status: "ok" };
    case "shutdown_request": {
      const { restart } = shutdownSchema.parse(content);
      await (restart ? restartLive(id, kernel, ports) : shutDown(id, kernel, ports));
      return { status: "ok", restart };
    }
    case "complete_request": {
      const { code, cursor_pos: at } = cursorSchema.parse(content);
      const known = await kernel.inspect(codeBefore(code, at));
      const place = { code, at, language: kernel.language };
      return { status: "ok", ...completions(place, known?.matches) };
    }
    case "inspect_request": {
      const { code, cursor_pos: at } = cursorSchema.parse(content);
      const text = (await kernel.inspect(codeToName(code, at)))?.text;
      const found = text !== undefined;
      return { status: "ok", found, data: found ? { "text/plain": text } : {}, metadata: {} };
    }
    case "is_complete_request":
      return { status: "unknown" };
    case "history_request":
      return { status: "ok", history: [] };
    case "comm_info_request":
      return { status: "ok", comms: {} };
    default:
      return errorContent("NotSupported", "The kernel does not have this request");
  }
}

function errorContent(ename: string, evalue: string) {
  return { status: "error", ename, evalue, traceback: [`${ename}: ${evalue}`] };
}

function kernelInfo({ language }: LiveKernel) {
  const { name, engine, version } = LANGUAGE_INFO[language];
  return {
    status: "ok",
    protocol_version: PROTOCOL_VERSION,
    implementation: IMPLEMENTATION,
    implementation_version: version,
    language_info: languageInfo(language),
    banner: `${name} in Belljar: ${engine}`,
    debugger: false,
    help_links: [],
    supported_features: [],
  };
}

/** Ends the cell that runs in this process, or else those of other processes that can wait. */
export async function interruptKernel(
  id: string,
  live: LiveKernel | undefined,
  ports: JupyterPorts,
): Promise<void> {
  if (await live?.interrupt()) return;
  const kernel = await findKernel(id, ports);
  if (kernel !== undefined) await cancelRuns(kernel, ports, new AbortController().signal);
}

/** Restarts a kernel: its memory is empty, its files stay. */
export async function restartLive(
  id: string,
  live: LiveKernel | undefined,
  ports: JupyterPorts,
): Promise<void> {
  await interruptKernel(id, live, ports);
  const kernel = await findKernel(id, ports);
  if (kernel === undefined) return;
  await restartKernel(kernel, ports, new AbortController().signal);
  live?.restarted();
  live?.publishStatus("restarting");
}

async function shutDown(id: string, live: LiveKernel, ports: JupyterPorts): Promise<void> {
  await live.interrupt();
  const answer = await removeKernel(
    { id, language: live.language },
    ports,
    new AbortController().signal,
  );
  await answer.body?.cancel();
  if (!answer.ok) throw new ServiceError("INTERNAL_ERROR", "The kernel could not be deleted");
}
