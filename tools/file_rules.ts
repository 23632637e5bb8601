/**
 * The rules of the tools file that concern several places of it. They are checked also where other parts
 * are wrong, so that all faults are told at once.
 *
 * @module
 */
import {
  type AllowedAddress,
  endpointOf,
  judgeUrl,
  parseAllowedAddress,
} from "../outgoing/addresses.ts";
import { matchesTool } from "../shared/operator_tools.ts";
import { isToolName, isToolPattern } from "../shared/tool_schemas.ts";
import { parseUrlTemplate } from "./url_template.ts";

/** A fault and its place. */
export interface PlacedFault {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

/** Most tools. */
export const MAX_TOOLS = 1_000;

const TENANT = /^[A-Za-z0-9._-]{1,63}$/;

/** The faults of a file of any form, whose parts are checked elsewhere. */
export function placeFaults(file: unknown): readonly PlacedFault[] {
  const { servers, operations, tenants, privateAddresses } = fieldsOf(file);
  const names = { servers: keysOf(servers), operations: keysOf(operations) };
  const allowed = (Array.isArray(privateAddresses) ? privateAddresses : []).flatMap((entry) =>
    typeof entry === "string" ? parseAllowedAddress(entry) ?? [] : []
  );
  return [
    ...nameFaults(names),
    ...Object.entries(fieldsOf(servers)).flatMap(([name, server]) =>
      urlFaults(["servers", name, "url"], fieldsOf(server)["url"], allowed)
    ),
    ...Object.entries(fieldsOf(operations)).flatMap(([name, operation]) =>
      operationFaults(["operations", name], fieldsOf(operation), allowed)
    ),
    ...Object.entries(fieldsOf(tenants)).flatMap(([tenant, patterns]) =>
      tenantFaults(tenant, patterns, names)
    ),
  ];
}

/** Characters of a server's key: the names of its tools have at most 128 with it. */
const SERVER_LENGTH = 100;

interface Names {
  readonly servers: readonly string[];
  readonly operations: readonly string[];
}

function nameFaults({ servers, operations }: Names): readonly PlacedFault[] {
  const faults: PlacedFault[] = [];
  const all = new Set([...servers, ...operations]);
  const most = { path: ["operations"], message: `has more than ${MAX_TOOLS} tools` };
  if (operations.length > MAX_TOOLS) faults.push(most);
  for (const name of servers) {
    const path = ["servers", name];
    if (!isToolName(name) || name.includes(".") || name.length > SERVER_LENGTH) {
      const message = `must be one identifier: letters, digits and _, at most ${SERVER_LENGTH}`;
      faults.push({ path, message });
    }
  }
  for (const name of operations) {
    const path = ["operations", name];
    if (!isToolName(name)) {
      faults.push({ path, message: "must be identifiers joined by dots, at most 128 characters" });
    }
    if (servers.includes(name)) faults.push({ path, message: "is the name of a server" });
    for (let dot = name.indexOf("."); dot !== -1; dot = name.indexOf(".", dot + 1)) {
      const prefix = name.slice(0, dot);
      if (!all.has(prefix)) continue;
      const kind = servers.includes(prefix) ? "server" : "operation";
      faults.push({ path, message: `begins with the name of the ${kind} ${prefix}` });
    }
  }
  return faults;
}

function operationFaults(
  path: readonly string[],
  { url, inputSchema }: Fields,
  allowed: readonly AllowedAddress[],
): readonly PlacedFault[] {
  const place = [...path, "url"];
  const template = typeof url === "string" ? parseUrlTemplate(url) : undefined;
  if (template === undefined || typeof template === "string") return [];
  const properties = fieldsOf(fieldsOf(inputSchema)["properties"]);
  const unknown = [...template.names].filter((name) => !Object.hasOwn(properties, name));
  return [
    ...unknown.map((name) => ({ path: place, message: `{${name}} is no property of inputSchema` })),
    ...urlFaults(place, url, allowed),
  ];
}

function urlFaults(
  path: readonly string[],
  url: unknown,
  allowed: readonly AllowedAddress[],
): readonly PlacedFault[] {
  const template = typeof url === "string" ? parseUrlTemplate(url) : undefined;
  if (template === undefined || typeof template === "string") return [];
  const { base } = template;
  if (judgeUrl(base, allowed) !== undefined) {
    return [{ path, message: "has an address that is neither public nor in privateAddresses" }];
  }
  const { port } = endpointOf(base);
  const canBePlain = allowed.some((entry) => entry.port === undefined || entry.port === port);
  if (base.protocol === "https:" || canBePlain) return [];
  return [{ path, message: "must be an https: URL, or go to an address in privateAddresses" }];
}

function tenantFaults(
  tenant: string,
  patterns: unknown,
  { servers, operations }: Names,
): readonly PlacedFault[] {
  const path = ["tenants", tenant];
  const named = tenant === "*" || TENANT.test(tenant)
    ? []
    : [{ path, message: "is no name of a tenant: 1 to 63 of A-Z, a-z, 0-9, dot, _ and -" }];
  const list: readonly unknown[] = Array.isArray(patterns) ? patterns : [];
  const idle = list.flatMap((pattern, index) => {
    if (typeof pattern !== "string" || !isToolPattern(pattern)) return [];
    const isUsed = operations.some((name) => matchesTool(pattern, name)) ||
      servers.some((server) => canMatchServer(pattern, server));
    const message = "matches no operation and no server";
    return isUsed ? [] : [{ path: [...path, index], message }];
  });
  return [...named, ...idle];
}

/** Whether a name or pattern can match a tool of a server, whose tools may not be known. */
function canMatchServer(pattern: string, server: string): boolean {
  const [first, ...rest] = pattern.split(".");
  return pattern === "*" || (first === server && rest.length === 1);
}

type Fields = { readonly [name: string]: unknown };

/** The fields of an object; none of anything else. */
function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function keysOf(value: unknown): readonly string[] {
  return Object.keys(fieldsOf(value));
}
