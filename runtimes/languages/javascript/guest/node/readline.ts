/**
 * `readline` and `readline/promises` over a stream of text, line by line.
 *
 * @module
 */
import { nodeError } from "../web/node_error.ts";
import { type Emitter, EventEmitter } from "./events.ts";
import { setNeed } from "./standard_input.ts";
import type { Readable, Writable } from "./streams.ts";

type Answer = (line: string) => void;

interface Options {
  readonly input: Readable;
  readonly output?: Writable;
  readonly prompt?: string;
}

const LINE_BREAK = /\r\n|\n|\r/;

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isReadable(value: unknown): value is Readable {
  return isObject(value) && "on" in value && typeof value.on === "function";
}

/** Reads `(options)` or `(input, output)`. */
function readOptions(args: readonly unknown[]): Options {
  const [first, second] = args;
  const given = isReadable(first) ? { input: first, output: second } : Object(first);
  const { input, output, prompt } = given;
  if (!isReadable(input)) throw new TypeError('The "input" must be a readable stream');
  return {
    input,
    ...(isObject(output) && "write" in output ? { output: output as Writable } : {}),
    ...(typeof prompt === "string" ? { prompt } : {}),
  };
}

function closedError(): Error {
  return nodeError(Error, "ERR_USE_AFTER_CLOSE", "readline was closed");
}

/** The answer to a caller that waits for a line. */
type Next = (result: IteratorResult<string, undefined>) => void;

/**
 * Lines of an input. A line without a listener is kept for the next question or iteration,
 * where Node drops it.
 */
class Interface extends EventEmitter {
  readonly #options: Options;
  readonly #onData = (chunk: unknown) => this.#read(String(chunk));
  readonly #onEnd = () => this.#end();
  /** Text behind the last line break. */
  #rest = "";
  #endsWithReturn = false;
  /** Lines that have not been read. */
  #lines: string[] = [];
  #query = "";
  #answer: Answer | undefined;
  #prompt: string;
  #isPaused = false;
  /** Whether the end of the input has closed it. */
  #hasEnded = false;
  #iterator: AsyncIterableIterator<string> | undefined;
  #isIterated = false;
  #waiting: Next[] = [];
  closed = false;
  terminal = false;
  line = "";

  constructor(...args: readonly unknown[]) {
    super();
    this.#options = readOptions(args);
    this.#prompt = this.#options.prompt ?? "> ";
    setNeed(this.#onData, () => this.#isAsking());
    this.#listen();
  }

  /** Whether somebody waits for a line. */
  #isAsking(): boolean {
    return this.#answer !== undefined || this.#waiting.length > 0 || this.listenerCount("line") > 0;
  }

  #listen(): void {
    const { input } = this.#options;
    input.setEncoding?.("utf8");
    input.on("data", this.#onData);
    input.on("end", this.#onEnd);
  }

  /**
   * Reads on where the input has begun anew, as standard input does in each run of a context: that
   * it took the listeners away tells.
   */
  #renew(): void {
    const { input } = this.#options;
    const isHeard = input.listeners?.("end").includes(this.#onEnd) ?? true;
    if (isHeard || (this.closed && !this.#hasEnded)) return;
    this.#rest = "";
    this.#endsWithReturn =
      this.#isPaused =
      this.#hasEnded =
      this.closed =
        false;
    this.#lines = [];
    this.#answer = this.#iterator = undefined;
    this.#isIterated = false;
    this.#waiting = [];
    this.#listen();
  }

  #read(chunk: string): void {
    const text = this.#endsWithReturn && chunk.startsWith("\n") ? chunk.slice(1) : chunk;
    if (chunk !== "") this.#endsWithReturn = chunk.endsWith("\r");
    const lines = (this.#rest + text).split(LINE_BREAK);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    if (this.#answer !== undefined) return this.#reply(line);
    const isHeard = this.listenerCount("line") > 0;
    if (isHeard) this.emit("line", line);
    if (isHeard && !this.#isIterated) return;
    const next = this.#waiting.shift();
    if (next === undefined) this.#lines.push(line);
    else next({ value: line, done: false });
  }

  #reply(line: string): void {
    const answer = this.#answer;
    this.#answer = undefined;
    answer?.(line);
  }

  #end(): void {
    const rest = this.#rest;
    this.#rest = "";
    if (rest !== "") this.#line(rest);
    if (this.closed) return;
    this.#hasEnded = true;
    this.#close();
  }

  /** Asks, unless another question waits for its answer. */
  question(query: unknown, options: unknown, callback?: unknown): void {
    this.#renew();
    if (this.closed && (!this.#hasEnded || this.#lines.length === 0)) throw closedError();
    const answer = typeof options === "function" ? options : callback;
    if (this.#answer !== undefined) return this.#show(this.#query);
    this.#query = String(query);
    this.#answer = (line) => typeof answer === "function" ? answer(line) : undefined;
    this.#show(this.#query);
    if (this.#lines.length > 0) Promise.resolve().then(() => this.#answerFromKept());
  }

  #answerFromKept(): void {
    const line = this.#answer === undefined ? undefined : this.#lines.shift();
    if (line !== undefined) this.#reply(line);
  }

  setPrompt(prompt: unknown): void {
    this.#prompt = String(prompt);
  }

  getPrompt(): string {
    return this.#prompt;
  }

  prompt(): void {
    this.#renew();
    if (this.closed) throw closedError();
    this.#show(this.#answer === undefined ? this.#prompt : this.#query);
  }

  #show(text: string): void {
    if (this.#isPaused && !this.closed) this.resume();
    this.#options.output?.write(text);
  }

  /** Reads text as if it came from the input. */
  write(text?: unknown): void {
    this.#renew();
    if (this.closed) throw closedError();
    if (this.#isPaused) this.resume();
    if (text !== undefined && text !== null) this.#read(String(text));
  }

  pause(): this {
    if (this.#isPaused) return this;
    this.#options.input.pause?.();
    this.#isPaused = true;
    this.emit("pause");
    return this;
  }

  resume(): this {
    this.#renew();
    if (!this.#isPaused) return this;
    this.#options.input.resume?.();
    this.#isPaused = false;
    this.emit("resume");
    return this;
  }

  close(): void {
    this.#hasEnded = false;
    this.#close();
  }

  #close(): void {
    if (this.closed) return;
    const { input } = this.#options;
    this.pause();
    this.closed = true;
    input.off?.("data", this.#onData);
    if (!this.#hasEnded) input.off?.("end", this.#onEnd);
    for (const next of this.#waiting.splice(0)) next({ value: undefined, done: true });
    this.emit("close");
  }

  /** The one iterator of the lines: what breaks off a loop leaves the rest to the next. */
  [Symbol.asyncIterator](): AsyncIterableIterator<string> {
    this.#renew();
    this.#isIterated = true;
    this.#iterator ??= {
      next: () => this.#next(),
      return: (value?: unknown) => {
        this.#isIterated = false;
        return Promise.resolve({ value, done: true });
      },
      [Symbol.asyncIterator]() {
        return this;
      },
    };
    return this.#iterator;
  }

  #next(): Promise<IteratorResult<string, undefined>> {
    const line = this.#lines.shift();
    if (line !== undefined) return Promise.resolve({ value: line, done: false });
    if (this.closed) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}

/** The interface of `readline/promises`: questions return promises. */
class PromiseInterface extends Interface {
  ask(query: unknown): Promise<string> {
    return new Promise((resolve, reject) => {
      const onClose = () => reject(closedError());
      this.question(query, (line: string) => {
        this.off("close", onClose);
        resolve(line);
      });
      this.once("close", onClose);
    });
  }
}

function createPromiseInterface(...args: readonly unknown[]): Emitter {
  const lines = new PromiseInterface(...args);
  const question = (query: unknown) => lines.ask(query);
  const ask = PromiseInterface.prototype.question;
  return Object.assign(lines, {
    question: (query: unknown, ...rest: unknown[]) =>
      typeof rest[0] === "function" ? ask.call(lines, query, rest[0]) : question(query),
  });
}

function done(...args: readonly unknown[]): boolean {
  const callback = args.at(-1);
  if (typeof callback === "function") callback();
  return true;
}

/** The modules `readline` and `readline/promises`. */
export function createReadline(): { readonly readline: object; readonly promises: object } {
  const promises = { Interface: PromiseInterface, createInterface: createPromiseInterface };
  const readline = {
    Interface,
    createInterface: (...args: readonly unknown[]) => new Interface(...args),
    clearLine: done,
    clearScreenDown: done,
    cursorTo: done,
    moveCursor: done,
    emitKeypressEvents: () => {},
    promises,
  };
  return { readline, promises };
}
