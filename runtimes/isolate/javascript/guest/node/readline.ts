/**
 * `readline` and `readline/promises` over a stream of text, line by line.
 *
 * @module
 */
import { nodeError } from "../web/node_error.ts";
import { type Emitter, EventEmitter } from "./events.ts";
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

/** Lines of an input. */
class Interface extends EventEmitter {
  readonly #options: Options;
  #rest = "";
  #answer: Answer | undefined;
  #prompt: string;
  closed = false;
  terminal = false;
  line = "";

  constructor(...args: readonly unknown[]) {
    super();
    this.#options = readOptions(args);
    this.#prompt = this.#options.prompt ?? "> ";
    const { input } = this.#options;
    input.setEncoding?.("utf8");
    input.on("data", (chunk) => this.#read(String(chunk)));
    input.on("end", () => this.#end());
  }

  #read(text: string): void {
    const lines = (this.#rest + text).split(LINE_BREAK);
    this.#rest = lines.pop() ?? "";
    for (const line of lines) this.#line(line);
  }

  #line(line: string): void {
    const answer = this.#answer;
    this.#answer = undefined;
    if (answer !== undefined) answer(line);
    else this.emit("line", line);
  }

  #end(): void {
    if (this.#rest !== "") this.#line(this.#rest);
    this.#rest = "";
    this.close();
  }

  question(query: unknown, options: unknown, callback?: unknown): void {
    if (this.closed) throw closedError();
    const answer = typeof options === "function" ? options : callback;
    this.#options.output?.write(String(query));
    this.#answer = (line) => typeof answer === "function" ? answer(line) : undefined;
  }

  setPrompt(prompt: unknown): void {
    this.#prompt = String(prompt);
  }

  getPrompt(): string {
    return this.#prompt;
  }

  prompt(): void {
    if (this.closed) throw closedError();
    this.#options.output?.write(this.#prompt);
  }

  write(): void {}

  pause(): this {
    return this;
  }

  resume(): this {
    return this;
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.emit("close");
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    const lines: string[] = [];
    let wake = () => {};
    this.on("line", (line) => {
      lines.push(String(line));
      wake();
    });
    this.on("close", () => wake());
    for (;;) {
      const line = lines.shift();
      if (line !== undefined) yield line;
      else if (this.closed) return;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  }
}

/** The interface of `readline/promises`: questions return promises. */
class PromiseInterface extends Interface {
  ask(query: unknown): Promise<string> {
    return new Promise((resolve, reject) => {
      const onClose = () => reject(closedError());
      this.once("close", onClose);
      this.question(query, (line: string) => {
        this.off("close", onClose);
        resolve(line);
      });
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
