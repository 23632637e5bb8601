/**
 * Reads the driver's answer: a letter for the kind of ending, then its content. The driver
 * lives among the guest's objects, so every answer is untrusted.
 *
 * @module
 */
import { readDescribedError } from "../../../engine/described_error.ts";
import type { Ending, RunLimits, RunRequest } from "../../../engine/engine.ts";
import { separateRepr, withTextAsRepr } from "../../../engine/value_repr.ts";

/** Bytes of the longest error description that is read. The driver's are much shorter. */
const MAX_DESCRIPTION_BYTES = 8 * 1024 * 1024;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** How the run ended, according to the driver's answer. */
export function readAnswer(
  bytes: Uint8Array,
  request: Pick<RunRequest, "limits" | "repr">,
): Ending {
  const { answer, repr } = separateRepr(bytes);
  return withTextAsRepr(endingOf(answer, request.limits), request, repr);
}

function endingOf(answer: Uint8Array, limits: RunLimits): Ending {
  const content = answer.subarray(1);
  const text = () => new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const kind = String.fromCharCode(answer[0] ?? 0);
  if (kind === "e") {
    const described = content.length > MAX_DESCRIPTION_BYTES ? "" : text();
    const { tracebackBytes } = limits;
    return {
      kind: "error",
      error: readDescribedError(described, { name: "Exception", tracebackBytes }),
    };
  }
  if (content.length > limits.resultBytes) {
    return { kind: "limit", limit: "result", traceback: [] };
  }
  if (kind === "n") return { kind: "none" };
  if (kind === "t") return { kind: "text", text: text() };
  if (kind === "j") {
    const json = text();
    return isJson(json) ? { kind: "json", json } : { kind: "text", text: json };
  }
  return { kind: "crash" };
}
