/**
 * The events of a command as E2B's SDKs read them: messages of the Connect protocol.
 *
 * @module
 */
import type { z } from "zod";
import type { OutputEvent } from "../../client/protocol/run_events.ts";
import { failureSchema, resultSchema } from "../../shared/run_schemas.ts";
import type { StreamEncoding } from "../../shared/streamed_run.ts";
import { CONNECT_STREAM, connectCode, endMessage, message } from "./envelope.ts";
import type { EndedBy } from "./process_table.ts";

/** The exit code of a command that a signal or a limit ended. */
const KILLED = 137;
const NOTHING = new Uint8Array();

/** The messages of one command. */
export class ProcessEvents implements StreamEncoding {
  readonly mediaType = CONNECT_STREAM;
  readonly #pid: number;
  readonly #endedBy: () => EndedBy | undefined;

  /** `endedBy` tells at the end why the command ended, when its own end is not the reason. */
  constructor(pid: number, endedBy: () => EndedBy | undefined) {
    this.#pid = pid;
    this.#endedBy = endedBy;
  }

  begin(): Uint8Array {
    return event({ start: { pid: this.#pid } });
  }

  output(stream: OutputEvent["type"], bytes: Uint8Array): Uint8Array {
    return bytes.length === 0 ? NOTHING : event({ data: { [stream]: bytes.toBase64() } });
  }

  display(): Uint8Array {
    return NOTHING;
  }

  keepalive(): Uint8Array {
    return event({ keepalive: {} });
  }

  *end(status: number, body: Uint8Array): Generator<Uint8Array> {
    const endedBy = this.#endedBy();
    if (endedBy === "timeout") {
      yield endMessage({ code: "deadline_exceeded", message: "The command took too long" });
    } else if (endedBy === "signal") {
      yield ended(KILLED, "signal: killed");
      yield endMessage();
    } else if (status === 200) {
      yield* resultMessages(resultSchema.parse(JSON.parse(new TextDecoder().decode(body))));
    } else {
      const failure = failureSchema.parse(JSON.parse(new TextDecoder().decode(body)));
      yield endMessage({ code: connectCode(status), message: failure.message });
    }
  }
}

function* resultMessages(
  { exitCode = 0, error }: z.infer<typeof resultSchema>,
): Generator<Uint8Array> {
  if (error === undefined) yield ended(exitCode, `exit status ${exitCode}`);
  else {
    const text = new TextEncoder().encode(`${error.name}: ${error.message}\n`);
    yield event({ data: { stderr: text.toBase64() } });
    yield ended(KILLED, "signal: killed", error.message);
  }
  yield endMessage();
}

function ended(exitCode: number, status: string, error?: string): Uint8Array {
  const exited = exitCode !== KILLED;
  return event({ end: { exitCode, exited, status, ...(error === undefined ? {} : { error }) } });
}

function event(value: unknown): Uint8Array {
  return message({ event: value });
}
