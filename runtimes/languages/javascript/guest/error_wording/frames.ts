/**
 * Frames of the running script with call positions as V8 reports them. The engine reports the last
 * position it recorded before a call, which can be lines further down, among the arguments.
 *
 * @module
 */
import type { HostFunction } from "../host.ts";
import { jsonText } from "../json_text.ts";
import { bare, StringPrototypeIncludes } from "../primordials.ts";
import { scriptName } from "../script_name.ts";
import type { Trace } from "../stack_trace.ts";

/** Characters beyond which a stack is left unchanged. */
const MAX_CHARS = 20_000;

/** The frames of an error of a class. */
export function correctFrames(host: HostFunction, trace: Trace, className: string): string {
  const { frames, ours } = trace;
  const script = scriptName();
  const isAbout = frames.length <= MAX_CHARS && StringPrototypeIncludes(frames, `${script}:`);
  if (!isAbout) return frames;
  const request = jsonText(bare({ kind: "stack", name: className, ours, script, frames })) ?? "";
  const reply = host("place", request);
  return typeof reply === "string" && reply !== "" ? reply : frames;
}
