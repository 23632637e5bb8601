/**
 * The command `tokens class`: adds a tenant with a token for each person of a list to the file of
 * tenants, and prints the tokens. The other contents of the file stay.
 *
 * @module
 */
import { applyEdits, modify } from "jsonc-parser";
import { parseConfig } from "../shared/config_file.ts";
import type { LimitsByLanguage } from "../shared/limits.ts";
import { TENANT_PATTERN } from "./credentials.ts";
import { tokensFileSchema } from "./tokens_file.ts";

/** An order of the command line. */
export interface TokensOrder {
  /** `class NAME LIST`. */
  readonly args: readonly string[];
  /** The path of the file of tenants. */
  readonly tokensFile: string | undefined;
  /** The limits of the service: those of a tenant in the file are at most these. */
  readonly limits: LimitsByLanguage;
}

/** Where the command writes. */
export interface TokensOutput {
  /** The lines to hand out. */
  readonly print: (line: string) => void;
  /** Messages and errors. */
  readonly tell: (line: string) => void;
}

/** The form of the command. */
export const TOKENS_USAGE = "tokens class NAME FILE|COUNT";

const MAX_PEOPLE = 500;
const MAX_LIST_BYTES = 100_000;
/** Without signs that look alike. */
const SIGNS = "23456789abcdefghjkmnpqrstuvwxyz";
const GROUPS = 4;
const GROUP_SIGNS = 5;
/** Readable by the operator only. */
const MODE = 0o600;
const FORMAT = { insertSpaces: true, tabSize: 2 };

/** The command cannot be carried out; the message says why. */
class TokensRefused extends Error {
  override readonly name = "TokensRefused";
}

/** One person of a class. */
interface Member {
  readonly person: string;
  readonly tenant: string;
  readonly token: string;
}

/** Runs the command; gives its exit code. */
export async function runTokens(
  { args, tokensFile, limits }: TokensOrder,
  { print, tell }: TokensOutput,
): Promise<number> {
  const [action, name, list, ...rest] = args;
  if (action !== "class" || name === undefined || list === undefined || rest.length > 0) {
    tell(`Usage: deno task ${TOKENS_USAGE}`);
    return 2;
  }
  try {
    if (tokensFile === undefined) {
      throw new TokensRefused("TOKENS_FILE must name the file of tenants");
    }
    const members = membersOf(name, await peopleOf(list));
    await addMembers(tokensFile, members, limits);
    for (const { person, tenant, token } of members) print([person, tenant, token].join("\t"));
    tell(`${members.length} tenants are added to ${tokensFile}`);
    return 0;
  } catch (thrown) {
    if (!(thrown instanceof TokensRefused)) throw thrown;
    tell(thrown.message);
    return 1;
  }
}

/** The people of a list: the lines of a file, or numbers up to a count. */
async function peopleOf(list: string): Promise<readonly string[]> {
  const people = /^\d+$/.test(list)
    ? Array.from({ length: Math.min(Number(list), MAX_PEOPLE + 1) }, (_, n) => numbered(n, list))
    : (await listText(list)).split(/\r?\n/).map((line) => line.trim()).filter((line) =>
      line !== ""
    );
  if (people.length === 0) throw new TokensRefused(`${list}: there is nobody in it`);
  if (people.length > MAX_PEOPLE) {
    throw new TokensRefused(`A class has at most ${MAX_PEOPLE} people`);
  }
  return people;
}

function numbered(index: number, count: string): string {
  return String(index + 1).padStart(Math.max(2, count.length), "0");
}

async function listText(path: string): Promise<string> {
  try {
    const { size } = await Deno.stat(path);
    if (size > MAX_LIST_BYTES) throw new TokensRefused(`${path}: has over ${MAX_LIST_BYTES} bytes`);
    return await Deno.readTextFile(path);
  } catch (thrown) {
    if (thrown instanceof TokensRefused) throw thrown;
    const reason = thrown instanceof Deno.errors.NotFound ? "is not there" : "cannot be read";
    throw new TokensRefused(`${path}: ${reason}`);
  }
}

/** Gives each person a tenant and a token. `Zoë Miller` of `7b` is the tenant `7b-zoe-miller`. */
function membersOf(name: string, people: readonly string[]): readonly Member[] {
  const tenants = new Set<string>();
  return people.map((person) => {
    const own = person.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase()
      .replace(/[^a-z0-9._]+/g, "-").replace(/^-|-$/g, "");
    const tenant = `${name}-${own}`;
    if (own === "" || !TENANT_PATTERN.test(tenant)) {
      throw new TokensRefused(
        `${shown(tenant)} is no name of a tenant: 1 to 63 of A-Z, a-z, 0-9, dot, _ and -`,
      );
    }
    if (tenants.has(tenant)) throw new TokensRefused(`${shown(person)} is there twice`);
    tenants.add(tenant);
    // a tab would end the column of the name
    return { person: person.replace(/\p{Cc}/gu, " "), tenant, token: newToken() };
  });
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

/** A token of groups that can be typed from paper: 99 random bits. */
function newToken(): string {
  return Array.from(
    { length: GROUPS },
    () => Array.from({ length: GROUP_SIGNS }, randomSign).join(""),
  ).join("-");
}

function randomSign(): string {
  const most = 256 - 256 % SIGNS.length;
  for (;;) {
    const [byte = 0] = crypto.getRandomValues(new Uint8Array(1));
    if (byte < most) return SIGNS[byte % SIGNS.length] ?? "";
  }
}

/** Adds tenants to the file, by renaming a new one. A file with a fault, or with one of them, stays. */
async function addMembers(
  path: string,
  members: readonly Member[],
  limits: LimitsByLanguage,
): Promise<void> {
  const before = await fileText(path);
  const schema = tokensFileSchema(limits, []);
  const content = parseConfig(path, before, schema);
  if ("faults" in content) throw new TokensRefused(content.faults.join("\n"));
  const known = members.filter(({ tenant }) => content.value.rules.has(tenant));
  if (known.length > 0) {
    const names = known.map(({ tenant }) => tenant).join(", ");
    throw new TokensRefused(`${path} has these tenants already, nothing is changed: ${names}`);
  }
  let text = before;
  for (const { tenant, token } of members) {
    const place = ["tenants", tenant];
    const edits = modify(text, place, { tokens: [token] }, { formattingOptions: FORMAT });
    text = applyEdits(text, edits);
  }
  const after = parseConfig(path, text, schema);
  if ("faults" in after) throw new TokensRefused(after.faults.join("\n"));
  await replaceFile(path, before, text);
}

/** The text of the file; an empty object for one that is not there. */
async function fileText(path: string): Promise<string> {
  try {
    return (await Deno.readTextFile(path)).replace(/^\uFEFF/, "");
  } catch (thrown) {
    if (thrown instanceof Deno.errors.NotFound) return "{}\n";
    throw new TokensRefused(`${path}: cannot be read`);
  }
}

/** Replaces a file by another text, unless somebody else has changed it. */
async function replaceFile(path: string, before: string, text: string): Promise<void> {
  const next = `${path}.${crypto.randomUUID()}`;
  try {
    const real = await Deno.realPath(path).catch(() => path);
    const mode = await Deno.stat(real).then((info) => info.mode ?? MODE, () => MODE);
    await Deno.writeTextFile(next, text, { mode: mode & 0o777, createNew: true });
    if (await fileText(path) !== before) {
      throw new TokensRefused(`${path} was changed meanwhile, nothing is changed: try again`);
    }
    await Deno.rename(next, real);
  } catch (thrown) {
    await Deno.remove(next).catch(() => undefined);
    if (thrown instanceof TokensRefused) throw thrown;
    throw new TokensRefused(`${path}: cannot be written`);
  }
}
