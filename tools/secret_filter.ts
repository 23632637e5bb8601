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

  /** Takes these out, too. Earlier ones stay: a server may have got them. */
  add(secrets: Iterable<string>): void {
    const added = [...secrets].flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1)]);
    this.#secrets = [...new Set([...this.#secrets, ...added])]
      .filter((secret) => secret !== "")
      .sort((a, b) => b.length - a.length);
  }

  /** A text without secrets. */
  text(text: string): string {
    return this.#secrets.reduce((left, secret) => left.replaceAll(secret, () => MARK), text);
  }

  /**
   * A JSON value without secrets in its texts, keys and numbers; of any depth that was parsed.
   */
  value(value: JsonValue): JsonValue {
    if (this.#secrets.length === 0) return value;
    if (typeof value === "string") return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    const json = typeof value === "object" && value !== null ? exactDigits(value) : `${value}`;
    if (json !== undefined) {
      const filtered = this.text(json);
      return filtered === json ? value : filtered;
    }
    return Object.fromEntries(
      Object.entries(value ?? {}).map(([key, item]) => [this.text(key), this.value(item)]),
    );
  }
}
