/**
 * The listing of sandboxes (docs/contract.md#listing-of-sandboxes).
 *
 * @module
 */
import { z } from "zod";
import { SANDBOXES_PATH } from "../../client/protocol/paths.ts";
import { LISTING_LIMITS } from "../../shared/limits.ts";
import { callCauses, commonCauses, pageCauses, tokenCauses } from "./error_causes.ts";
import { SANDBOX_LIST_EXAMPLES } from "./examples.ts";
import type { Operation } from "./operation.ts";
import type { BodySchemas } from "./schemas.ts";

/** The operation. */
export function listingOperation(schemas: BodySchemas): Operation {
  const { pageSize, maxPageSize } = LISTING_LIMITS;
  return {
    method: "get",
    path: SANDBOXES_PATH,
    id: "listSandboxes",
    tag: "Sandbox",
    summary: "List the sandboxes",
    description:
      "The sandboxes of the token's tenant, sorted by id. A sandbox that exists while all " +
      "pages are read is on exactly one of them.",
    queryParameters: {
      limit: z.int().min(1).max(maxPageSize).default(pageSize)
        .describe("Maximum number of sandboxes on the page."),
      cursor: z.string().optional().describe("The `cursor` of the previous page."),
    },
    success: {
      description: "A page.",
      schema: schemas.SandboxList,
      examples: SANDBOX_LIST_EXAMPLES,
    },
    errors: [...commonCauses(), ...tokenCauses(), ...callCauses(), ...pageCauses()],
  };
}
