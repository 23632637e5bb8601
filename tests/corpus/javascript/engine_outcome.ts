/**
 * Programs of the corpus in the JavaScript engine, in this process.
 *
 * @module
 */
import type { Ending } from "../../../runtimes/engine/engine.ts";
import type { JavaScriptEngine } from "../../../runtimes/languages/javascript/engine.ts";
import { limitsByLanguage } from "../../../shared/limits.ts";
import { type Outcome, withoutFrames } from "./outcome.ts";
import { ENVIRONMENT, type Program } from "./programs.ts";

const EXIT = "SystemExit";
const LIMITS = limitsByLanguage().javascript;

function readEnding(ending: Ending): Pick<Outcome, "error" | "status"> {
  switch (ending.kind) {
    case "none":
    case "text":
    case "json":
      return { status: 0 };
    case "error": {
      const { name, message, traceback } = ending.error;
      if (name === EXIT) return { status: Number(/\d+/.exec(message)?.[0]) };
      const text = traceback.join("\n").replace(/^Uncaught /, "");
      return { error: withoutFrames(text), status: 1 };
    }
    default:
      throw new Error(`The run ended with ${JSON.stringify(ending)}`);
  }
}

/** Runs a program from the pristine state, with the limits a service has by default. */
export function runInEngine(engine: JavaScriptEngine, program: Program): Outcome {
  engine.reset();
  const decoders = { 1: new TextDecoder(), 2: new TextDecoder(), 5: new TextDecoder() };
  const written = { 1: "", 2: "", 5: "" };
  const { ending } = engine.run({
    code: program.code,
    env: ENVIRONMENT,
    typescript: program.typescript,
    limits: LIMITS,
  }, (stream, bytes) => {
    written[stream] += decoders[stream].decode(bytes, { stream: true });
    return true;
  });
  return {
    stdout: withoutFrames(written[1]),
    stderr: withoutFrames(written[2]),
    ...readEnding(ending),
  };
}
