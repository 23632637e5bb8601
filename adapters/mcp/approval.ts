/**
 * A call of the operator's tools that needs an approval, as an elicitation: the client shows it to its
 * user, who approves or denies it. The model cannot answer it.
 *
 * @module
 */
import { type InputRequest, inputRequired, inputResponse } from "@modelcontextprotocol/server";
import type { CallAnswer } from "../../client/protocol/calls.ts";
import { firstBytes, lastBytes } from "./results.ts";
import type { RunWaiting } from "./run_schemas.ts";

/** A call of a waiting run. */
type WaitingCall = RunWaiting["calls"][number];

/** Maximum length of the arguments that are shown, in bytes of UTF-8. */
const ARGUMENTS_BYTES = 4 * 1024;
/** Maximum length of a reason, in characters. */
const REASON_LENGTH = 1_000;
/** The reason of a denial without one. */
const NOT_APPROVED = "The call was not approved";
/** Invisible characters, and those that change the order of others. */
const INVISIBLE = /[\p{Cf}\p{Zl}\p{Zp}]/gu;

/** The calls that wait for an approval. */
export function approvalsOf({ calls }: RunWaiting): readonly WaitingCall[] {
  return calls.filter(({ approval }) => approval !== undefined);
}

/** The elicitation of a call. */
export function approvalRequest({ name, arguments: given }: WaitingCall): InputRequest {
  return inputRequired.elicit({
    message: `The program calls ${name} with these arguments:\n${argumentsText(given)}`,
    requestedSchema: {
      type: "object",
      properties: {
        approve: { type: "boolean", title: "Approve the call" },
        reason: {
          type: "string",
          title: "Reason of a denial",
          description: "The program gets it.",
          maxLength: REASON_LENGTH,
        },
      },
      required: ["approve"],
    },
  });
}

/** The answer of the user; undefined if the elicitation was dismissed. */
export function approvalAnswer(
  key: string,
  responses: Record<string, unknown> | undefined,
): CallAnswer | undefined {
  const view = inputResponse(responses, key);
  if (view.kind !== "elicit" || view.action === "cancel") return undefined;
  const { approve, reason } = view.action === "accept" ? view.content ?? {} : {};
  if (approve === true) return { key, approve: true };
  const deny = typeof reason === "string" && reason.trim() !== "" ? reason : NOT_APPROVED;
  return { key, deny: deny.slice(0, REASON_LENGTH) };
}

/** Arguments as JSON. Who approves a call must see that a part of it is left out. */
function argumentsText(given: unknown): string {
  const json = JSON.stringify(given, null, 2).replace(INVISIBLE, escaped);
  const bytes = new TextEncoder().encode(json);
  if (bytes.length <= ARGUMENTS_BYTES) return json;
  const half = ARGUMENTS_BYTES / 2;
  const left = `[… ${bytes.length - ARGUMENTS_BYTES} bytes are not shown …]`;
  return `${firstBytes(bytes, half)}\n${left}\n${lastBytes(bytes, half)}`;
}

function escaped(character: string): string {
  return `\\u{${character.codePointAt(0)?.toString(16)}}`;
}
