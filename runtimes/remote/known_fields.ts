/**
 * Fields of a run that not every version of a runtime knows. A runtime of an earlier version would
 * ignore them, so it gets no run that has them.
 *
 * @module
 */
import { bindingName, type Language } from "../../client/protocol/types.ts";
import { PROTOCOL_HEADER, PROTOCOL_SINCE } from "../../wire/binding.ts";
import type { Clock } from "../../wire/clock.ts";
import { runtimeUnavailable, validationFailed } from "../../wire/errors.ts";

/** What {@link KnownFields} needs. */
export interface KnownFieldsOptions {
  readonly language: Language;
  readonly clock: Clock;
  /** Requests the runtime's probe. Rejects with a ServiceError when it cannot be called. */
  readonly probe: () => Promise<Response>;
}

/** The fields, by name. */
type FieldName = keyof typeof PROTOCOL_SINCE;
/** Those fields of a run. */
type Fields = { readonly [N in FieldName]?: unknown };

const FIELDS: readonly FieldName[] = Object.keys(PROTOCOL_SINCE).filter(isFieldName);
/** The rest of a message after the name of a field. */
const ARE_NOT_SUPPORTED: { readonly [N in FieldName]: string } = {
  limits: "are not supported",
  stdin: "is not supported",
  seed: "is not supported",
  clock: "is not supported",
};
/** How long the known version of a runtime is trusted, in milliseconds. */
const KNOWN_MS = 60_000;

function isFieldName(name: string): name is FieldName {
  return name in PROTOCOL_SINCE;
}

/** Decides whether a runtime can get a run. */
export class KnownFields {
  readonly #options: KnownFieldsOptions;
  #version = 1;
  #knownUntil = -Infinity;

  constructor(options: KnownFieldsOptions) {
    this.#options = options;
  }

  /**
   * Makes sure that the runtime knows the fields that a run has.
   *
   * @throws {ServiceError} `VALIDATION_FAILED` when it does not, 502 when it cannot be called.
   */
  async ensure(run: Fields): Promise<void> {
    const asked = FIELDS.filter((name) => run[name] !== undefined);
    if (asked.length === 0) return;
    const now = this.#options.clock();
    if (now >= this.#knownUntil || !asked.every((name) => this.#knows(name))) await this.#ask(now);
    const unknown = asked.find((name) => !this.#knows(name));
    if (unknown === undefined) return;
    const binding = bindingName(this.#options.language);
    throw validationFailed(
      `${unknown} ${ARE_NOT_SUPPORTED[unknown]} by binding '${binding}': its runtime is of an ` +
        "earlier version",
    );
  }

  #knows(name: FieldName): boolean {
    return this.#version >= PROTOCOL_SINCE[name];
  }

  async #ask(now: number): Promise<void> {
    const answer = await this.#options.probe();
    await answer.body?.cancel();
    if (!answer.ok) throw runtimeUnavailable();
    this.#version = Number(answer.headers.get(PROTOCOL_HEADER) ?? 1);
    this.#knownUntil = now + KNOWN_MS;
  }
}
