/**
 * Takes the operator's secrets out of the answers of tools, before anything else sees them: a server
 * may send back the headers that it got.
 *
 * @module
 */
import type { JsonValue } from "../client/protocol/types.ts";
import { exactDigits } from "../shared/exact_json.ts";

/** In place of a secret. */
const MARK = "[secret]";

/** The secrets of a service. */
export class SecretFilter {
  /** Also as they are within JSON. The longest first: one may be a part of another. */
  #secrets: readonly string[] = [];
  /** The same, as they are in the JSON of a text that holds them. */
  #written: readonly string[] = [];

  /** Takes these out, too. Earlier ones stay: a server may have got them. */
  add(secrets: Iterable<string>): void {
    const added = [...secrets].flatMap((secret) => [secret, withinJson(secret)]);
    this.#secrets = [...new Set([...this.#secrets, ...added])]
      .filter((secret) => secret !== "")
      .sort((a, b) => b.length - a.length);
    this.#written = this.#secrets.map(withinJson);
  }

  /** A text without secrets. */
  text(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, () => MARK), text);
  }

  /**
   * A JSON value without secrets in its texts, keys and numbers; of any depth that was parsed.
   */
  value(value: JsonValue): JsonValue {
    // a text that holds a secret holds it in its JSON too, in the form that it has there
    const json = JSON.stringify(value);
    return this.#written.some((secret) => json.includes(secret)) ? this.#filtered(value) : value;
  }

  #filtered(value: JsonValue): JsonValue {
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.#filtered(item));
    const json = typeof value === "object" && value !== null ? exactDigits(value) : `${value}`;
    if (json !== undefined) {
      const filtered = this.text(json);
      return filtered === json ? value : filtered;
    }
    return Object.fromEntries(
      Object.entries(value ?? {}).map(([key, item]) => [this.text(key), this.#filtered(item)]),
    );
  }
}

/** A text without the quotes of its JSON. */
function withinJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
