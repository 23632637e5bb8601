/**
 * Plans and performs the rewriting of all function bodies of a module.
 *
 * @module
 */
import { ByteWriter } from "./byte_writer.ts";
import { readCallGraph } from "./call_graph.ts";
import type { FunctionBody } from "./code_section.ts";
import { FrameFinder } from "./frame_finder.ts";
import { FunctionRewriter, type RewriteCounts } from "./function_rewriter.ts";
import { MeterError } from "./meter_error.ts";
import type { ModuleLayout } from "./module_layout.ts";
import { Extern } from "./opcodes.ts";
import { planPadding } from "./padding_plan.ts";
import { noPrepayment, planPrepayment, type PrepaymentPlan } from "./prepayment.ts";
import type { RewriteSettings } from "./rewrite_task.ts";
import type { WrapperTypes } from "./wrapper_types.ts";

export interface RewrittenCode {
  /** Content of the code section. */
  readonly code: ByteWriter;
  readonly counts: RewriteCounts;
}

interface CodePlan {
  readonly prepayment: PrepaymentPlan;
  /** 1 for each defined function to pad. */
  readonly padded: Uint8Array;
  /** Frames that can be enlarged. */
  readonly frames: FrameFinder | undefined;
  /** Something in the module catches exceptions. */
  readonly catches: boolean;
}

/** Rewrites all function bodies of a module. */
export function rewriteCode(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
  settings: RewriteSettings,
  wrappers: WrapperTypes,
): RewrittenCode {
  const { prepayment, padded, frames, catches } = planCode(source, layout, bodies, settings);
  const rewriter = new FunctionRewriter(
    source,
    layout.importedFunctions + bodies.length,
    settings,
    wrappers,
    catches,
  );
  const written = new ByteWriter(source.length);
  const starts = new Int32Array(bodies.length);
  const ends = new Int32Array(bodies.length);
  for (const position of prepayment.order) {
    const body = bodies[position];
    const type = layout.types[layout.functionTypes[position] ?? 0];
    if (body === undefined || type === undefined) {
      throw new MeterError(`function ${position} is incomplete`);
    }
    starts[position] = written.length;
    rewriter.rewrite({
      index: layout.importedFunctions + position,
      body,
      type,
      prepayable: prepayment.eligible[position] === 1,
      pad: padded[position] === 1,
      frame: frames?.frame(position),
    }, written);
    ends[position] = written.length;
  }
  const code = new ByteWriter(written.length + 5);
  code.u32(bodies.length);
  for (let i = 0; i < bodies.length; i++) code.append(written, starts[i], ends[i]);
  return { code, counts: rewriter.counts };
}

function planCode(
  source: Uint8Array,
  layout: ModuleLayout,
  bodies: readonly FunctionBody[],
  settings: RewriteSettings,
): CodePlan {
  const { padding, stackPointer, prepayMax } = settings;
  const plain = new Uint8Array(bodies.length);
  if (stackPointer === undefined && prepayMax === 0) {
    return {
      prepayment: noPrepayment(bodies.length),
      padded: plain,
      frames: undefined,
      catches: true, // for all that is known
    };
  }
  const frames = stackPointer === undefined ? undefined : new FrameFinder(stackPointer);
  const graph = readCallGraph(source, layout, bodies, frames);
  const exports = layout.exports.get(Extern.function);
  const padded = padding === undefined || frames === undefined
    ? plain
    : planPadding(graph, padding, {
      framed: (index) => frames.frame(index) !== undefined,
      exported: (index) => exports?.has(layout.importedFunctions + index) === true,
    });
  for (const [copy, original] of settings.copies) {
    const [to, from] = [copy, original].map((index) => index - layout.importedFunctions);
    if (to === undefined || from === undefined) continue;
    if (frames?.frame(to) !== frames?.frame(from)) {
      throw new MeterError(`functions ${copy} and ${original} cannot share a frame`);
    }
    padded[to] = padded[from] ?? 0;
  }
  return {
    prepayment: prepayMax === 0 ? noPrepayment(bodies.length) : planPrepayment(graph),
    padded,
    frames,
    catches: graph.catches,
  };
}
