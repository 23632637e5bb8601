/**
 * A program's question for a line of input as an elicitation: the client shows it to its user, and
 * sends the call again with the line (revision 2026-07-28, `InputRequiredResult`).
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
import { firstBytes, lastBytes } from "./results.ts";
import type { Run } from "./run_schemas.ts";

/** Rounds of one call. The official clients give up after ten. */
const ROUNDS = 8;
/** Maximum length of the text that is shown, in bytes of UTF-8. */
const MESSAGE_BYTES = 2 * 1024;
const STATE_LENGTH = 1024;

const stateSchema = z.strictObject({
  run: z.string(),
  key: z.string(),
  round: z.int().positive(),
  /** Characters of standard output that earlier questions have shown. */
  shown: z.int().nonnegative(),
});

const envelopeSchema = z.looseObject({
  [CLIENT_CAPABILITIES_META_KEY]: z.looseObject({ elicitation: z.looseObject({}).optional() }),
});

/** A question that the client has got, as its next message gives it back. */
export type AskedQuestion = z.infer<typeof stateSchema>;

/** How a call of a tool can ask. */
export interface Asking {
  /** Whether the client can ask its user, who has not dismissed the last question. */
  readonly canAsk: boolean;
  /** The question to which this message is the reply. */
  readonly asked: AskedQuestion | undefined;
  /** The reply; undefined if the user has dismissed the question. */
  readonly reply: CallAnswer | undefined;
}

/**
 * Reads the state that a client gives back. It names a run of its tenant, as `answer_run` does, so it
 * needs no seal.
 *
 * @throws {TypeError} it is not one of a question.
 */
export function readAsked(state: string): AskedQuestion {
  if (state.length > STATE_LENGTH) throw new TypeError("the state is too long");
  const { success, data } = stateSchema.safeParse(JSON.parse(state));
  if (!success) throw new TypeError("the state is not that of a question");
  return data;
}

/** How the call of this message can ask. */
export function askingOf({ mcpReq }: ServerContext): Asking {
  const { data } = envelopeSchema.safeParse(mcpReq.envelope);
  const asked = mcpReq.requestState<AskedQuestion>();
  const reply = asked === undefined ? undefined : replyTo(asked.key, mcpReq.inputResponses);
  const isDismissed = asked !== undefined && reply === undefined;
  return {
    canAsk: !isDismissed && canElicit(data?.[CLIENT_CAPABILITIES_META_KEY]?.elicitation),
    asked,
    reply,
  };
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

/** The question of a run for the user of the client; undefined if it is one for the model. */
export function questionOf(
  { waiting, logs }: Run,
  { canAsk, asked }: Pick<Asking, "canAsk" | "asked">,
): InputRequiredResult | undefined {
  if (!canAsk || waiting?.input === undefined || waiting.calls.length > 0) return undefined;
  const { run, input: { key, prompt } } = waiting;
  const known = asked?.run === run ? asked : { round: 0, shown: 0 };
  if (known.round >= ROUNDS) return undefined;
  const output = logs.stdout.join("\n");
  const state: AskedQuestion = { run, key, round: known.round + 1, shown: output.length };
  return inputRequired({
    inputRequests: {
      [key]: inputRequired.elicit({
        message: messageOf(output.slice(known.shown), prompt),
        requestedSchema: {
          type: "object",
          properties: {
            line: { type: "string", title: "Line of input", description: "May be empty." },
          },
        },
      }),
    },
    requestState: JSON.stringify(state),
  });
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
