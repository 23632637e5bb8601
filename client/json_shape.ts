/**
 * Reads untrusted JSON: each field is read by name and kind. A missing field, or one of another
 * kind, is a {@link ShapeError} that names it.
 *
 * Only own properties count, so a key such as `__proto__` or `constructor` has no effect.
 *
 * @module
 */
import type { JsonValue } from "./protocol/types.ts";

/** A value is not of the expected shape. The message names the field, never its value. */
export class ShapeError extends Error {
  override readonly name = "ShapeError";
}

/** A JSON object whose fields are read with a check. */
export class JsonShape {
  readonly #object: { readonly [key: string]: JsonValue };
  readonly #path: string;

  private constructor(object: { readonly [key: string]: JsonValue }, path: string) {
    this.#object = object;
    this.#path = path;
  }

  /** Parses a text that must be a JSON object. */
  static parse(text: string): JsonShape {
    let value: JsonValue;
    try {
      value = JSON.parse(text);
    } catch (cause) {
      throw new ShapeError("the answer is not JSON", { cause });
    }
    return JsonShape.of(value, "the answer");
  }

  /** A value that must be an object. */
  static of(value: JsonValue | undefined, path: string): JsonShape {
    if (!isJsonObject(value)) throw new ShapeError(`${path} is not an object`);
    return new JsonShape(value, path);
  }

  /** Whether the field exists. */
  has(key: string): boolean {
    return Object.hasOwn(this.#object, key);
  }

  /** The raw field; undefined when absent. */
  value(key: string): JsonValue | undefined {
    return this.has(key) ? this.#object[key] : undefined;
  }

  /** All fields, as they are. */
  fields(): { readonly [key: string]: JsonValue } {
    return this.#object;
  }

  /** A field that must be a string. */
  string(key: string): string {
    const value = this.value(key);
    if (typeof value !== "string") throw this.#wrong(key, "a string");
    return value;
  }

  /** A field that must be a finite number. */
  number(key: string): number {
    const value = this.value(key);
    if (typeof value !== "number" || !Number.isFinite(value)) throw this.#wrong(key, "a number");
    return value;
  }

  /** A field that must be a boolean. */
  boolean(key: string): boolean {
    const value = this.value(key);
    if (typeof value !== "boolean") throw this.#wrong(key, "a boolean");
    return value;
  }

  /** A field that must be a date as text. */
  date(key: string): Date {
    const date = new Date(this.string(key));
    if (Number.isNaN(date.getTime())) throw this.#wrong(key, "a date");
    return date;
  }

  /** A field that must be an object. */
  object(key: string): JsonShape {
    return JsonShape.of(this.value(key), this.#name(key));
  }

  /** A field that must be an array of strings. */
  strings(key: string): string[] {
    return this.#array(key).map((item) => {
      if (typeof item !== "string") throw this.#wrong(key, "an array of strings");
      return item;
    });
  }

  /** A field that must be an array of objects. */
  list<T>(key: string, read: (item: JsonShape) => T): T[] {
    return this.#array(key).map((item, index) => {
      return read(JsonShape.of(item, `${this.#name(key)}[${index}]`));
    });
  }

  /** The result of `read` for the field, or null when it is null. */
  nullable<T>(key: string, read: (key: string) => T): T | null {
    return this.value(key) === null ? null : read(key);
  }

  #array(key: string): readonly JsonValue[] {
    const value = this.value(key);
    if (!Array.isArray(value)) throw this.#wrong(key, "an array");
    return value;
  }

  #name(key: string): string {
    return this.#path === "the answer" ? key : `${this.#path}.${key}`;
  }

  #wrong(key: string, kind: string): ShapeError {
    return new ShapeError(`${this.#name(key)} is not ${kind}`);
  }
}

/** Whether a JSON value is an object. */
export function isJsonObject(
  value: JsonValue | undefined,
): value is { readonly [key: string]: JsonValue } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
