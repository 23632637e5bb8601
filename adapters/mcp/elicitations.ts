/**
 * The elicitations of a waiting program: a question for a line of input, and calls that need an
 * approval. The client shows them to its user, and sends the call of the tool again with the replies
 * (revision 2026-07-28, `InputRequiredResult`).
 *
 * @module
 */
import {
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  type InputRequiredResult,
  inputResponse,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import type { CallAnswer } from "../../client/protocol/calls.ts";
import { approvalAnswer, approvalRequest, approvalsOf } from "./approval.ts";
import { firstBytes, lastBytes } from "./results.ts";
import type { Run, RunWaiting } from "./run_schemas.ts";

/** Rounds of one call. The official clients give up after ten. */
const ROUNDS = 8;
/** Maximum length of the text that is shown, in bytes of UTF-8. */
const MESSAGE_BYTES = 2 * 1024;
/** Enough for the keys of all pending calls of a run. */
const STATE_LENGTH = 8 * 1024;

const stateSchema = z.strictObject({
  run: z.string(),
  /** Of the question for a line. */
  key: z.string().optional(),
  /** Keys of the calls that need an approval. */
  approvals: z.array(z.string()).optional(),
  round: z.int().positive(),
  /** Characters of standard output that earlier questions have shown. */
  shown: z.int().nonnegative(),
});

const envelopeSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}).optional() }),
});

/** The elicitations that the client has got, as its next message gives them back. */
export type Elicited = z.infer<typeof stateSchema>;

/** How a call of a tool can ask. */
export interface Asking {
  /** Whether the client can ask its user, who has dismissed none of the last elicitations. */
  readonly canAsk: boolean;
  /** The elicitations to which this message is the reply. */
  readonly asked: Elicited | undefined;
  /** The replies. Those that the user has dismissed are not among them. */
  readonly replies: readonly CallAnswer[];
}

/**
 * Reads the state that a client gives back. It names a run of its tenant, as `answer_run` does, so it
 * needs no seal.
 *
 * @throws {TypeError} it is not one of a question.
 */
export function readAsked(state: string): Elicited {
  if (state.length > STATE_LENGTH) throw new TypeError("the state is too long");
  const { success, data } = stateSchema.safeParse(JSON.parse(state));
  if (!success) throw new TypeError("the state is not that of an elicitation");
  return data;
}

/** How the call of this message can ask. */
export function askingOf({ mcpReq }: ServerContext): Asking {
  const { data } = envelopeSchema.safeParse(mcpReq.envelope);
  const asked = mcpReq.requestState<Elicited>();
  const replies = asked === undefined ? [] : repliesTo(asked, mcpReq.inputResponses);
  return {
    canAsk: !replies.includes(undefined) &&
      canElicit(data?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation),
    asked,
    replies: replies.filter((reply) => reply !== undefined),
  };
}

/** The reply to each elicitation; undefined for one that was dismissed. */
function repliesTo(
  { key, approvals = [] }: Elicited,
  responses: Record<string, unknown> | undefined,
): readonly (CallAnswer | undefined)[] {
  return [
    ...approvals.map((approval) => approvalAnswer(approval, responses)),
    ...(key === undefined ? [] : [replyTo(key, responses)]),
  ];
}

/** A capability without modes is that of forms. */
function canElicit(capability: { readonly [mode: string]: unknown } | undefined): boolean {
  return capability !== undefined && ("form" in capability || !("url" in capability));
}

function replyTo(
  key: string,
  responses: Record<string, unknown> | undefined,
): CallAnswer | undefined {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.action === "cancel") return undefined;
  if (view.action === "decline") return { key, value: null };
  const line = view.content?.line;
  return { key, value: typeof line === "string" ? line : "" };
}

/**
 * The elicitations of a run; undefined if the user of the client has nothing to answer, or the model
 * goes on. Calls of the model's own tools are for the model, and so is a question beside them.
 */
export function elicitationsOf(
  { waiting, logs }: Run,
  { canAsk, asked }: Pick<Asking, "canAsk" | "asked">,
): InputRequiredResult | undefined {
  if (!canAsk || waiting === undefined) return undefined;
  const { run } = waiting;
  const approvals = approvalsOf(waiting);
  const input = approvals.length === waiting.calls.length ? waiting.input : undefined;
  if (approvals.length === 0 && input === undefined) return undefined;
  const known = asked?.run === run ? asked : { round: 0, shown: 0 };
  if (known.round >= ROUNDS) return undefined;
  const output = logs.stdout.join("\n");
  const state: Elicited = {
    run,
    ...(input === undefined ? {} : { key: input.key }),
    ...(approvals.length === 0 ? {} : { approvals: approvals.map(({ key }) => key) }),
    round: known.round + 1,
    shown: input === undefined ? known.shown : output.length,
  };
  return inputRequired({
    inputRequests: {
      ...Object.fromEntries(approvals.map((call) => [call.key, approvalRequest(call)])),
      ...(input === undefined ? {} : questionRequest(input, output.slice(known.shown))),
    },
    requestState: JSON.stringify(state),
  });
}

/** `output`: since the last question. */
function questionRequest({ key, prompt }: NonNullable<RunWaiting["input"]>, output: string) {
  return {
    [key]: inputRequired.elicit({
      message: messageOf(output, prompt),
      requestedSchema: {
        type: "object",
        properties: {
          line: { type: "string", title: "Line of input", description: "May be empty." },
        },
      },
    }),
  };
}

/** The output since the last question, which ends with the prompt. */
function messageOf(output: string, prompt: string): string {
  const text = output.endsWith(prompt) ? output : `${output}\n${prompt}`;
  const bytes = new TextEncoder().encode(text.trim());
  if (bytes.length === 0) return "The program asks for a line of input.";
  if (bytes.length <= MESSAGE_BYTES) return text.trim();
  const half = MESSAGE_BYTES / 2;
  return `${firstBytes(bytes, half)}\n[…]\n${lastBytes(bytes, half)}`;
}
