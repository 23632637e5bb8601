/**
 * The calls and questions of a run: those that the program made, those that are shown to the caller,
 * and the answers to them.
 *
 * @module
 */
import { quoted } from "../client/protocol/text.ts";
import type {
  JsonValue,
  Language,
  PendingCall,
  PendingInput,
  Waiting,
} from "../client/protocol/types.ts";
import { CALL_LIMITS } from "../shared/call_limits.ts";
import { isDeep, parseExactJson } from "../shared/exact_json.ts";
import { integerPlaces } from "./integer_places.ts";
import { valueFault } from "../shared/json_schema.ts";
import type { OperatorSettings, RunTool } from "../shared/operator_tools.ts";
import type { CallFailure, Delivery, ProgramCall } from "../shared/run_calls.ts";
import type { Additions, Decision } from "./additions.ts";

/** About the bytes of a call besides its arguments. */
const CALL_BYTES = 512;

/** A call or a question that the caller knows. Times are epoch milliseconds. */
export interface Shown {
  readonly key: string;
  readonly shownAt: number;
  readonly expiresAt: number;
}

/** A call that the caller knows, or that the service performs. */
export interface ShownCall extends Shown, Pick<ProgramCall, "number" | "name" | "arguments"> {
  /** Of a tool of the operator, as of the moment at which it was shown. */
  readonly operator?: OperatorSettings;
}

/** Of a tool that the tenant has lost: its calls are denied. */
const LOST: OperatorSettings = {
  approval: "never",
  idempotent: false,
  timeoutMs: 1,
  revision: "",
};

/** A question that the caller knows. */
export interface ShownQuestion extends Shown {
  readonly number: number;
  readonly prompt: string;
}

/** The calls and questions of one run. */
export class CallTable {
  readonly #run: string;
  readonly #tools: ReadonlyMap<string, RunTool>;
  readonly #waitMs: number;
  readonly #calls = new Map<number, ShownCall>();
  readonly #questions = new Map<number, ShownQuestion>();
  /** Digests of answers, by key. */
  readonly #answers = new Map<string, string>();
  readonly #verdicts = new Map<string, Decision>();
  /** Keys of calls whose requests may have gone out. */
  readonly #started = new Set<string>();
  /** Bytes of the arguments of all calls. */
  #bytes = 0;
  /** Calls that the program has made and the caller does not know yet. */
  readonly #made = new Map<number, ProgramCall>();
  /** The calls and questions whose events are there. */
  readonly #announced = new Set<string>();

  /** `waitMs`: after so many milliseconds a call or question expires. */
  constructor(run: string, tools: readonly RunTool[], waitMs: number) {
    this.#run = run;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.#waitMs = waitMs;
  }

  /**
   * Notes a call of the program. Returns the error of a call that no caller sees; `"other"` if
   * an earlier attempt made another call in its place.
   */
  make(call: ProgramCall): CallFailure | "other" | undefined {
    const known = this.#calls.get(call.number) ?? this.#made.get(call.number);
    if (known !== undefined) {
      const isSame = known.name === call.name && known.arguments === call.arguments;
      if (isSame && !this.#announced.has(`${call.number}`)) this.#made.set(call.number, call);
      return isSame ? undefined : "other";
    }
    const message = this.#fault(call);
    if (message !== undefined) return { kind: "tool", message };
    this.#made.set(call.number, call);
    this.#bytes += call.arguments.length;
    return undefined;
  }

  /** About the bytes that calls take. */
  get bytes(): number {
    return this.#bytes + CALL_BYTES * (this.#calls.size + this.#made.size);
  }

  #fault({ name, arguments: text }: ProgramCall): string | undefined {
    const tool = this.#tools.get(name);
    if (tool === undefined) return `There is no tool ${quoted(name)}`;
    let value: JsonValue;
    try {
      if (isDeep(text)) return `The arguments of ${name} are nested too deeply`;
      value = parseExactJson(text);
    } catch {
      return `The arguments of ${name} are not JSON`;
    }
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return `The arguments of ${name} must be an object`;
    }
    const fault = tool.inputSchema && valueFault(tool.inputSchema, value);
    return fault === undefined ? undefined : `The arguments of ${name} are not valid: ${fault}`;
  }

  /** The calls that are shown next. `settings`: of a call of the operator's tools. */
  next(
    now: number,
    settings: (call: ProgramCall) => OperatorSettings | undefined,
  ): readonly ShownCall[] {
    return [...this.#made.values()].map((made) => {
      const { number, name, arguments: text } = made;
      const known = this.#calls.get(number);
      if (known !== undefined) return known;
      const tool = this.#tools.get(name);
      const longest = Math.min(tool?.timeoutMs ?? Infinity, this.#waitMs);
      const key = `${this.#run}/${number}`;
      const call = { number, name, arguments: text, key, shownAt: now, expiresAt: now + longest };
      return tool?.isOperators === true ? { ...call, operator: settings(made) ?? LOST } : call;
    });
  }

  /** The question, as it is shown next; undefined when it is known already. */
  nextQuestion(number: number, prompt: string, now: number): ShownQuestion | undefined {
    if (this.#announced.has(`input-${number}`)) return undefined;
    const known = this.#questions.get(number);
    if (known !== undefined) return known;
    const key = `${this.#run}/input-${number}`;
    return { number, prompt, key, shownAt: now, expiresAt: now + this.#waitMs };
  }

  /** Takes in calls and questions that another process has shown. */
  restore(calls: readonly ShownCall[], questions: readonly ShownQuestion[]): void {
    this.#know(calls, questions);
    // without an approval a call is sent once it is stored
    for (const { key, operator } of calls) {
      if (operator?.approval === "never") this.#started.add(key);
    }
  }

  #know(calls: readonly ShownCall[], questions: readonly ShownQuestion[]): void {
    for (const call of calls) {
      if (!this.#made.has(call.number)) this.#bytes += call.arguments.length;
      this.#calls.set(call.number, call);
    }
    for (const question of questions) this.#questions.set(question.number, question);
  }

  /** The caller knows these from now on. */
  show(calls: readonly ShownCall[], question: ShownQuestion | undefined): void {
    this.#know(calls, question === undefined ? [] : [question]);
    for (const { number } of calls) {
      this.#made.delete(number);
      this.#announced.add(`${number}`);
    }
    if (question !== undefined) this.#announced.add(`input-${question.number}`);
  }

  /** Whether the caller knows a call or question from an earlier process. */
  isKnown({ key }: Shown): boolean {
    return this.call(key) !== undefined || this.questionOf(key) !== undefined;
  }

  /** The call of a key, if the caller knows it. */
  call(key: string): ShownCall | undefined {
    return [...this.#calls.values()].find((call) => call.key === key);
  }

  /** The question of a key, if the caller knows it. */
  questionOf(key: string): ShownQuestion | undefined {
    return [...this.#questions.values()].find((question) => question.key === key);
  }

  /** All calls that were shown, in the order in which they were made. */
  shown(): readonly ShownCall[] {
    return this.#calls.values().toArray().sort((a, b) => a.number - b.number);
  }

  /** The tool of a call. */
  tool({ name }: ShownCall): RunTool | undefined {
    return this.#tools.get(name);
  }

  /** A delivery to a program: in JavaScript with the places of its large integers. */
  typed(delivery: Delivery, language: Language): Delivery {
    if (language !== "javascript" || !("value" in delivery)) return delivery;
    const { call, value } = delivery;
    const made = this.#calls.get(call) ?? this.#made.get(call);
    // a larger value is a file in the program
    const schema = made && value.length <= CALL_LIMITS.answerBytes
      ? this.#tools.get(made.name)?.outputSchema
      : undefined;
    const integers = schema && integerPlaces(schema, value);
    return integers === undefined ? delivery : { ...delivery, integers };
  }

  /** The digest of the answer with a key; undefined: it has no answer. */
  answerTo(key: string): string | undefined {
    return this.#verdicts.get(key)?.digest ?? this.#answers.get(key);
  }

  /** The decision about a call. */
  decision(key: string): Decision | undefined {
    return this.#verdicts.get(key);
  }

  /** Whether none of the keys of an addition was answered or decided meanwhile. */
  accepts({ digests, verdicts = [] }: Additions): boolean {
    return !digests.some(([key]) => this.#answers.has(key)) &&
      !verdicts.some(([key]) => this.#verdicts.has(key));
  }

  /** Takes in the answers, decisions and beginnings of an addition. */
  take({ digests, verdicts = [], started = [] }: Additions): void {
    for (const [key, digest] of digests) this.#answers.set(key, digest);
    for (const [key, decision] of verdicts) this.#verdicts.set(key, decision);
    for (const key of started) this.#started.add(key);
  }

  /** Whether the request of a call may have gone out, before this process went on with the run. */
  isStarted({ key }: Shown): boolean {
    return this.#started.has(key);
  }

  /** Whether the service performs a call, or has performed it. */
  isPerformed(call: ShownCall): boolean {
    return this.#isFree(call);
  }

  /** Why the program waits, with the open question of this number. */
  waiting(number: number | undefined): Waiting {
    const calls = this.open();
    const question = this.openQuestion(number);
    const expiries = [...calls, ...question === undefined ? [] : [question]]
      .map(({ expiresAt }) => expiresAt);
    return {
      run: this.#run,
      calls: calls.map(pendingCall),
      ...(question === undefined ? {} : { input: pendingInput(question) }),
      ...(expiries.length === 0 ? {} : { expiresAt: Math.min(...expiries) }),
    };
  }

  /** The calls that callers can answer: their own, and those that wait for an approval. */
  open(): readonly ShownCall[] {
    return this.#unanswered().filter((call) => !this.#isFree(call));
  }

  /** The calls that the service performs. */
  free(): readonly ShownCall[] {
    return this.#unanswered().filter((call) => this.#isFree(call));
  }

  #unanswered(): readonly ShownCall[] {
    return [...this.#calls.values()].filter(({ key }) => !this.#answers.has(key));
  }

  /** Whether it is a call of the operator's tools that needs no approval, or has it. */
  #isFree({ key, operator }: ShownCall): boolean {
    return operator !== undefined &&
      (operator.approval === "never" || this.#verdicts.has(key));
  }

  /** The open question with a number, if the caller knows it and has not answered it. */
  openQuestion(number: number | undefined): ShownQuestion | undefined {
    const question = number === undefined ? undefined : this.#questions.get(number);
    return question === undefined || this.#answers.has(question.key) ? undefined : question;
  }
}

/** A call as callers see it. */
export function pendingCall({ key, name, arguments: text, operator }: ShownCall): PendingCall {
  const call = { key, name, arguments: parseExactJson(text) };
  return operator === undefined ? call : { ...call, approval: "always" };
}

/** A question as callers see it. */
export function pendingInput({ key, prompt }: ShownQuestion): PendingInput {
  return { key, prompt };
}
