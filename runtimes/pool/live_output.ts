/**
 * Output of a program of the shell on its way to the shell's isolate, while the program runs.
 *
 * @module
 */
import { encodeLiveOutput } from "../isolate/command_messages.ts";
import type { OutputStream } from "../engine/program_command.ts";
import { StreamBytes } from "./frame_reader.ts";

/** Sends bytes to the isolate. Resolves when they are written, or never can be. */
export type SendBytes = (bytes: Uint8Array<ArrayBuffer>) => Promise<void>;

/**
 * Sends output as it arises, one message at a time. Output that arises meanwhile makes the next
 * message: a program may write byte by byte, and an isolate may read late.
 */
export class LiveOutput {
  readonly #send: SendBytes;
  #streams = { stdout: new StreamBytes(), stderr: new StreamBytes() };
  #sending: Promise<void> | undefined;

  constructor(send: SendBytes) {
    this.#send = send;
  }

  /** Takes output. The bytes need not stay valid. */
  push(stream: OutputStream, bytes: Uint8Array): void {
    this.#streams[stream].append(bytes);
    this.#sending ??= this.#sendAll();
  }

  /** Resolves when all output is sent. */
  async sent(): Promise<void> {
    await this.#sending;
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const { stdout, stderr } = this.#streams;
      if (stdout.length + stderr.length === 0) break;
      this.#streams = { stdout: new StreamBytes(), stderr: new StreamBytes() };
      await this.#send(encodeLiveOutput(stdout.take(), stderr.take()));
    }
    this.#sending = undefined;
  }
}
