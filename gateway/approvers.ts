/**
 * Tokens that may only approve: they see the runs that wait, and approve or deny calls
 * (docs/tools.md#approvals).
 *
 * @module
 */
import type { Decider } from "../client/protocol/journal.ts";
import { PAGE_HEADER } from "../client/protocol/paths.ts";

/** Paths of a tenant, or below a sandbox. */
const READ = /^(?:\/languages\/[^/]+\/sandboxes\/[^/]+)?\/(?:runs(?:\/[^/]+)?|journal\/[^/]+)$/;
const ANSWER = /^(?:\/languages\/[^/]+\/sandboxes\/[^/]+)?\/runs\/[^/]+\/answers$/;

/** Whether a request is one that a token of an approver may send. */
export function isOfApprovers(method: string, path: string): boolean {
  return method === "POST" ? ANSWER.test(path) : method === "GET" && READ.test(path);
}

/** Who decides, of a request with a tenant's own token. */
export function deciderOf(headers: Headers): Decider {
  return headers.has(PAGE_HEADER) ? "page" : "run";
}
