/**
 * Answers held against an OpenAPI document: status, media type, headers and body have to be as the
 * document says. The document is taken as the text that a service sent, and read by a validator
 * that shares nothing with what made it.
 *
 * @module
 */
import { assert, assertEquals, fail } from "@std/assert";
import { Ajv2020 } from "ajv/dist/2020.js";
import { EVENT_STREAM, NDJSON } from "../../client/protocol/run_events.ts";
import { allEventsOf } from "../support/run_stream.ts";

/** A JSON object. */
export type Json = { readonly [key: string]: unknown };

/** An operation as a document lists it. */
interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Json;
}

const DOCUMENT = "openapi";

/** A document and what was seen of it. */
export class DocumentedService {
  readonly document: Json;
  /** The answers: `METHOD path status code`, or without a code. */
  readonly seen: Set<string> = new Set();
  readonly #ajv: Ajv2020;

  constructor(document: unknown) {
    assert(isJson(document));
    this.document = document;
    this.#ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
    this.#ajv.addSchema(document, DOCUMENT);
  }

  /** The operations, methods in upper case. */
  get operations(): readonly ListedOperation[] {
    return Object.entries(objectAt(this.document, ["paths"])).flatMap(([path, item]) => {
      assert(isJson(item));
      return Object.entries(item).map(([method, operation]) => {
        assert(isJson(operation));
        return { method: method.toUpperCase(), path, operation };
      });
    });
  }

  /** Holds an answer to a request for an operation against the document. */
  async check(method: string, path: string, answer: Response): Promise<void> {
    const what = `${method} ${path} ${answer.status}`;
    // A method that a path does not have is documented with each one that it has.
    const at = ["paths", path, method.toLowerCase(), "responses", String(answer.status)];
    const place = this.#resolved(at, what);
    const response = objectAt(this.document, place);
    const mediaType = (answer.headers.get("content-type") ?? "").split(";")[0] ?? "";
    this.#checkHeaders(response, answer.headers, what);
    const text = await answer.text();
    if (response["content"] === undefined) {
      assertEquals(text, "", what);
      this.seen.add(what);
      return;
    }
    const content = objectAt(response, ["content"]);
    const range = mediaType in content ? mediaType : "*/*";
    assert(range in content, `${what}: ${mediaType} is not documented`);
    const body: unknown = range === "application/json" ? JSON.parse(text) : text;
    this.checkValue([...place, "content", range, "schema"], body, `${what} ${text}`);
    if (mediaType === NDJSON || mediaType === EVENT_STREAM) await this.#checkEvents(answer, text);
    const code = isJson(body) && answer.status >= 400 ? ` ${body["code"]}` : "";
    if (code !== "" && isJson(body)) assertEquals(body["httpStatus"], answer.status, what);
    this.seen.add(`${what}${code}`);
  }

  async #checkEvents({ headers }: Response, text: string): Promise<void> {
    for await (const event of allEventsOf(new Response(text, { headers }))) {
      const what = JSON.stringify(event);
      this.checkValue(["components", "schemas", "RunEvent"], event, what);
    }
  }

  /** Whether a value is as the schema at a place of the document says. */
  accepts(place: readonly string[], value: unknown): boolean {
    return this.#validator(place)(value) === true;
  }

  /** Fails with what is wrong about a value. */
  checkValue(place: readonly string[], value: unknown, what: string): void {
    const validate = this.#validator(place);
    if (validate(value) !== true) fail(`${what}: ${this.#ajv.errorsText(validate.errors)}`);
  }

  #validator(place: readonly string[]) {
    const reference = `${DOCUMENT}#${pointer(place)}`;
    const validate = this.#ajv.getSchema(reference);
    assert(validate !== undefined, reference);
    return validate;
  }

  /** The place of what is at a place, once references are followed. */
  #resolved(place: readonly string[], what: string): readonly string[] {
    const found = valueAt(this.document, place);
    assert(isJson(found), `${what} is not documented`);
    const reference = found["$ref"];
    if (typeof reference !== "string") return place;
    return reference.slice(2).split("/").map(decodeSegment);
  }

  #checkHeaders(response: Json, headers: Headers, what: string): void {
    for (const [name, header] of Object.entries(response["headers"] ?? {})) {
      assert(isJson(header));
      const place = this.#resolved(String(header["$ref"]).slice(2).split("/"), what);
      const value = headers.get(name);
      const described = objectAt(this.document, place);
      if (described["required"] === true) assert(value !== null, `${what}: no ${name}`);
      if (value === null) continue;
      const type = objectAt(described, ["schema"])["type"];
      const read = type === "integer" ? Number(value) : value;
      this.checkValue([...place, "schema"], read, `${what} ${name}`);
    }
  }
}

/** All codes that the document gives an operation for a status. */
export function codesOf(document: Json, { method, path }: ListedOperation, status: string) {
  const response = followed(
    document,
    ["paths", path, method.toLowerCase(), "responses", status],
  );
  const schema = objectAt(response, ["content", "application/json", "schema"]);
  const choices = Array.isArray(schema["anyOf"]) ? schema["anyOf"] : [schema];
  return choices.map((choice) => {
    const named = followed(document, String(choice["$ref"]).slice(2).split("/"));
    return String(objectAt(named, ["properties", "code"])["const"]);
  });
}

/** The part of a document at a place, or the one that it refers to. */
export function followed(document: Json, place: readonly string[]): Json {
  const found = objectAt(document, place);
  const reference = found["$ref"];
  return typeof reference === "string"
    ? objectAt(document, reference.slice(2).split("/").map(decodeSegment))
    : found;
}

/** The part of a value at a place, if there is one. */
function valueAt(value: unknown, place: readonly string[]): unknown {
  let at = value;
  for (const name of place) {
    if (!isJson(at) || !Object.hasOwn(at, name)) return undefined;
    at = at[name];
  }
  return at;
}

/** The object at a path in a value; fails when there is none. */
export function objectAt(value: unknown, place: readonly string[]): Json {
  const found = valueAt(value, place);
  assert(isJson(found), `nothing at ${pointer(place)}`);
  return found;
}

/** Whether a value is an object and no array. */
export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function pointer(place: readonly string[]): string {
  return place.map((name) => {
    const escaped = name.replaceAll("~", "~0").replaceAll("/", "~1");
    return `/${encodeURIComponent(escaped)}`;
  }).join("");
}

function decodeSegment(segment: string): string {
  return decodeURIComponent(segment).replaceAll("~1", "/").replaceAll("~0", "~");
}
